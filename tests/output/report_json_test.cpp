#include "output/report/report_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "output/json/json_values.h"
#include "output/sample_boards.h"
#include "support/stored_text.h"

namespace warpwright {
namespace {

using testing::set_text;

using Json = nlohmann::json;
using ::testing::ElementsAre;
using testing::measured_ranking;
using testing::measured_rows;
using testing::modelled_rows;
using testing::RowMaker;

ReportSource source_of(const std::vector<Database::TrialRow>& rows,
                       const std::vector<Database::RankingRow>& rankings = {}) {
  ReportSource source;
  source.name = "results.db";
  source.trials = rows.size();
  source.boards = make_leaderboards(rows, rankings);
  for (const Database::TrialRow& row : rows) {
    DeviceRecord device;
    device.fingerprint = row.device_fingerprint;
    device.id = row.device_id;
    device.name = row.device_name;
    device.has_clock = row.device_has_clock;
    set_text(device.details, R"({"sm_count":132})");
    source.devices = {{1, device}};
    source.summaries[row.kernel_name] = "what it does";
  }
  return source;
}

Json report_of(const std::vector<ReportSource>& sources, const ReportLimits& limits = {}) {
  return report_json(sources, {.program = "warpwright 1", .made_utc = "now", .limits = limits});
}

// A timed row whose configuration is JSON, as from a database.
Database::TrialRow configured(RowMaker& make, const std::string& variant, const std::string& json,
                              double us) {
  Database::TrialRow row = make.ok(variant, json, us);
  set_text(row.trial.parameters, json);
  return row;
}

TEST(ReportJson, NothingAtAll) {
  const Json report = report_of({});
  EXPECT_EQ(report["boards"], Json::array());
  EXPECT_EQ(report["devices"], Json::array());
  EXPECT_EQ(report["left_out"], Json::array());
  EXPECT_EQ(report["schema"], 1);
}

TEST(ReportJson, ADatabaseWithoutTrialsIsNamed) {
  ReportSource source;
  source.name = "empty.db";
  const Json report = report_of({source});
  EXPECT_EQ(report["databases"][0]["name"], "empty.db");
  EXPECT_EQ(report["boards"], Json::array());
}

TEST(ReportJson, EntriesLieInColumnsOfOneLength) {
  RowMaker make;
  const Json board = report_of({source_of(measured_rows(make))})["boards"][0];
  for (const auto& [name, column] : board["entries"].items()) {
    if (name != "values") {
      EXPECT_EQ(column.size(), 6U) << name;
    }
  }
  EXPECT_EQ(board["entries"]["rank"], Json({1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(board["entries"]["us"][0], 372.1);
  EXPECT_EQ(board["untimed"]["trial"].size(), 4U);
}

TEST(ReportJson, ValuesAreIndicesInOrderOfSize) {
  RowMaker make;
  const std::vector<Database::TrialRow> rows = {
      configured(make, "b", R"({"T":1024,"hint":"none"})", 1),
      configured(make, "b", R"({"T":64,"hint":"all"})", 2),
      configured(make, "a", R"({"T":128})", 3)};
  const Json board = report_of({source_of(rows)})["boards"][0];
  EXPECT_EQ(board["variants"], Json({"a", "b"}));
  EXPECT_EQ(board["parameters"][0], Json({{"name", "T"}, {"values", {64, 128, 1024}}}));
  EXPECT_EQ(board["parameters"][1], Json({{"name", "hint"}, {"values", {"all", "none"}}}));
  EXPECT_EQ(board["entries"]["variant"], Json({1, 1, 0}));
  EXPECT_EQ(board["entries"]["values"][0], Json({2, 0, 1}));
  EXPECT_EQ(board["entries"]["values"][1], Json({1, 0, -1}));  // variant a has no hint
}

TEST(ReportJson, OnlyFailures) {
  RowMaker make;
  const Json board =
      report_of({source_of({make.failed("a", "", Status::kTimeout, "too long"),
                            make.failed("b", "", Status::kCrashed, "signal 11")})})["boards"][0];
  EXPECT_EQ(board["entries"]["trial"], Json::array());
  EXPECT_EQ(board["counts"]["failed"], 2);
  EXPECT_EQ(board["counts"]["ranked"], 0);
  EXPECT_EQ(board["counts"]["tied"], 0);
  EXPECT_EQ(board["failures"].size(), 2U);
  EXPECT_TRUE(board["limit"].is_null());
  EXPECT_TRUE(board["ranking"].is_null());
}

TEST(ReportJson, RemarksTellWhatPassedAllTheSame) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = {configured(make, "a", R"({"T":64})", 1),
                                          configured(make, "a", R"({"T":128})", 2)};
  set_text(
      rows[0].trial.measurement,
      R"({"hazards":[{"kind":"shared race","text":"case 'odd': a race"}],"warnings":["a.cu:1: w"]})");
  set_text(rows[1].trial.measurement, R"({"warnings":["a.cu:1: w"]})");
  const Json board = report_of({source_of(rows)})["boards"][0];
  EXPECT_EQ(board["remarks"],
            Json({{{"about", "checkers"}, {"text", "case 'odd': a race"}, {"configurations", 1}},
                  {{"about", "compiler"}, {"text", "a.cu:1: w"}, {"configurations", 2}}}));
}

TEST(ReportJson, ContractRemarksAreThereWithTheirTexts) {
  RowMaker make;
  ReportSource source = source_of({make.ok("a", "{}", 1)});
  EXPECT_EQ(report_of({source})["boards"][0]["contract_remarks"], Json::array());
  source.boards.at(0).contract_remarks.resize(1);
  source.boards[0].contract_remarks[0].code = RemarkCode::kInputUnused;
  source.boards[0].contract_remarks[0].input = "w";
  const Json remark = report_of({source})["boards"][0]["contract_remarks"][0];
  EXPECT_EQ(remark["code"], "input_unused");
  EXPECT_EQ(remark["text"],
            "input 'w' does not matter: another seed's content of it changes no expected value");
}

TEST(ReportJson, SecondsAreSummedByWhatForAndNotCountedTwice) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = {configured(make, "a", R"({"T":64})", 1),
                                          configured(make, "a", R"({"T":128})", 2),
                                          make.failed("b", "", Status::kWrongResult, "off")};
  set_text(rows[0].trial.measurement, R"({"case_seconds":1,"input_seconds":0.5})");
  for (Database::TrialRow& row : rows) {
    row.trial.compile_seconds = 4;
    row.trial.validate_seconds = 2;
    row.trial.measure_seconds = 0.25;
  }
  rows[1].trial.same_as = rows[0].trial.id;
  const Json board = report_of({source_of(rows)})["boards"][0];
  EXPECT_EQ(board["seconds"], Json({{"compiling", 8},
                                    {"cases", 1},
                                    {"inputs", 0.5},
                                    {"validation", 2.5},
                                    {"samples", 0.5}}));
}

TEST(ReportJson, WhatIsNotFiniteIsNull) {
  RowMaker make;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<Database::TrialRow> rows = {make.ok("a", "", 2), make.ok("b", "", infinity)};
  rows[0].trial.ci_high_us = nan;
  rows[0].trial.floor_us = nan;
  rows[0].trial.work_bytes = infinity;
  ReportSource source = source_of(rows);
  source.samples_us[rows[0].trial.id] = {1.5, nan, infinity};
  const Json report = report_of({source});
  const Json& board = report["boards"][0];
  EXPECT_TRUE(board["entries"]["high"][0].is_null());
  EXPECT_EQ(board["entries"]["us"].size(), 1U) << "what has no time is not ranked";
  EXPECT_EQ(board["samples"][0]["us"], Json({1.5, nullptr, nullptr}));
  EXPECT_TRUE(board["work"]["bytes"].is_null());
  EXPECT_EQ(report.dump().find("nan"), std::string::npos);
}

TEST(ReportJson, AModelledTimeHasNoInterval) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = modelled_rows(make);
  rows[0].trial.ci_low_us = rows[0].trial.ci_high_us = 2.75;
  const Json board = report_of({source_of(rows)})["boards"][0];
  EXPECT_EQ(board["kind"], "modelled");
  EXPECT_TRUE(board["entries"]["low"][0].is_null());
}

TEST(ReportJson, AFinalistKeepsWhatTheSearchSaw) {
  RowMaker make;
  const std::vector<Database::TrialRow> rows = measured_rows(make);
  const Json board = report_of({source_of(rows, {measured_ranking(make, rows)})})["boards"][0];
  EXPECT_EQ(board["entries"]["us"][0], 370.9);
  EXPECT_EQ(board["entries"]["screened"][0], 381.9);
  EXPECT_TRUE(board["entries"]["screened"][4].is_null());
  EXPECT_EQ(board["ranking"]["finalists"].size(), 4U);
  EXPECT_EQ(board["ranking"]["headline"]["slope"]["us"], 365.2);
  EXPECT_TRUE(board["ranking"]["finalists"][0]["p"].is_null());
}

TEST(ReportJson, OfTooManyItKeepsTheBestHalfAndSaysSo) {
  RowMaker make;
  std::vector<Database::TrialRow> rows;
  for (int i = 0; i < 25; ++i) rows.push_back(make.ok("a", "T=" + std::to_string(i), 10.0 + i));
  const Json report = report_of({source_of(rows)}, {.configurations = 10, .fewest_per_board = 10});
  const Json& board = report["boards"][0];
  EXPECT_EQ(board["entries"]["rank"], Json({1, 2, 3, 4, 5, 6, 10, 15, 20, 25}));
  EXPECT_EQ(board["entries"]["order"], board["entries"]["rank"]);  // counted over all of them
  EXPECT_EQ(board["counts"]["ranked"], 25);
  EXPECT_EQ(board["counts"]["left_out"], 15);
  EXPECT_THAT(report["left_out"],
              ElementsAre("softmax_topk rows=8192 V=50257 K=10 dtype=f32: 15 of 25 configurations "
                          "are left out of this page: of more than 10 it keeps the best half and "
                          "an even sample of the rest"));
}

TEST(ReportJson, LongSeriesOfSamplesAreTakenEvenly) {
  RowMaker make;
  const auto row = make.ok("a", "", 5);
  ReportSource source = source_of({row});
  for (int i = 0; i < 101; ++i) source.samples_us[row.trial.id].push_back(i);
  const Json samples = report_of({source}, {.samples = 5})["boards"][0]["samples"][0];
  EXPECT_EQ(samples["us"], Json({0, 25, 50, 75, 100}));
  EXPECT_EQ(samples["taken"], 101);
}

TEST(ReportJson, ADeviceOfTwoDatabasesIsThereOnceWithTheCeilingsOfEither) {
  RowMaker make;
  const ReportSource first = source_of(measured_rows(make));
  ReportSource second = first;
  const std::string fingerprint = second.devices[0].second.fingerprint;
  CeilingRecord ceiling;
  ceiling.name = "read";
  ceiling.value = 4430;
  second.roofs[fingerprint].ceilings["read"] = ceiling;
  const Json report = report_of({first, second});
  ASSERT_EQ(report["devices"].size(), 1U);
  EXPECT_EQ(report["devices"][0]["ceilings"][0]["value"], 4430);
  EXPECT_EQ(report["boards"].size(), 2U);
  EXPECT_EQ(report["boards"][1]["database"], 1);
  EXPECT_EQ(report["boards"][1]["device"], 0);
}

TEST(ReportJson, EveryRunThatTimedABoardIsInItsHistory) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = {make.ok("a", "T=1", 5), make.ok("a", "T=2", 4),
                                          make.ok("a", "T=1", 3)};
  rows[0].trial.run = rows[1].trial.run = 1;
  rows[2].trial.run = 2;
  ReportSource source = source_of(rows);
  source.history = RunHistories(rows, {});
  const Json history = report_of({source})["boards"][0]["history"];
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0], Json({{"run", 1},
                              {"trial", 2},
                              {"us", 4},
                              {"low", 3.6},
                              {"high", 4.4},
                              {"timed", 2},
                              {"ranked", false},
                              {"configuration", "a T=2"}}));
  EXPECT_EQ(history[1]["us"], 3);
}

