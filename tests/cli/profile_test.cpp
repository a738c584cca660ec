// Tests `warpwright profile` end to end on the emulator.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "store/sqlite.h"
#include "support/raw_sql.h"
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

// The kernel does one multiplication per element; 4096 floats are 512 sectors.
TEST_F(ProfileVerb, CountsWhatTheKernelDoes) {
  const nlohmann::json json = launch({"--problem", "n=4096"});
  EXPECT_EQ(json.at("counters").at("fp32_mul_lanes"), 4096);
  EXPECT_EQ(json.at("counters").at("global_load_sectors"), 512);
  EXPECT_EQ(json.at("counters").at("global_store_sectors"), 512);
  EXPECT_GT(json.at("modelled_us").get<double>(), 0);
  EXPECT_FALSE(json.at("lines").empty());
}

// A counter hands out the rows: if it did not start at zero, no row would be summed.
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

// Results of the emulator are labelled as measured here, because only the plumbing is tested.
TEST_F(ProfileVerb, HoldsTheModelsOrderAgainstAMeasuredOne) {
  finish("x.db");
  const std::string database = (folder_.path() / "x.db").string();
  const ProgramResult refused = profile({"--against", database});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err,
              HasSubstr("nothing measured that can be emulated; sweep on a GPU first"));
  Connection(database, Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "UPDATE device SET has_clock = 1; UPDATE trial SET modelled = 0");
  const std::string saved = (folder_.path() / "table.json").string();
  const ProgramResult text = profile({"--against", database, "--sample", "5", "--save", saved});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.err, HasSubstr(": 5 of 11\n"));
  EXPECT_THAT(text.out, HasSubstr("best pick within 10 % of the best on 1 of 1 problem\n"));
  const nlohmann::json problem = nlohmann::json::parse(read_file(saved)).at("problems").at(0);
  EXPECT_EQ(problem.at("configurations").size(), 5u);
  EXPECT_EQ(problem.at("tau_b"), 1.0);  // a model agrees with itself
  EXPECT_TRUE(problem.at("configurations")[0].at("launches")[0].contains("counters"));
}

}  // namespace
}  // namespace warpwright::testing
