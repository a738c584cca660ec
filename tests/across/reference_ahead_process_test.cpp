// The process that computes references ahead, as the program starts it.
#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "core/files.h"
#include "support/program.h"
#include "trial/tiny_kernel.h"
#include "trial/trial_steps.h"
#include "workers/reference_ahead.h"

namespace warpwright::testing {
namespace {

using std::filesystem::path;

class ReferenceProcessTest : public ::testing::Test {
 protected:
  ReferenceProcessTest() {
    options.cache_folder = cache.path();
    gpu.has_clock = true;
    gpu.global_bytes = std::int64_t{1} << 30;
  }
  [[nodiscard]] std::size_t answers() const {
    const path folder = answers_folder(options);
    if (!std::filesystem::exists(folder)) return 0;
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
  }

  TinyKernel files;
  TemporaryFolder cache{"warpwright-ahead"};
  TrialOptions options = tiny_options();
  DeviceInfo gpu;
};

MeasurePoolOptions recipe(const TinyKernel& files, const TrialOptions& options) {
  (void)files.read();
  MeasurePoolOptions measurers;
  measurers.worker_command = {warpwright_program(), "worker", "measure"};
  measurers.setup.device = "cuda:0";
  measurers.setup.kernel_file = files.folder.path() / "kernel.yaml";
  measurers.setup.options = options;
  return measurers;
}

TEST_F(ReferenceProcessTest, AProcessOfItsOwnComputesWhatIsAsked) {
  ReferenceAhead ahead(recipe(files, options), gpu);
  ahead.ask(tiny_problem());
  ahead.ask(tiny_problem());
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (answers() < 2 && std::chrono::steady_clock::now() < patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(answers(), 2u);
}

TEST_F(ReferenceProcessTest, AReferenceThatDiesOrLoopsHoldsNobodyUp) {
  for (const char* fault : {"__builtin_trap();", "for (;;) {}"}) {
    files.reference = std::string("#include \"reference.h\"\nint ww_reference(const ww_call*) { ") +
                      fault + " return 0; }\n";
    ReferenceAhead ahead(recipe(files, options), gpu);
    ahead.ask(tiny_problem());
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  EXPECT_EQ(answers(), 0u);
}

}  // namespace
}  // namespace warpwright::testing