TEST(ReportJson, ADamagedConfigurationNamesItsTrial) {
  RowMaker make;
  std::vector<Database::TrialRow> rows = {make.ok("a", "", 1)};
  set_text(rows[0].trial.parameters, "{THREADS");
  try {
    static_cast<void>(report_of({source_of(rows)}));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "trial 1: its configuration is not JSON: {THREADS; measure it again with --fresh");
  }
}

TEST(ShortNumber, SixDigitsAndNoPointOnWholeNumbers) {
  EXPECT_EQ(short_number(4.08000010065734).dump(), "4.08");
  EXPECT_EQ(short_number(123456.789).dump(), "123457");
  EXPECT_EQ(short_number(1647476736.0).dump(), "1647480000");
  EXPECT_EQ(short_number(48.0).dump(), "48");
  EXPECT_EQ(short_number(1e300).dump(), "1e+300");
  EXPECT_EQ(short_number(std::optional<double>()).dump(), "null");
}

TEST(Spread, FirstAndLastAreAmongThoseKept) {
  EXPECT_THAT(spread(4, 10), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(spread(101, 3), ElementsAre(0, 50, 100));
  EXPECT_THAT(spread(9, 1), ElementsAre(0));
  EXPECT_THAT(spread(9, 0), ElementsAre());
  EXPECT_THAT(best_and_spread(100, 6), ElementsAre(0, 1, 2, 3, 51, 99));
}

TEST(Shortened, CutsBetweenCharacters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("aµb", 2), "a…");
}

}  // namespace
}  // namespace warpwright
