// Kernels in sequence on a fake device: the data that flows between them, the checks, and the
// times.
#include "trial/sequence/sequence.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Two steps of the tiny kernel, y = 2x: the second doubles the output of the first.
class Sequence : public ::testing::Test {
 protected:
  Sequence() {
    device_.kernels["twice"] = correct_twice();
    device_.sampler = [](const TimingRequest& request, int samples) {
      Samples taken;
      if (request.mode == TimingMode::kGap) {
        taken.elapsed_us.assign(static_cast<std::size_t>(samples), 3);
        return taken;
      }
      // 10 us a launch, less the time that is saved by running in a sequence.
      std::size_t launches = 0;
      for (const TimedSequence& one : request.rotation) launches += one.launches.size();
      const double us = 10.0 * static_cast<double>(launches) - (launches > 1 ? 4 : 0);
      taken.elapsed_us.assign(static_cast<std::size_t>(samples), us + 2);
      taken.floor_us = 2;
      taken.protocol = request.mode == TimingMode::kHot ? "hot" : "cold";
      return taken;
    };
    add("first", {});
    add("second", {{"x", 0, "y", 0}});
  }

  void add(const std::string& name, std::vector<SequenceInput> inputs) {
    SequenceStep step;
    step.name = name;
    step.kernel = &kernel_;
    step.options = tiny_options();
    step.configuration = tiny_configuration();
    step.problem = tiny_problem();
    step.compiled = fake_compiled();
    step.fills = {{"x", "sequence(1, 1)"}};
    step.inputs = std::move(inputs);
    steps_.push_back(std::move(step));
  }
  SequenceResult run() { return run_sequence(device_, steps_); }
  // A correct kernel that does one more thing.
  void then(std::function<void(const FakeArguments&)> harm) {
    device_.kernels["twice"] = [harm = std::move(harm)](const FakeArguments& arguments,
                                                        LaunchResult&) {
      twice(arguments);
      harm(arguments);
    };
  }
  void use_clock() { device_.device_info.has_clock = true; }

  TinyKernel files_;
  KernelSpec kernel_ = files_.read();
  FakeDevice device_;
  std::vector<SequenceStep> steps_;
};

TEST_F(Sequence, EachStepIsJudgedOnWhatTheOneBeforeItMade) {
  std::vector<float> seen;
  then([&](const FakeArguments& arguments) {
    seen.push_back(arguments.pointer<const float>(0)[1]);
  });
  const SequenceResult result = run();
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  EXPECT_EQ(seen.front(), 2);  // from the fill: 1, 2, 3, ...
  EXPECT_EQ(seen.back(), 4);   // from the first step
}

TEST_F(Sequence, InTheWholeOutputsAreReadWhereTheyWereWritten) {
  std::vector<std::pair<const float*, float*>> arrays;
  then([&](const FakeArguments& arguments) {
    arrays.emplace_back(arguments.pointer<const float>(0), arguments.pointer<float>(1));
  });
  ASSERT_EQ(run().status, Status::kOk);
  const std::size_t last = arrays.size() - 1;
  EXPECT_EQ(arrays[last].first, arrays[last - 1].second);
}

TEST_F(Sequence, APartOfAnOutputBeginsWhereItIsCut) {
  steps_[1].problem = tiny_problem(1, 5);
  steps_[1].inputs = {{"x", 0, "y", 8}};
  std::vector<float> seen;
  then([&](const FakeArguments& arguments) { seen.push_back(*arguments.pointer<const float>(0)); });
  ASSERT_EQ(run().status, Status::kOk);
  EXPECT_EQ(seen.back(), 18);  // twice the ninth
}

TEST_F(Sequence, AWrongStepIsNamed) {
  then([](const FakeArguments& arguments) {
    if (arguments.pointer<const float>(0)[0] == 2) arguments.pointer<float>(1)[3] = 7;
  });
  const SequenceResult result = run();
  EXPECT_EQ(result.status, Status::kWrongResult);
  EXPECT_THAT(result.reason,
              StartsWith("step 'second' (twice): output 'y' is wrong at [0, 3]: got 7, "));
}

TEST_F(Sequence, WhatFlowsIsFinite) {
  steps_[0].fills = {{"x", "ones with at(4, inf)"}};
  const SequenceResult result = run();
  EXPECT_EQ(result.status, Status::kWrongResult);
  EXPECT_EQ(result.reason,
            "step 'first' (twice): 'y' flows to 'x' of step 'second' and is not finite at 4: inf");
}

