// Tests a contract whose tolerance lets zeros pass, through the program: the warning, and --strict.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLong = "rows=3 cols=4096";
constexpr const char* kShort = "rows=3 cols=4";
constexpr const char* kZerosPass =
    "zeros, the mean of the expected values in every element and the result for another seed's "
    "inputs pass for output 'share': its largest expected value is 0.000";

class StrictSweeps : public ::testing::Test {
 protected:
  void SetUp() override {
    const fs::path fixture = fs::path(WARPWRIGHT_SOURCE_DIR) / "tests/fixtures/loose_contracts";
    fs::copy(fixture, folder_.path(), fs::copy_options::recursive);
  }
  void edit(const std::string& from, const std::string& to) const {
    const fs::path path = folder_.path() / "mean_share/kernel.yaml";
    std::string text = read_file(path);
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(path, text.replace(at, from.size(), to));
  }
  [[nodiscard]] ProgramResult run(std::vector<std::string> arguments,
                                  const std::vector<std::string>& more = {}) const {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {"WARPWRIGHT_CACHE=" + (folder_.path() / "cache").string()});
  }
  [[nodiscard]] ProgramResult sweep(const std::vector<std::string>& more = {}) const {
    return run({"sweep", (folder_.path() / "mean_share.yaml").string(), "--kernels",
                folder_.path().string(), "--device", "emu:sm_90a", "--db", database_.string()},
               more);
  }
  [[nodiscard]] nlohmann::json swept(std::vector<std::string> more = {}) const {
    more.emplace_back("--json");
    return nlohmann::json::parse(sweep(more).out);
  }
  static nlohmann::json board(const nlohmann::json& json, const std::string& problem) {
    for (const nlohmann::json& one : json.at("leaderboards"))
      if (one.at("problem_text") == problem) return one;
    return nullptr;
  }
  [[nodiscard]] ProgramResult vet(const std::vector<std::string>& more = {}) const {
    return run({"vet", (folder_.path() / "mean_share").string(), "--quiet"}, more);
  }

  TemporaryFolder folder_;
  fs::path database_ = folder_.path() / "x.db";
};

TEST_F(StrictSweeps, WarnOfWhatPassesOnceAndBelowTheBoard) {
  const ProgramResult result = sweep();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string warning = std::string("warning: ") + kLong + ": " + kZerosPass;
  EXPECT_THAT(result.err, HasSubstr(warning));
  EXPECT_EQ(result.err.find(warning), result.err.rfind(warning));
  EXPECT_THAT(result.out, HasSubstr(std::string("\nwarning: ") + kZerosPass));
  EXPECT_THAT(result.out, HasSubstr(", and an error of 0.005 is allowed there\n"));
}

TEST_F(StrictSweeps, TheWarningIsOfTheProblemThatIsTestedTooLittle) {
  const nlohmann::json json = swept();
  const nlohmann::json untested = board(json, kLong);
  ASSERT_EQ(untested.at("contract_remarks").size(), 3U);
  const nlohmann::json& zeros = untested.at("contract_remarks").at(0);
  EXPECT_EQ(zeros.at("code"), "zeros_pass");
  EXPECT_EQ(zeros.at("output"), "share");
  EXPECT_DOUBLE_EQ(zeros.at("allowed"), 5e-3);
  EXPECT_LT(zeros.at("largest_expected"), 5e-4);
  EXPECT_EQ(untested.at("entries").size(), 2U);
  const nlohmann::json tested = board(json, kShort);
  EXPECT_FALSE(tested.contains("contract_remarks"));
  EXPECT_EQ(tested.at("entries").size(), 1U);
}

TEST_F(StrictSweeps, ShowAndReportKnowItFromTheDatabase) {
  (void)sweep();
  const ProgramResult text = run({"show", "mean_share", "--db", database_.string()});
  EXPECT_THAT(text.out, HasSubstr(std::string("\nwarning: ") + kZerosPass));
  const ProgramResult json = run({"show", "mean_share", "--db", database_.string(), "--json"});
  EXPECT_EQ(board(nlohmann::json::parse(json.out), kLong).at("contract_remarks").size(), 3U);
  const ProgramResult report = run({"report", "--db", database_.string(), "--json"});
  for (const nlohmann::json& one : nlohmann::json::parse(report.out).at("boards"))
    EXPECT_EQ(one.at("contract_remarks").size(), one.at("problem_text") == kLong ? 3U : 0U);
}

TEST_F(StrictSweeps, AResumedSweepSaysItToo) {
  (void)sweep();
  const ProgramResult again = sweep();
  EXPECT_THAT(again.out, AllOf(HasSubstr("4 already known"),
                               HasSubstr(std::string("\nwarning: ") + kZerosPass)));
}

