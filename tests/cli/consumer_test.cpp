// Builds the example of tests/consumer from a committed header, as its user would.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "compile/nvrtc.h"
#include "core/escape.h"
#include "core/files.h"
#include "store/database.h"
#include "support/host_compiler.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

class Consumer : public ::testing::Test {
 protected:
  // The header's times belong to these sources, which are stored with the results, whatever the
  // tree has become.
  void SetUp() override {
    const std::string results =
        WARPWRIGHT_SOURCE_DIR "/results/nvidia-h200/gated_activation/warpwright.db.gz";
    const std::filesystem::path file = host_.path() / "results.db";
    const ProgramResult imported = run_program({"import", results, "--db", file.string()});
    ASSERT_EQ(imported.exit_code, 0) << imported.err;
    const Database database(file, OpenMode::kReadOnly);
    for (const auto& [id, kernel] : database.kernels()) {
      for (const KernelSource& source : database.kernel_sources(id)) {
        std::filesystem::create_directories((host_.path() / source.path).parent_path());
        host_.write(source.path, source.text);
      }
    }
  }
  CommandResult run(const std::string& arguments) const {
    std::string command = shell_word(WARPWRIGHT_CONSUMER) + " " + arguments + " --kernels " +
                          shell_word((host_.path() / "kernels").string());
    if (const auto toolchain = locate_toolchain()) {
      command += " --nvrtc " + shell_word(toolchain->nvrtc.string());
      for (const auto& folder : toolchain->include_folders)
        command += " --include " + shell_word(folder.string());
    }
    return host_.run(command);
  }

  HostCompiler host_;
};

TEST_F(Consumer, CompilesWhatTheHeaderChoosesAndLaunchesItWhereItCan) {
  if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
  const CommandResult result = run("16 11008");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("match: nearest on this "), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("compiled "), std::string::npos);
  const bool launched = result.output.find(": 0 wrong\n") != std::string::npos;
  const bool stopped =
      result.output.find("no GPU here: compiled, not launched\n") != std::string::npos;
  EXPECT_NE(launched, stopped) << result.output;
}

TEST_F(Consumer, AnUntunedChoiceAsksWhatWasTunedOfOthers) {
  if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
  const CommandResult result = run("3 1001 f32");
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_NE(result.output.find("match: nearest with other listed values"), std::string::npos)
      << result.output;
}

TEST_F(Consumer, RefusesWhatCannotRun) {
  CommandResult result = run("0 1001");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "gated_activation_consumer: no configuration can run this problem\n");
  result = run("16 many");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.output, "gated_activation_consumer: expected a number, got 'many'\n");
}

}  // namespace
}  // namespace warpwright::testing
