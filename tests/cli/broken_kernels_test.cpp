// Runs kernels with every known mistake through the program on the emulator: each is rejected for
// its own reason, and the correct variant next to it is not rejected.
#include "support/broken_kernels.h"

#include <gmock/gmock.h>

#include "core/files.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr const char* kDevice = "emu:sm_90a";
constexpr const char* kMixed = "mixed";

class BrokenKernels : public ::testing::TestWithParam<std::string> {};

TEST_P(BrokenKernels, AreRejectedForTheirReason) {
  EXPECT_FALSE(expected_failures(GetParam(), false).empty());
  expect_rejections(GetParam(), kDevice, /*gpu=*/false);
}

// The fixture with many mistakes is swept once, below, because it takes half a minute.
std::vector<std::string> fixtures_of_one_mistake() {
  std::vector<std::string> names = broken_fixtures();
  std::erase(names, kMixed);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Fixtures, BrokenKernels, ::testing::ValuesIn(fixtures_of_one_mistake()),
                         [](const auto& fixture) { return fixture.param; });

TEST(BrokenKernelsTable, NamesEveryFixture) {
  const std::string readme =
      read_file(std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/fixtures/broken_kernels/README.md");
  for (const std::string& name : broken_fixtures())
    EXPECT_THAT(readme, HasSubstr("\n| " + name + " | "));
}

TEST(MixedSweep, RanksTheRightConfigurationsAndKeepsTheReasonOfEachFailure) {
  const FixtureSweep sweep = sweep_fixture(kMixed, kDevice);
  EXPECT_FALSE(expected_failures(kMixed, false).empty());
  expect_rejections(kMixed, sweep, /*gpu=*/false);
  ASSERT_EQ(sweep.program.exit_code, 0) << sweep.program.err;
  EXPECT_EQ(sweep.json["sweep"]["ended"], "complete");
  EXPECT_EQ(sweep.json["sweep"]["trials"], 18);
  const nlohmann::json statuses = {{"ok", 5},
                                   {"launch_failed", 5},
                                   {"timeout", 1},
                                   {"wrong_result", 3},
                                   {"nondeterministic", 1},
                                   {"compile_failed", 1},
                                   {"invalid", 1},
                                   {"hazard", 1}};
  EXPECT_EQ(sweep.json["sweep"]["statuses"], statuses);
  std::vector<std::string> ranked;
  for (const nlohmann::json& entry : sweep.json["leaderboards"][0]["entries"])
    ranked.push_back(entry["configuration_text"]);
  EXPECT_THAT(ranked, UnorderedElementsAre("blocked PER_THREAD=1 THREADS=64",
                                           "blocked PER_THREAD=4 THREADS=64",
                                           "blocked PER_THREAD=1 THREADS=256", "strided THREADS=64",
                                           "strided THREADS=256"));
  for (const FixtureTrial& trial : sweep.trials)
    EXPECT_EQ(trial.reason.empty(), trial.status == "ok") << trial.configuration;
}

}  // namespace
}  // namespace warpwright::testing
