// Tests invalid `metrics`, `objective` and `require` sections: each produces one message.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

// The lines that precede each text; the text therefore begins on line 3.
constexpr std::string_view kGoalErrorsHeader =
    R"(kernel: softmax_topk
problems: [{rows: 1, V: 10, K: 1}]
)";

class GoalErrors : public testing::TestWithParam<BadText> {};

TEST_P(GoalErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(checked_message(std::string(kGoalErrorsHeader).append(GetParam().text)),
            GetParam().message);
}

const BadText kGoalErrors[] = {
    {"ObjectiveUnknown", "objective: enrgy\n",
     "sweep.yaml:3:12: unknown metric 'enrgy' in \"enrgy\"; did you mean 'energy'?\n"
     "  enrgy\n"
     "  ^"},
    {"RequirementUnknown", "require: [\"registrs <= 128\"]\n",
     "sweep.yaml:3:12: unknown metric 'registrs' in \"registrs <= 128\"; did you mean "
     "'registers'?\n"
     "  registrs <= 128\n"
     "  ^"},
    {"MetricUnknown", "metrics: {cost: time_us * THREDS}\n",
     "sweep.yaml:3:27: unknown metric 'THREDS' in \"time_us * THREDS\"; did you mean 'THREADS'?\n"
     "  time_us * THREDS\n"
     "            ^"},
    {"MetricNeedsItself", "metrics: {a: a + 1}\n",
     "sweep.yaml:3:11: metric 'a' needs itself: a -> a; write one of them without the other"},
    {"MetricsInACircle", "metrics: {a: b, b: c + 1, c: 2 * a}\n",
     "sweep.yaml:3:11: metric 'a' needs itself: a -> b -> c -> a; write one of them without the "
     "other"},
    {"MetricNamedAsParameter", "metrics: {THREADS: time_us}\n",
     "sweep.yaml:3:11: metrics: 'THREADS' is a parameter of kernel 'softmax_topk'; choose another "
     "name"},
    {"MetricNamedAsSize", "metrics: {rows: time_us}\n",
     "sweep.yaml:3:11: metrics: 'rows' is a problem size of kernel 'softmax_topk'; choose another "
     "name"},
    {"MetricNamedAsBuiltIn", "metrics: {registers: time_us}\n",
     "sweep.yaml:3:11: metrics: 'registers' is a metric that every trial has; choose another name"},
    {"MetricNamedAsFunction", "metrics: {min: time_us}\n",
     "sweep.yaml:3:11: metrics: 'min' cannot be a name: it is a built-in function; choose another"},
    {"MetricTwice", "metrics: {a: time_us, a: registers}\n",
     "sweep.yaml:3:23: duplicate key 'a', first given on line 3; keep one"},
    {"MetricsEmpty", "metrics: {}\n",
     "sweep.yaml:3:10: metrics: got an empty map, expected at least one metric; remove it"},
    {"MetricsList", "metrics: [time_us]\n", "sweep.yaml:3:10: metrics: got a list, expected a map"},
    {"ObjectiveText", "objective: dtype\n",
     "sweep.yaml:3:12: dtype in \"dtype\" is text, expected a number; compare it, as in `dtype == "
     "'value'`"},
    {"MetricOfText", "metrics: {a: \"time_us + 'x'\"}\n",
     "sweep.yaml:3:15: 'x' in \"time_us + 'x'\" is text, expected a number; compare it, as in `'x' "
     "== 'value'`"},
    {"ObjectiveConstant", "objective: rows * 2\n",
     "sweep.yaml:3:12: \"rows * 2\" is the same for every configuration, expected an objective "
     "with "
     "a metric or a parameter, such as `time_us * registers`"},
    {"RequirementConstant", "require: [rows > 2]\n",
     "sweep.yaml:3:11: \"rows > 2\" is the same for every configuration, expected a requirement "
     "with a metric or a parameter, such as `registers <= 128`"},
    {"ObjectiveSyntax", "objective: time_us *\n",
     "sweep.yaml:3:21: expected a value, got the end in \"time_us *\"\n"
     "  time_us *\n"
     "           ^"},
    {"ObjectiveTwice", "objective: [time, time]\n",
     "sweep.yaml:3:19: objective[1]: 'time' is listed twice; remove one"},
    {"ObjectivesEmpty", "objective: []\n",
     "sweep.yaml:3:12: objective: got an empty list, expected at least one objective; write "
     "`objective: time`"},
    {"ObjectivesTooMany", "objective: [time, registers, shared_bytes, local_bytes, occupancy]\n",
     "sweep.yaml:3:12: objective: got 5 objectives, expected at most 4; combine some in an "
     "expression, or make requirements of them"},
    {"ObjectiveOtherKey", "objective: {maximise: gflops}\n",
     "sweep.yaml:3:13: unknown key 'maximise' in objective; did you mean 'maximize'?"},
    {"RequirementsEmpty", "require: []\n",
     "sweep.yaml:3:10: require: got an empty list, expected at least one requirement; remove it"},
    {"RequirementMap", "require: {registers: 128}\n",
     "sweep.yaml:3:10: require: got a map, expected a list"},
};

INSTANTIATE_TEST_SUITE_P(Goal, GoalErrors, testing::ValuesIn(kGoalErrors), case_name<BadText>);

TEST(GoalKernelErrors, AParameterNamedAsAMetricIsAmbiguousWhereItIsUsed) {
  KernelSpec kernel = fixture_kernel();
  kernel.parameters.front().name = "registers";
  const auto message = [&](const char* goal) {
    return message_of([&] {
      (void)resolve_goal(parse_sweep(std::string(kGoalErrorsHeader) + goal, "sweep.yaml").goal,
                         goal_names(kernel));
    });
  };
  EXPECT_EQ(message("require: [\"registers <= 128\"]\n"),
            "sweep.yaml:3:12: 'registers' is both a metric and a parameter of kernel "
            "'softmax_topk'; rename the parameter");
  EXPECT_EQ(message("require: [\"local_bytes == 0\"]\n"), "");
}

TEST(GoalKernelErrors, ABareSpaceHasNoGoal) {
  EXPECT_EQ(sweep_message("space: {A: [1]}\nobjective: energy\n"),
            "sweep.yaml:2:1: objective: needs a kernel; add `kernel: NAME` (a bare space has only "
            "`space` and `constraints`)");
}

}  // namespace
}  // namespace warpwright
