// A graph with a step that took less time than its work requires is refused.
#include <gtest/gtest.h>

#include "bench/graph/graph_measurer.h"
#include "spec/kernel_spec.h"

namespace warpwright {
namespace {

class JudgeSteps : public ::testing::Test {
 protected:
  JudgeSteps() {
    for (const char* name : {"a", "b"}) {
      PlannedStep step;
      step.name = name;
      step.kernel = &kernel_;
      step.problem = {{"n", 1'000'000}};
      step.configuration = {"plain", {{"STEPS", 4}}};
      plan_.steps.push_back(step);
    }
    result_.steps = {time_of(100), time_of(200)};
    result_.whole = time_of(300);
    peaks_.memory = Peak{80, 84, "measured: read"};
  }
  static TimeEstimate time_of(double us) {
    TimeEstimate time;
    time.median_us = us;
    return time;
  }
  void judge() { judge_steps(plan_, {}, peaks_, result_); }

  KernelSpec kernel_ = parse_stored_kernel(R"yaml(kernel: scale
summary: y = a*x
problem:
  n: {doc: elements}
arguments:
  - {name: x, in: f32, shape: [n], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [n], tolerance: {abs: 0, rel: 1e-2}}
parameters:
  STEPS: {default: 1, min: 1, max: 8}
variants:
  plain:
    source: plain.cu
    parameters: [STEPS]
    launches: [{entry: scale, grid: [1], block: [32]}]
reference: {source: reference.cpp, units: n}
work: {bytes: 8*n, flops: n, per: STEPS}
)yaml",
                                           "scale/kernel.yaml");
  GraphPlan plan_;
  Peaks peaks_;
  SequenceResult result_;
};

TEST_F(JudgeSteps, WhatIsPossibleIsLeftAsItIs) {
  judge();
  EXPECT_EQ(result_.status, Status::kOk);
  EXPECT_EQ(result_.steps.size(), 2U);
}

TEST_F(JudgeSteps, AnImpossibleStepIsNamedAndTakesTheTimesWithIt) {
  result_.steps[1] = time_of(40);
  judge();
  EXPECT_EQ(result_.status, Status::kImpossible);
  EXPECT_EQ(
      result_.reason,
      "step 'b' (scale): 10 µs per unit, 40 µs for a launch of 4, would be 200 GB/s (200 GB/s "
      "without what L2 can hold), but this GPU moves at most 80 GB/s (measured: read): "
      "either the contract counts too much work (`work.bytes` is 8000000), or the launch does "
      "less than it should");
  EXPECT_TRUE(result_.steps.empty());
  EXPECT_FALSE(result_.whole.has_value());
}

TEST_F(JudgeSteps, WhatFailedHasItsOwnReason) {
  result_ = {};
  result_.status = Status::kWrongResult;
  result_.reason = "wrong";
  judge();
  EXPECT_EQ(result_.reason, "wrong");
}

}  // namespace
}  // namespace warpwright
