// End-to-end trials of a kernel with tensor maps on the emulator: contract, compiler, encoded
// descriptor, tensor copy, mbarrier, outcome.
#include <gmock/gmock.h>

#include "device/registry/device_registry.h"
#include "support/tile_scale.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class TensorMapKernelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::optional<Toolchain> toolchain = locate_toolchain();
    if (!toolchain) GTEST_SKIP() << "no NVRTC here";
    nvrtc = std::make_unique<Nvrtc>(*toolchain);
    device = open_device("emu:sm_90a", 1);
  }

  std::unique_ptr<Nvrtc> nvrtc;
  std::unique_ptr<Device> device;
};

class TensorMapVariants : public TensorMapKernelTest,
                          public ::testing::WithParamInterface<std::tuple<const char*, int>> {};

TEST_P(TensorMapVariants, AreRightOnTheEmulator) {
  const auto& [variant, swizzle] = GetParam();
  TileScale trial{*device, *nvrtc};
  const Outcome outcome = trial.run(TileScale::configuration(variant, swizzle));
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  // 3 x ceil(68 / columns) tiles of 24 rows, whole boxes also at the edges.
  const auto columns = static_cast<std::uint64_t>(swizzle == 0 ? 16 : swizzle / 4);
  const std::uint64_t tiles = 3 * ((68 + columns - 1) / columns);
  ASSERT_TRUE(outcome.counters.contains("async_load_bytes"));
  EXPECT_EQ(outcome.counters.at("async_load_bytes"), tiles * 24 * columns * 4);
}

INSTANTIATE_TEST_SUITE_P(TileScale, TensorMapVariants,
                         ::testing::Combine(::testing::Values("load", "both"),
                                            ::testing::Values(0, 32, 64, 128)),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param)) + "Swizzle" +
                                  std::to_string(std::get<1>(of.param));
                         });

TEST_F(TensorMapKernelTest, AKernelThatReadsThroughAnotherSwizzleIsWrong) {
  TileScale trial{*device, *nvrtc};
  // The source is compiled for one swizzle and launched with the map of another.
  const Configuration compiled_for = TileScale::configuration("load", 64);
  Configuration launched = compiled_for;
  launched.values["SWIZZLE"] = 128;
  TrialRunner runner(trial.kernel, *device, tiny_options());
  const Outcome outcome = runner.run(launched, trial.problem, trial.compile(compiled_for), {});
  EXPECT_EQ(outcome.status, Status::kWrongResult) << outcome.reason;
  EXPECT_THAT(outcome.reason, HasSubstr("output 'y' is wrong"));
}

}  // namespace
}  // namespace warpwright::testing
