// Launchers of committed results on a real GPU: exported, built with the programs of
// tests/consumer, and run, from a few sizes to many.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "compile/nvrtc.h"
#include "core/escape.h"
#include "device/device.h"
#include "device/registry/device_registry.h"
#include "support/host_compiler.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

struct GpuConsumer {
  const char* kernel;
  const char* results;   // folder below results/nvidia-h200
  const char* sizes[3];  // command lines
};

class GpuLauncher : public ::testing::TestWithParam<GpuConsumer> {};

TEST_P(GpuLauncher, IsRightOnEverySize) {
  if (const std::string reason = why_no_cuda(); !reason.empty()) GTEST_SKIP() << reason;
  const auto toolchain = locate_toolchain();
  if (!toolchain || toolchain->include_folders.empty()) GTEST_SKIP() << "no NVRTC here";
  const GpuConsumer& consumer = GetParam();
  const HostCompiler host;
  const std::string results = std::string(WARPWRIGHT_SOURCE_DIR "/results/nvidia-h200/") +
                              consumer.results + "/warpwright.db.gz";
  const std::string database = (host.path() / "r.db").string();
  ASSERT_EQ(run_program({"import", results, "--db", database}).exit_code, 0);
  const ProgramResult exported =
      run_program({"export", consumer.kernel, "--format", "launcher", "--db", database, "-o",
                   (host.path() / "launcher/").string()});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  const std::string kernel = consumer.kernel;
  const std::string include = toolchain->include_folders.front().string();
  // The driver's library is not where linkers look.
  const CommandResult built = host.run(
      "DRIVER=$(ldconfig -p | awk '/libcuda[.]so[.]1 / {print $NF; exit}'); c++ -std=c++17 -O1 -I "
      "launcher -isystem " +
      shell_word(include) + " " +
      shell_word(WARPWRIGHT_SOURCE_DIR "/tests/consumer/" + kernel + ".cpp") + " launcher/" +
      kernel +
      "_launcher.cpp launcher/warpwright_launcher.cpp -o consumer "
      "${DRIVER:-/usr/local/cuda/lib64/stubs/libcuda.so} -ldl");
  ASSERT_EQ(built.exit_code, 0) << built.output;
  for (const char* sizes : consumer.sizes) {
    const CommandResult result =
        host.run("NVRTC=" + shell_word(toolchain->nvrtc.string()) +
                 " CUDA_INCLUDE=" + shell_word(include) + " ./consumer " + sizes);
    EXPECT_EQ(result.exit_code, 0) << sizes << ": " << result.output;
  }
}

// One row is for the split variant, many for others; of attention 8192 rows are for three
// warpgroups.
INSTANTIATE_TEST_SUITE_P(
    Consumers, GpuLauncher,
    ::testing::Values(GpuConsumer{"softmax_topk", "fused", {"1 151936", "7 5000", "3000 1000"}},
                      GpuConsumer{"rmsnorm_residual", "fused", {"1 4096", "33 1000", "4096 8192"}},
                      GpuConsumer{"attention_prefill", "attention", {"2 100", "3 1000", "1 8192"}}),
    [](const auto& name) { return std::string(name.param.kernel); });

}  // namespace
}  // namespace warpwright::testing
