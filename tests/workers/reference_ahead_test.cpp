// Tests references that are computed before a measurer asks for them.
#include "workers/reference_ahead.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "core/files.h"
#include "device/absent_device.h"
#include "trial/tiny_kernel.h"
#include "trial/trial_steps.h"
#include "workers/measure_worker.h"

namespace warpwright::testing {
namespace {

using std::filesystem::path;

class ReferenceAheadTest : public ::testing::Test {
 protected:
  ReferenceAheadTest() {
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

TEST_F(ReferenceAheadTest, AMeasurerFindsTheAnswersOfBothSeeds) {
  compute_reference_ahead(files.read(), gpu, options, tiny_problem());
  const std::size_t ahead = answers();
  EXPECT_EQ(ahead, 2u);
  FakeDevice device;
  device.kernels["twice"] = correct_twice();
  TrialRunner runner(files.read(), device, options);
  EXPECT_EQ(runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), {}).status,
            Status::kOk);
  EXPECT_EQ(answers(), ahead) << "the measurer computed an answer that already existed";
}

TEST_F(ReferenceAheadTest, NothingIsComputedWithoutACacheToKeepIt) {
  options.cache_folder.clear();
  compute_reference_ahead(files.read(), gpu, options, tiny_problem());
  EXPECT_EQ(answers(), 0u);
}

TEST_F(ReferenceAheadTest, AnAbsentDeviceRefusesToCompute) {
  AbsentDevice absent(gpu);
  EXPECT_THROW((void)absent.launch({}, {}), Error);
  EXPECT_THROW((void)absent.load({}), Error);
}

}  // namespace
}  // namespace warpwright::testing