TEST_F(StrictSweeps, RefuseTheProblemAndGoOnWithOthers) {
  const nlohmann::json json = swept({"--strict"});
  EXPECT_EQ(json.at("sweep").at("statuses"),
            (nlohmann::json{{"invalid", 2}, {"ok", 1}, {"wrong_result", 1}}));
  const nlohmann::json failure = board(json, kLong).at("failures").at(0);
  EXPECT_EQ(failure.at("status"), "invalid");
  EXPECT_THAT(failure.at("example").get<std::string>(),
              AllOf(HasSubstr("zeros pass for output 'share': its largest expected value is "),
                    HasSubstr("(and 2 more like it); a strict contract refuses that: give the "
                              "output a smaller tolerance")));
  EXPECT_EQ(board(json, kShort).at("entries").size(), 1U);
}

TEST_F(StrictSweeps, EndWithOneWhereNothingIsLeft) {
  EXPECT_EQ(sweep({"--strict", "--set", "cols=4096"}).exit_code, 1);
}

TEST_F(StrictSweeps, RefuseWhatWasStoredBeforeAndTakeNothingAway) {
  EXPECT_EQ(swept().at("sweep").at("statuses"), (nlohmann::json{{"ok", 3}, {"wrong_result", 1}}));
  const nlohmann::json strict = swept({"--strict"});
  EXPECT_EQ(strict.at("sweep").at("statuses"),
            (nlohmann::json{{"invalid", 2}, {"ok", 1}, {"wrong_result", 1}}));
  // Two are refused because of their stored results, and the others stay valid.
  EXPECT_EQ(strict.at("sweep").at("resumed"), 2);
  EXPECT_EQ(strict.at("sweep").at("compiled"), 0);
  EXPECT_EQ(swept({"--strict"}).at("sweep").at("resumed"), 4);
  const nlohmann::json lenient = swept();
  EXPECT_EQ(lenient.at("sweep").at("statuses"), (nlohmann::json{{"ok", 3}, {"wrong_result", 1}}));
  EXPECT_EQ(lenient.at("sweep").at("resumed"), 2);
}

TEST_F(StrictSweeps, AContractMaySayIt) {
  edit("work:", "strict: true\nwork:");
  EXPECT_EQ(swept().at("sweep").at("statuses"),
            (nlohmann::json{{"invalid", 2}, {"ok", 1}, {"wrong_result", 1}}));
}

TEST_F(StrictSweeps, AContractMaySayWhereItIsRight) {
  edit("tolerance: {abs: 5e-3}",
       "tolerance: {abs: 5e-3}, accepts: {zeros_pass: cols > 100, mean_passes: cols > 100, "
       "other_seed_passes: cols > 100}");
  EXPECT_EQ(swept({"--strict"}).at("sweep").at("statuses"),
            (nlohmann::json{{"ok", 3}, {"wrong_result", 1}}));
}

TEST_F(StrictSweeps, ARightToleranceHasNoWarning) {
  edit("tolerance: {abs: 5e-3}", "tolerance: {rel: 1e-5}");
  const ProgramResult result = sweep({"--strict"});
  EXPECT_THAT(result.out + result.err, Not(HasSubstr("warning")));
  EXPECT_EQ(swept({"--strict"}).at("sweep").at("statuses"),
            (nlohmann::json{{"ok", 2}, {"wrong_result", 2}}));
}

TEST_F(StrictSweeps, VetWarnsAtTheContractsLine) {
  const ProgramResult result = vet();
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("mean_share/kernel.yaml:9: warning: zeros pass for output "
                                    "'share': its largest expected value is 0.000"));
  EXPECT_THAT(result.out, HasSubstr("mean_share: nothing found in 1 case of 2 configurations"));
  EXPECT_THAT(result.out, HasSubstr("; 3 warnings"));
  const nlohmann::json json = nlohmann::json::parse(vet({"--json"}).out);
  EXPECT_EQ(json.at("contract_remarks").at(0).at("here").at("line"), 9);
  EXPECT_EQ(json.at("vet").at("clean"), true);
}

TEST_F(StrictSweeps, StrictVettingFindsIt) {
  const ProgramResult result = vet({"--strict"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("mean_share/kernel.yaml:9: error: zeros pass for output"));
  EXPECT_THAT(result.out, HasSubstr("mean_share: 3 findings in 1 case"));
  EXPECT_EQ(vet({"--strict", "--case", "long"}).exit_code, 0);
}

}  // namespace
}  // namespace warpwright::testing
