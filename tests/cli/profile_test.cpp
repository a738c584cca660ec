// `warpwright profile`, end to end on the emulator.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "support/square_sweep.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ProfileVerb : public SquareSweep {
 protected:
  [[nodiscard]] ProgramResult profile(std::vector<std::string> more) const {
    std::vector<std::string> all = {"profile", "square", "--kernels",
                                    (folder_.path() / "kernels").string()};
    all.insert(all.end(), more.begin(), more.end());
    return run_program(all);
  }
  [[nodiscard]] nlohmann::json launch(std::vector<std::string> more) const {
    more.emplace_back("--json");
    const ProgramResult result = profile(std::move(more));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out).at("profiles").at(0).at("launches").at(0);
  }
};

TEST_F(ProfileVerb, PrintsCountersAndTheHottestLines) {
  const ProgramResult result = profile({"--problem", "n=4096"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("times are modelled, not measured"));
  EXPECT_THAT(result.out, HasSubstr("fp32_mul_lanes"));
  EXPECT_THAT(result.out, HasSubstr("hottest lines"));
  EXPECT_THAT(result.out, HasSubstr(".cu:"));
}

// One multiplication an element; 4096 floats are 512 sectors.
TEST_F(ProfileVerb, CountsWhatTheKernelDoes) {
  const nlohmann::json json = launch({"--problem", "n=4096"});
  EXPECT_EQ(json.at("counters").at("fp32_mul_lanes"), 4096);
  EXPECT_EQ(json.at("counters").at("global_load_sectors"), 512);
  EXPECT_EQ(json.at("counters").at("global_store_sectors"), 512);
  EXPECT_GT(json.at("modelled_us").get<double>(), 0);
  EXPECT_FALSE(json.at("lines").empty());
}

// Rows are handed out by a counter: were it not at zero, none would be summed.
TEST_F(ProfileVerb, FillsScratchThatHasAFill) {
  const std::string folder = std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/fixtures/broken_kernels";
  const ProgramResult result =
      run_program({"profile", "spent_counter", "--kernels", folder, "--problem", "rows=37",
                   "--configuration", "variant=sound", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json counted =
      nlohmann::json::parse(result.out).at("profiles").at(0).at("launches").at(0).at("counters");
  EXPECT_EQ(counted.at("global_store_sectors"), 37);
}

TEST_F(ProfileVerb, ASampleOfBlocksStandsForAll) {
  const std::vector<std::string> problem = {"--problem", "n=1048576", "--lines", "0"};
  const nlohmann::json all = launch(problem);
  std::vector<std::string> more = problem;
  more.insert(more.end(), {"--sample-blocks", "8"});
  const nlohmann::json sample = launch(more);
  EXPECT_EQ(sample.at("counters").at("blocks"), all.at("counters").at("blocks"));
  EXPECT_NEAR(sample.at("counters").at("global_load_sectors").get<double>(),
              all.at("counters").at("global_load_sectors").get<double>(), 1);
  EXPECT_NEAR(sample.at("modelled_us").get<double>(), all.at("modelled_us").get<double>(),
              0.02 * all.at("modelled_us").get<double>());
}

TEST_F(ProfileVerb, RefusesAGpu) {
  const ProgramResult result = profile({"--problem", "n=4096", "--device", "cuda:0"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, HasSubstr("profile counts on the emulator only"));
}

TEST_F(ProfileVerb, AsksForAProblemWhereNoneIsKnown) {
  const ProgramResult result = profile({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--problem \"n=...\""));
}

}  // namespace
}  // namespace warpwright::testing
