#include "exchange/trial_table.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exchange/sample_database.h"
#include "output/golden.h"
#include "support/stored_text.h"

namespace warpwright::testing {
namespace {

class TrialTable : public DatabaseTest {
 protected:
  ExportRequest request(bool all_trials = false) {
    if (!database_) database_.emplace(path_, OpenMode::kReadOnly);
    ExportRequest request{.database = *database_,
                          .kernel = "softmax_topk",
                          .boards = make_leaderboards(database_->trials({.with_samples = true}),
                                                      database_->rankings({}))};
    if (all_trials)
      request.all_trials = database_->trials({.newest_per_key = false, .with_samples = true});
    return request;
  }
  std::optional<Database> database_;
};

TEST_F(TrialTable, CsvHasALinePerTrialInTheOrderOfTheBoard) {
  {
    SampleDatabase a(path_);
    const RowId slow = a.add(128, 12.5, 1);
    const RowId fast = a.add(256, 10, 2);
    a.add_failed(512, Status::kCompileFailed, 3);
    a.rank({fast, slow}, 9.5, 4);
  }
  const std::vector<ExportFile> files = export_csv(request());
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0].name, "softmax_topk.csv");
  expect_golden("trials.csv", files[0].content);
}

TEST(TrialTableReadme, HasALineForEveryFigure) {
  const std::string readme =
      bytes_of(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "tuner/exchange/README.md");
  for (const TrialFigure& figure : kTrialFigures)
    EXPECT_THAT(readme, ::testing::HasSubstr(
                            fmt::format("\n| `{}` | {} |\n", figure.name, figure.meaning)));
}

TEST_F(TrialTable, CsvQuotesWhatRfc4180Asks) {
  {
    SampleDatabase a(path_);
    TrialRecord trial = sample_trial();
    trial.status = Status::kCompileFailed;
    trial.median_us = std::nullopt;
    trial.reason = "line 1: \"x\", bad\nline 2\r\n\xff";
    a.database().add_trial(trial);
  }
  EXPECT_NE(export_csv(request())[0].content.find(
                ",compile_failed,\"line 1: \"\"x\"\", bad\nline 2\r\n\xff\",true,"),
            std::string::npos);
}

TEST_F(TrialTable, JsonIsAListOfObjectsWithEqualKeysAndRawSamples) {
  {
    SampleDatabase a(path_);
    a.add(128, 12.5, 1);
    TrialRecord other = sample_trial();
    other.key = "other";
    other.status = Status::kHazard;
    other.reason = "not \xff UTF-8";
    other.median_us = std::nullopt;
    other.samples_us.clear();
    set_text(other.parameters, R"({"WARPS":4,"name":"x"})");
    other.configuration_text = "threshold WARPS=4 name=x";
    a.database().add_trial(other);
  }
  const nlohmann::json rows = nlohmann::json::parse(export_json(request())[0].content);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["samples_us"], nlohmann::json::array({12.5, 12.75}));
  EXPECT_EQ(rows[0]["parameter.THREADS"], 128);
  EXPECT_EQ(rows[0]["parameter.WARPS"], nullptr);
  EXPECT_EQ(rows[0]["problem.rows"], 8192);
  EXPECT_EQ(rows[1]["parameter.WARPS"], 4);
  EXPECT_EQ(rows[1]["median_us"], nullptr);
  EXPECT_EQ(rows[1]["rank"], nullptr);
  EXPECT_EQ(rows[0].size(), rows[1].size());
}

TEST_F(TrialTable, AllTrialsAreInTheOrderStoredAndSayWhichCount) {
  {
    SampleDatabase a(path_);
    a.add(128, 12.5, 1);
    a.add(128, 11, 2);
  }
  const nlohmann::json rows = nlohmann::json::parse(export_json(request(true))[0].content);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0]["counts"], false);
  EXPECT_EQ(rows[0]["rank"], nullptr);
  EXPECT_EQ(rows[0]["median_us"], 12.5);
  EXPECT_EQ(rows[1]["counts"], true);
  EXPECT_EQ(rows[1]["rank"], 1);
}

TEST_F(TrialTable, AConfigurationThatIsNoObjectIsReported) {
  {
    SampleDatabase a(path_);
    TrialRecord trial = sample_trial();
    set_text(trial.parameters, "[1]");
    a.database().add_trial(trial);
  }
  EXPECT_EQ(message_of([&] { static_cast<void>(export_csv(request())); }),
            "trial 1: its configuration is not JSON: [1]; measure it again with --fresh");
}

TEST(ExportFileName, HoldsNothingThatAFileNameShouldNot) {
  EXPECT_EQ(export_file_name({"softmax", "NVIDIA H200", "", "rows=8 / V=\"é\""}),
            "softmax-NVIDIA_H200-rows_8___V_____");
  EXPECT_EQ(export_file_name({"../x"}), "_.._x");
  EXPECT_EQ(export_file_name({"", ""}), "_");
}

}  // namespace
}  // namespace warpwright::testing
