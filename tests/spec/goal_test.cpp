// Tests the goal of a sweep: expanded metrics, objectives and requirements.
#include "spec/goal.h"

#include <gmock/gmock.h>

#include "core/files.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;

GoalSpec goal_of(const std::string& yaml) {
  const SweepSpec sweep = parse_sweep(
      "kernel: softmax_topk\nproblems: [{rows: 1, V: 10, K: 1}]\n" + yaml, "sweep.yaml");
  return resolve_goal(sweep.goal, goal_names(fixture_kernel()));
}

TEST(Goal, NothingSaidIsAShortTime) {
  const GoalSpec goal = goal_of("");
  EXPECT_TRUE(goal.plain());
  EXPECT_TRUE(goal.may_prune());
  EXPECT_FALSE(goal.uses_energy());
  EXPECT_TRUE(goal_of("objective: time\n").plain());
  EXPECT_TRUE(goal_of("objective: [time_us]\n").plain());
}

TEST(Goal, MetricsMayUseEachOtherInAnyOrder) {
  const GoalSpec goal = goal_of("metrics: {b: a * THREADS, a: energy / 2}\nobjective: b\n");
  EXPECT_EQ(goal.metrics.at(0).name, "b");
  EXPECT_EQ(goal.objectives.at(0).name, "b");
  EXPECT_EQ(goal.objectives.at(0).expr.to_string(), "energy_j / 2 * THREADS");
  EXPECT_TRUE(goal.uses_energy());
  EXPECT_NE(goal.decided_by_energy(), nullptr);
}

TEST(Goal, ObjectivesAreAWordAnExpressionAMaximumOrSeveral) {
  EXPECT_EQ(goal_of("objective: edp\n").objectives.at(0).expr.to_string(), "edp");
  const GoalSpec most = goal_of("objective: {maximize: gflops / registers}\n");
  EXPECT_EQ(most.objectives.at(0).title(), "maximize gflops / registers");
  EXPECT_FALSE(most.by_time());
  const GoalSpec both = goal_of("objective: [time, {maximize: occupancy}]\n");
  EXPECT_TRUE(both.has_front());
  EXPECT_FALSE(both.by_time());
  EXPECT_TRUE(both.objectives.at(1).maximize);
  EXPECT_FALSE(goal_of("objective: {maximize: time}\n").by_time());
}

TEST(Goal, RequirementsOfTheCompiledCodeLeavePruningAlone) {
  EXPECT_TRUE(
      goal_of("require: [registers <= 128, local_bytes == 0, THREADS < 512]\n").may_prune());
  EXPECT_FALSE(goal_of("require: max_abs_error < 1e-6\n").may_prune());
  EXPECT_FALSE(goal_of("require: time_us > 3\n").may_prune());
  EXPECT_FALSE(goal_of("objective: energy\n").may_prune());
}

TEST(Goal, TextIsComparedAndConditionsAreMetrics) {
  EXPECT_EQ(goal_of("metrics: {a: \"dtype == 'f32' ? time_us : 2 * time_us\"}\n").metrics.size(),
            1U);
}

TEST(Goal, ObjectivesOfTheCommandLine) {
  EXPECT_FALSE(parse_objective("energy", {"--objective"}).maximize);
  const GoalDraft::Objective most = parse_objective(" maximize: gflops", {"--objective"});
  EXPECT_TRUE(most.maximize);
  EXPECT_EQ(most.expr.text(), "gflops");
  EXPECT_FALSE(parse_objective("THREADS > 2 ? 1 : 2", {"--objective"}).maximize);
  EXPECT_EQ(message_of([] { (void)parse_objective("maximize:", {"--objective"}); }),
            "--objective: empty expression in \"\"\n  \n  ^");
}

// The table in the README must match the program's.
TEST(Goal, ThePageNamesEveryMetric) {
  const std::string page = read_file(WARPWRIGHT_SOURCE_DIR "/tuner/spec/README.md");
  for (const BuiltInMetric& metric : built_in_metrics()) {
    const std::string unit = metric.unit.empty() ? "" : ", " + std::string(metric.unit);
    EXPECT_NE(page.find("| `" + std::string(metric.name) + "`" + unit + " | " +
                        std::string(metric.doc) + " |"),
              std::string::npos)
        << metric.name;
  }
}

}  // namespace
}  // namespace warpwright
