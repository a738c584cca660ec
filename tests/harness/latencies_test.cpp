// Latencies from trials whose times are known.
#include "harness/calibrate/latencies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "support/stored_text.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;
using testing::set_text;

// A trial of 100 steps, `repeats` times.
Database::TrialRow latency_trial(const std::string& latency, int repeats, double us, int line = 0) {
  Database::TrialRow row;
  set_text(row.trial.problem, nlohmann::json{{"latency", latency}, {"steps", 100}}.dump());
  set_text(row.trial.parameters, nlohmann::json{{"LINE", line}, {"REPEATS", repeats}}.dump());
  row.trial.status = Status::kOk;
  row.trial.median_us = us;
  row.trial.protocol = "cold-graph-3";
  row.trial.configuration_text = latency + " REPEATS=" + std::to_string(repeats);
  return row;
}

std::map<std::string, double> values(const Latencies& latencies) {
  std::map<std::string, double> all;
  for (const CeilingRecord& figure : latencies.figures) all[figure.name] = figure.value;
  return all;
}

TEST(LatenciesFromTrials, WhatALaunchCostsCancels) {
  const Latencies found = latencies_from(
      {latency_trial("shared", 1, 7 + 1.2), latency_trial("shared", 5, 7 + 6)}, "now");
  EXPECT_THAT(values(found), ElementsAre(Pair("latency_shared", ::testing::DoubleNear(12, 1e-9))));
  EXPECT_EQ(found.figures[0].unit, "ns");
  EXPECT_EQ(found.figures[0].protocol, "cold-graph-3");
  EXPECT_EQ(found.figures[0].measured_utc, "now");
  EXPECT_FALSE(found.figures[0].ci_low.has_value());
}

TEST(LatenciesFromTrials, TheIntervalTakesTheWorstEndsOfBothTimes) {
  Database::TrialRow few = latency_trial("add", 1, 10), many = latency_trial("add", 5, 50);
  few.trial.ci_low_us = 9;
  few.trial.ci_high_us = 11;
  many.trial.ci_low_us = 48;
  many.trial.ci_high_us = 52;
  const Latencies found = latencies_from({many, few}, "now");
  ASSERT_EQ(found.figures.size(), 1U);
  EXPECT_DOUBLE_EQ(found.figures[0].value, 100);
  EXPECT_DOUBLE_EQ(*found.figures[0].ci_low, 1e3 * (48 - 11) / 400);
  EXPECT_DOUBLE_EQ(*found.figures[0].ci_high, 1e3 * (52 - 9) / 400);
}

TEST(LatenciesFromTrials, LinesOfL2AreDividedWhereTheirSpreadIsLeast) {
  std::vector<Database::TrialRow> rows;
  int line = 0;
  for (const double ns : {100, 131, 102, 135, 101, 138, 130}) {
    rows.push_back(latency_trial("l2", 1, 5 + 0.1 * ns, line));
    rows.push_back(latency_trial("l2", 5, 5 + 0.5 * ns, line++));
  }
  const std::map<std::string, double> found = values(latencies_from(rows, "now"));
  ASSERT_EQ(found.size(), 6U);
  EXPECT_NEAR(found.at("latency_l2"), 130, 1e-9);
  EXPECT_NEAR(found.at("latency_l2_near"), 101, 1e-9);
  EXPECT_NEAR(found.at("latency_l2_far"), 133, 1e-9);
  EXPECT_NEAR(found.at("latency_l2_nearest"), 100, 1e-9);
  EXPECT_NEAR(found.at("latency_l2_farthest"), 138, 1e-9);
  EXPECT_EQ(found.at("latency_l2_lines"), 7);
}

TEST(LatenciesFromTrials, TheClockIsTheMedianOfTheTrials) {
  std::vector<Database::TrialRow> rows = {latency_trial("add", 1, 10), latency_trial("add", 2, 20),
                                          latency_trial("add", 5, 50)};
  rows[0].trial.sm_clock_mhz = 1980;
  rows[1].trial.sm_clock_mhz = 1965;
  rows[2].trial.sm_clock_mhz = 1980;
  const Latencies found = latencies_from(rows, "now");
  ASSERT_EQ(found.figures.size(), 2U);
  EXPECT_EQ(found.figures[1].name, "latency_clock");
  EXPECT_EQ(found.figures[1].value, 1980);
  EXPECT_EQ(found.figures[1].unit, "MHz");
}

TEST(LatenciesFromTrials, OneNumberOfStepsIsNotEnough) {
  Database::TrialRow failed = latency_trial("memory", 5, 1);
  failed.trial.status = Status::kTimeout;
  failed.trial.reason = "no end";
  const Latencies found =
      latencies_from({latency_trial("l1", 1, 10), latency_trial("memory", 1, 10), failed}, "now");
  EXPECT_TRUE(found.figures.empty());
  ASSERT_EQ(found.missing.size(), 2U);
  EXPECT_EQ(found.missing[0].name, "latency_l1");
  EXPECT_EQ(found.missing[0].reason, "fewer than two numbers of steps were timed");
  EXPECT_EQ(found.missing[1].reason, "timeout: no end (memory REPEATS=5)");
}

TEST(LatenciesFromTrials, AStepThatTakesNoTimeIsNoLatency) {
  const Latencies found =
      latencies_from({latency_trial("add", 1, 10), latency_trial("add", 5, 9.9)}, "now");
  EXPECT_TRUE(found.figures.empty());
  ASSERT_EQ(found.missing.size(), 1U);
  EXPECT_EQ(found.missing[0].reason, "the time did not grow with the steps");
}

TEST(LatencyOf, NamesTheChoiceOfAProblem) {
  EXPECT_EQ(latency_of(Problem{{"latency", Value("sync_128")}}), "latency_sync_128");
  EXPECT_EQ(latency_of(Problem{{"n", Value(1)}}), "");
}

}  // namespace
}  // namespace warpwright