TEST_F(Sequence, AStepThatSpoilsAnothersOutputIsFound) {
  int launches = 0;
  then([&](const FakeArguments& arguments) {
    ++launches;
    // Alone the steps are right; in sequence the second one writes to the output of the first.
    auto* x = const_cast<float*>(arguments.pointer<const float>(0));
    static const float* first_output = nullptr;
    if (launches == 1) first_output = arguments.pointer<float>(1);
    if (x == first_output) x[2] = 1;
  });
  const SequenceResult result = run();
  EXPECT_EQ(result.status, Status::kWrongResult);
  EXPECT_THAT(
      result.reason,
      StartsWith("step 'first' (twice): after the sequence: output 'y' is wrong at [0, 2]"));
}

TEST_F(Sequence, WithoutAClockTheWholeIsTheSumOfItsLaunches) {
  const SequenceResult result = run();
  ASSERT_EQ(result.steps.size(), 2u);
  EXPECT_TRUE(result.whole->modelled);
  EXPECT_EQ(result.whole->median_us, 3);  // 1.5 a launch
  EXPECT_EQ(result.steps[0].median_us, 1.5);
  EXPECT_FALSE(result.hot.has_value());
  EXPECT_EQ(result.launches, 2u);
}

TEST_F(Sequence, WithAClockStepsAndTheWholeAreTimedCold) {
  use_clock();
  const SequenceResult result = run();
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  ASSERT_EQ(result.steps.size(), 2u);
  EXPECT_EQ(result.steps[1].median_us, 10);
  EXPECT_EQ(result.whole->median_us, 16);
  EXPECT_EQ(result.whole->protocol, "cold");
  EXPECT_EQ(result.hot->protocol, "hot");
  EXPECT_EQ(result.gap_us, 3);
}

TEST_F(Sequence, WhatATimedRunChangesIsFound) {
  use_clock();
  const auto sampler = device_.sampler;
  device_.sampler = [sampler](const TimingRequest& request, int samples) {
    const LaunchSequence& launches = request.rotation.front().launches;
    if (launches.size() > 1) FakeArguments(launches.back()).pointer<float>(1)[0] = -1;
    return sampler(request, samples);
  };
  const SequenceResult result = run();
  EXPECT_EQ(result.status, Status::kWrongResult);
  EXPECT_THAT(result.reason, HasSubstr("after timing: output 'y' is wrong at [0, 0]: got -1"));
}

TEST_F(Sequence, WhereAChainChangesOutputsThereIsNoHotTime) {
  use_clock();
  bool hot = false;
  const auto sampler = device_.sampler;
  device_.samplers[TimingMode::kHot] = [&hot, sampler](const TimingRequest& request, int samples) {
    const Samples taken = sampler(request, samples);
    hot = true;
    for (const DeviceLaunch& launch : request.rotation.front().launches)
      FakeArguments(launch).pointer<float>(1)[0] = 9;
    return taken;
  };
  const SequenceResult result = run();
  EXPECT_TRUE(hot);
  EXPECT_EQ(result.status, Status::kOk);
  EXPECT_FALSE(result.hot.has_value());
  EXPECT_THAT(result.without_hot,
              StartsWith("step 'first' (twice): after running it again and again: output 'y'"));
  EXPECT_TRUE(result.whole.has_value());
}

TEST_F(Sequence, WhatDoesNotCompileIsNamed) {
  steps_[1].compiled.ok = false;
  steps_[1].compiled.failure = "expected a ';'";
  const SequenceResult result = run();
  EXPECT_EQ(result.status, Status::kCompileFailed);
  EXPECT_EQ(result.reason, "step 'second' (twice): expected a ';'");
}

TEST_F(Sequence, CrossesAPipeWhole) {
  use_clock();
  const SequenceResult sent = run();
  const nlohmann::json json = sent;
  const auto got = json.get<SequenceResult>();
  EXPECT_EQ(nlohmann::json(got), json);
  EXPECT_EQ(got.steps.size(), 2u);
  EXPECT_EQ(got.hot->median_us, sent.hot->median_us);
}

}  // namespace
}  // namespace warpwright::testing
