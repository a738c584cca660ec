// Metrics of one stored trial, and its judgement by a goal.
#include "metrics/trial_metrics.h"

#include <gtest/gtest.h>

#include <limits>

#include "spec/metric_table.h"

namespace warpwright {
namespace {

DeviceInfo hopper() {
  DeviceInfo device;
  device.warp_size = 32;
  device.sm_count = 132;
  device.max_threads_per_sm = 2048;
  device.max_blocks_per_sm = 32;
  device.registers_per_sm = 65536;
  device.shared_per_sm = 233472;
  return device;
}

TrialRecord timed_trial() {
  TrialRecord trial;
  trial.variant = "tiled";
  trial.problem = Problem{{"n", 1000}, {"dtype", "f32"}};
  trial.parameters = ParameterValues{{"THREADS", 256}};
  trial.median_us = 100;
  trial.ci_low_us = 98;
  trial.ci_high_us = 104;
  trial.work_bytes = 4e8;
  trial.work_flops = 2e9;
  trial.sm_clock_mhz = 1980;
  EntryResources entry;
  entry.registers = 40;
  entry.static_shared = 1024;
  entry.dynamic_shared = 2048;
  entry.stack = 8;
  entry.spill_stores = 4;
  entry.spill_loads = 4;
  entry.block_threads = 256;
  trial.resources = TrialResources{entry};
  TrialMeasurement measurement;
  measurement.energy_mj_per_launch = 50;
  measurement.power_w = 500;
  trial.measurement = measurement;
  trial.errors = std::vector<OutputError>{{"y", 10, 0, 1e-6, 2e-5, 0.5}};
  return trial;
}

MetricValue value_in(const TrialRecord& trial, const std::string& text) {
  const DeviceInfo device = hopper();
  return TrialMetrics(trial, &device).value(Expr::parse(text));
}

TEST(TrialMetrics, EveryBuiltInMetricOfACompleteTrialIsKnown) {
  for (const BuiltInMetric& metric : built_in_metrics()) {
    const MetricValue value = value_in(timed_trial(), std::string(metric.name));
    EXPECT_TRUE(value.value.has_value()) << metric.name << ": " << value.why;
  }
}

TEST(TrialMetrics, AreWhatTheTrialHolds) {
  const auto value = [](const char* text) { return value_in(timed_trial(), text).value; };
  EXPECT_EQ(value("time_us"), 100);
  EXPECT_EQ(value("gbs"), 4000);
  EXPECT_EQ(value("gflops"), 20000);
  EXPECT_EQ(value("energy_j"), 0.05);
  EXPECT_DOUBLE_EQ(*value("edp"), 0.05 * 100e-6);
  EXPECT_EQ(value("shared_bytes"), 3072);
  EXPECT_EQ(value("local_bytes"), 8);
  EXPECT_EQ(value("spill_bytes"), 8);
  EXPECT_EQ(value("max_rel_error"), 2e-5);
  EXPECT_EQ(value("THREADS * n + device.sm_count"), 256132);
  EXPECT_EQ(value("dtype == 'f32' ? 1 : 2"), 1);
}

TEST(TrialMetrics, EnergyIsOfOneUnitAsTheTimeIs) {
  TrialRecord trial = timed_trial();
  TrialMeasurement measurement = *trial.measurement;
  measurement.units = 10;
  trial.measurement = measurement;
  EXPECT_DOUBLE_EQ(*value_in(trial, "energy_j").value, 0.005);
}

TEST(TrialMetrics, WhatIsNotKnownHasAReason) {
  TrialRecord old = timed_trial();
  old.measurement = {};
  const auto why = [](const TrialRecord& trial, const char* text) {
    const MetricValue value = value_in(trial, text);
    EXPECT_FALSE(value.value.has_value()) << text;
    return value.why;
  };
  EXPECT_EQ(why(old, "2 * energy_j"), "energy_j was not measured");
  EXPECT_EQ(why(old, "STAGES"), "STAGES is not a parameter of variant 'tiled'");
  old.resources = {};
  EXPECT_EQ(why(old, "registers"), "registers is not stored with the trial");
  TrialRecord failed = timed_trial();
  failed.status = Status::kCrashed;
  EXPECT_EQ(why(failed, "time_us"), "time_us is not known of a trial that is crashed");
  TrialRecord modelled = timed_trial();
  modelled.modelled = true;
  EXPECT_EQ(why(modelled, "time_low_us"), "time_low_us is not known");
}

TEST(TrialMetrics, FaultsAndWhatIsNotFiniteAreReasonsToo) {
  EXPECT_EQ(value_in(timed_trial(), "time_us / (registers - 40)").why,
            "division by zero in \"time_us / (registers - 40)\" with time_us=100.0 registers=40");
  EXPECT_FALSE(value_in(timed_trial(), "sqrt(40 - 2 * registers)").value.has_value());
  EXPECT_FALSE(value_in(timed_trial(), "1e300 * 1e300 * time_us").value.has_value());
  EXPECT_EQ(value_in(timed_trial(), "dtype").why, "dtype is text, not a number");
  TrialRecord wild = timed_trial();
  wild.errors =
      std::vector<OutputError>{{"y", 1, 0, std::numeric_limits<double>::infinity(), 0, 0}};
  EXPECT_EQ(value_in(wild, "max_abs_error").why, "max_abs_error is inf, not a finite number");
}

TEST(TrialMetrics, TheTimesIntervalIsPassedOnWhereThatIsTrivial) {
  const MetricValue scaled = value_in(timed_trial(), "2 * time_us + registers");
  EXPECT_EQ(scaled.low, 236);
  EXPECT_EQ(scaled.high, 248);
  const MetricValue rate = value_in(timed_trial(), "gbs");
  EXPECT_NEAR(*rate.low, 4e8 / 104 / 1e3, 1e-9);
  EXPECT_NEAR(*rate.high, 4e8 / 98 / 1e3, 1e-9);
  EXPECT_FALSE(value_in(timed_trial(), "time_us * energy_j").low.has_value());
  EXPECT_FALSE(value_in(timed_trial(), "registers").low.has_value());
}

TEST(FollowsTime, OnlyWhatPlainlyDoes) {
  for (const char* text : {"time_us", "-time_us", "3 * time_us - n", "n / time_us",
                           "n / (2 * time_us) + 1", "gflops / registers", "1 / (n / time_us)"})
    EXPECT_TRUE(follows_time(Expr::parse(text))) << text;
  for (const char* text :
       {"registers", "time_us * time_us", "time_us * energy_j", "1 / (100 - time_us)",
        "abs(time_us - 100)", "time_us > 5 ? 1 : 2", "energy_j", "time_us % 3", "min(time_us, 3)"})
    EXPECT_FALSE(follows_time(Expr::parse(text))) << text;
}

TEST(Occupancy, IsLimitedByThreadsRegistersSharedMemoryOrBlocks) {
  EntryResources entry;
  entry.registers = 32;
  entry.static_shared = 0;
  entry.block_threads = 256;
  const DeviceInfo device = hopper();
  EXPECT_EQ(occupancy(entry, device), 1);
  entry.registers = 64;
  EXPECT_EQ(occupancy(entry, device), 0.5);
  entry.registers = 255;
  EXPECT_EQ(occupancy(entry, device), 0.125);
  entry.registers = 32;
  entry.dynamic_shared = 100'000;
  EXPECT_EQ(occupancy(entry, device), 0.25);
  entry.dynamic_shared = 0;
  entry.block_threads = 32;
  EXPECT_EQ(occupancy(entry, device), 0.5);
  entry.block_threads = {};
  EXPECT_EQ(occupancy(entry, device), std::nullopt);
}

GoalSpec goal_of(const GoalRecord& record) { return restore_goal(draft_of(record)); }

TEST(Judgement, CostsAreLowForWhatIsGood) {
  GoalRecord record;
  record.objectives = {{"time", false}, {"gflops", true}};
  const DeviceInfo device = hopper();
  const Judgement judged = judge(goal_of(record), TrialMetrics(timed_trial(), &device));
  EXPECT_EQ(judged.costs, (std::vector<double>{100, -20000}));
}

TEST(Judgement, WhatBreaksARequirementCannotWin) {
  GoalRecord record;
  const DeviceInfo device = hopper();
  const auto reason = [&](const std::string& requirement) -> std::string {
    record.requirements = {"time_us < 1000", requirement};
    const Judgement judged = judge(goal_of(record), TrialMetrics(timed_trial(), &device));
    EXPECT_EQ(judged.costs.empty(), judged.violation.has_value());
    return judged.violation ? judged.violation->reason() : "";
  };
  EXPECT_EQ(reason("registers <= 128"), "");
  EXPECT_EQ(reason("registers <= 32"), "violates registers <= 32: 40");
  EXPECT_EQ(reason("128 > 4 * registers"), "violates 128 > 4 * registers: 160");
  EXPECT_EQ(reason("registers < local_bytes"), "violates registers < local_bytes: 40, 8");
  EXPECT_EQ(reason("energy_j < 0.01"), "violates energy_j < 0.01: 0.05");
  EXPECT_EQ(reason("registers == 1 || THREADS == 2"),
            "violates registers == 1 || THREADS == 2: registers=40, THREADS=256");
  EXPECT_EQ(reason("1 / (registers - 40) > 0"),
            "violates 1 / (registers - 40) > 0: division by zero in \"1 / (registers - 40) > 0\" "
            "with registers=40");
}

TEST(Judgement, BeforeARunOnlyTheCompiledCodeDecides) {
  GoalRecord record;
  record.requirements = {"time_us < 1", "registers < 10"};
  TrialRecord compiled = timed_trial();
  compiled.status = Status::kViolates;
  compiled.median_us = {};
  const DeviceInfo device = hopper();
  const auto violation =
      find_violation(goal_of(record), TrialMetrics(compiled, &device), MetricNeeds::kCompiler);
  ASSERT_TRUE(violation.has_value());
  EXPECT_EQ(violation->reason(), "violates registers < 10: 40");
}

TEST(StoredGoal, ComesBackAsItWas) {
  GoalRecord record;
  record.kernel = "square";
  record.metrics = {{"b", "2 * a"}, {"a", "time_us"}};
  record.objectives = {{"b", true}};
  record.requirements = {"a < 7"};
  const GoalRecord again = goal_record(draft_of(record), "square");
  EXPECT_EQ(again.metrics, record.metrics);
  EXPECT_EQ(again.objectives, record.objectives);
  EXPECT_EQ(again.requirements, record.requirements);
}

}  // namespace
}  // namespace warpwright
