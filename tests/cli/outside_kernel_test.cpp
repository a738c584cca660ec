// Tests that a kernel outside the repository is swept without rebuilding anything.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "store/sqlite.h"
#include "support/program.h"
#include "support/raw_sql.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class OutsideKernel : public ::testing::Test {
 protected:
  void SetUp() override {
    write_square_kernel(folder_.path());
    database_ = (folder_.path() / "results.db").string();
    cache_ = "WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string();
  }

  ProgramResult sweep(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"sweep",     (folder_.path() / "square.yaml").string(),
                                          "--kernels", (folder_.path() / "kernels").string(),
                                          "--device",  "emu:sm_90a",
                                          "--db",      database_,
                                          "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {cache_});
  }

  nlohmann::json sweep_json(std::vector<std::string> more = {}) {
    more.push_back("--json");
    const ProgramResult result = sweep(more);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out);
  }

  TemporaryFolder folder_;
  std::string database_;
  std::string cache_;
};

TEST_F(OutsideKernel, IsSweptValidatedAndRanked) {
  const nlohmann::json json = sweep_json();
  EXPECT_EQ(json["sweep"]["ended"], "complete");
  EXPECT_EQ(json["sweep"]["trials"], 11);  // 12 combinations, one excluded by the constraint
  EXPECT_EQ(json["sweep"]["statuses"]["ok"], 11);
  ASSERT_EQ(json["leaderboards"].size(), 1u);
  const nlohmann::json& board = json["leaderboards"][0];
  EXPECT_TRUE(board["modelled"].get<bool>());
  EXPECT_EQ(board["problem"]["n"], 5000);
  double last = 0;
  for (const nlohmann::json& entry : board["entries"]) {
    EXPECT_GE(entry["median_us"].get<double>(), last);
    last = entry["median_us"].get<double>();
    EXPECT_GT(last, 0);
  }
}

TEST_F(OutsideKernel, ASecondSweepMeasuresNothing) {
  const nlohmann::json first = sweep_json();
  const nlohmann::json second = sweep_json();
  EXPECT_EQ(second["sweep"]["resumed"], 11);
  EXPECT_EQ(second["leaderboards"], first["leaderboards"]);
}

TEST_F(OutsideKernel, ANoisyTrialIsMeasuredAgain) {
  (void)sweep_json();
  Connection(database_, Connection::Access::kCreate, 1000, "x.db")
      .execute(std::string(kForgetChecksums) +
               "UPDATE trial SET status = 'noisy', median_us = NULL WHERE id = 3");
  const nlohmann::json second = sweep_json();
  EXPECT_EQ(second["sweep"]["resumed"], 10);
  EXPECT_EQ(second["leaderboards"][0]["entries"].size(), 11u);
}

TEST_F(OutsideKernel, APrunedTrialIsKnown) {
  (void)sweep_json();
  Connection(database_, Connection::Access::kCreate, 1000, "x.db")
      .execute(
          std::string(kForgetChecksums) +
          "UPDATE trial SET status = 'pruned', median_us = NULL, at_least_us = 1e6 WHERE id = 3");
  const nlohmann::json second = sweep_json();
  EXPECT_EQ(second["sweep"]["resumed"], 11);
  EXPECT_EQ(second["leaderboards"][0]["pruned"]["at_least_us"], 1e6);
}

TEST_F(OutsideKernel, FreshMeasuresAgain) {
  (void)sweep_json();
  EXPECT_EQ(sweep_json({"--fresh"})["sweep"]["resumed"], 0);
}

TEST_F(OutsideKernel, BudgetBoundsTheTrials) {
  const nlohmann::json json = sweep_json({"--budget", "3"});
  EXPECT_EQ(json["sweep"]["trials"], 3);
  EXPECT_EQ(json["sweep"]["ended"], "budget");
}

TEST_F(OutsideKernel, SetOverridesSizesAndPinsParameters) {
  const nlohmann::json json = sweep_json({"--set", "n=77", "--set", "THREADS=64"});
  EXPECT_EQ(json["sweep"]["trials"], 3);
  EXPECT_EQ(json["leaderboards"][0]["problem"]["n"], 77);
}

TEST_F(OutsideKernel, RandomStrategyVisitsTheSameSpace) {
  EXPECT_EQ(sweep_json({"--strategy", "random", "--seed", "9"})["sweep"]["trials"], 11);
}

TEST_F(OutsideKernel, TheLeaderboardSaysItIsModelled) {
  const ProgramResult result = sweep();
  EXPECT_THAT(result.out, HasSubstr("modelled"));
  EXPECT_THAT(result.out, HasSubstr("plain"));
}

TEST_F(OutsideKernel, ShowPrintsWhatTheSweepStored) {
  const nlohmann::json swept = sweep_json();
  const ProgramResult shown =
      run_program({"show", "square", "--db", database_, "--json"}, {cache_});
  ASSERT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_EQ(nlohmann::json::parse(shown.out)["leaderboards"], swept["leaderboards"]);
}

TEST_F(OutsideKernel, AnEditedSourceIsMeasuredAnew) {
  (void)sweep_json();
  const auto source = folder_.path() / "kernels/square/plain.cu";
  write_text(source, read_file(source) + "// edited\n");
  EXPECT_EQ(sweep_json()["sweep"]["resumed"], 0);
}

TEST_F(OutsideKernel, AWrongKernelIsRejectedWithThePlaceAndTheValues) {
  const auto source = folder_.path() / "kernels/square/plain.cu";
  std::string text = read_file(source);
  text.replace(text.find("x[at] * x[at]"), 13, "x[at] * x[at] + (at == 3 ? 1.0f : 0.0f)");
  write_text(source, text);
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("wrong_result"));
  EXPECT_THAT(result.out, HasSubstr("y"));
}

TEST_F(OutsideKernel, AKernelThatDoesNotCompileIsReportedWithItsOwnLine) {
  const auto source = folder_.path() / "kernels/square/plain.cu";
  std::string text = read_file(source);
  text.replace(text.find("x[at] * x[at]"), 13, "x[at] * oops");
  write_text(source, text);
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("compile_failed"));
  EXPECT_THAT(result.out, HasSubstr("plain.cu:11"));
  EXPECT_THAT(result.out, HasSubstr("oops"));
}

TEST_F(OutsideKernel, AMissingReferenceSymbolIsTheUsersError) {
  write_text(folder_.path() / "kernels/square/reference.cpp", "int nothing_here;\n");
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("ww_reference"));
}

TEST_F(OutsideKernel, AProblemLargerThanTheDeviceIsTheUsersErrorAndLosesNothing) {
  (void)sweep_json();
  const auto contract = folder_.path() / "kernels/square/kernel.yaml";
  const std::string good = read_file(contract);
  std::string text = good;
  const auto replace = [&text](const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
  };
  replace("  - {name: n, value: n}\n",
          "  - {name: n, value: n}\n  - {name: w, scratch: f32, shape: [\"n * 100000000\"]}\n");
  write_text(contract, text);
  const auto source = folder_.path() / "kernels/square/plain.cu";
  const std::string good_source = read_file(source);
  text = good_source;
  replace("float* y, int n", "float* y, int n, float* w");
  write_text(source, text);
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("memory"));
  EXPECT_THAT(result.err, HasSubstr("w 372.90 GiB"));
  write_text(contract, good);
  write_text(source, good_source);
  EXPECT_EQ(sweep_json()["sweep"]["resumed"], 11);
}

}  // namespace
}  // namespace warpwright::testing
