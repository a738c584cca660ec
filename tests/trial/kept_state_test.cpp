// Launches that use results that earlier ones left: in module variables, in their outputs, and only
// while they are timed.
#include <array>
#include <cmath>

#include "trial/trial_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::EndsWith;
using ::testing::StartsWith;

class KeptStateTest : public TrialRunnerTest {
 protected:
  KeptStateTest() {
    device.device_info.has_clock = true;
    device.sampler = [this](const TimingRequest& request, int wanted) {
      sequences = request.rotation.size();
      poisoned = request.rotation.front().poison.size();
      Samples samples;
      samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 10);
      return samples;
    };
  }

  std::size_t sequences = 0;  // of the latest plan that took samples
  std::size_t poisoned = 0;
};

TEST_F(KeptStateTest, AChangedModuleVariableIsAHazard) {
  device.kept = {{"cache", 4096}};
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kHazard);
  EXPECT_EQ(
      outcome.reason,
      "state kept between launches: the module variable 'cache' of 4096 bytes holds something "
      "else after a launch than after loading, so the next launch can use what this one "
      "computed; fix: set it back at the end of the launch, or pass it as a scratch argument "
      "with a `fill`, which is restored before every launch");
}

TEST_F(KeptStateTest, OfSeveralChangedVariablesTheFirstIsNamed) {
  device.kept = {{"cache", 4096}, {"marks", 8}, {"turn", 4}};
  EXPECT_THAT(run().reason,
              StartsWith("state kept between launches: the module variable 'cache' of "
                         "4096 bytes holds something else after a launch than after "
                         "loading, and 2 more do, so"));
}

// Other hazards may be warnings: a kernel with a race still does its work.
TEST_F(KeptStateTest, ItIsNeverOnlyAWarning) {
  device.kept = {{"cache", 4096}};
  options.hazards = HazardPolicy::kWarn;
  EXPECT_EQ(run().status, Status::kHazard);
}

TEST_F(KeptStateTest, StateThatCannotBeRestoredIsInvalid) {
  device.unrestorable = "it calls malloc() on the device, and that heap outlives a launch";
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(outcome.reason,
            "state cannot be restored: it calls malloc() on the device, and that heap outlives a "
            "launch; a launch could return what an earlier one computed, so no time of it is "
            "trusted. Pass the memory as a scratch argument instead");
}

// Every run but the fifth begins with the variables as they were after loading.
TEST_F(KeptStateTest, OneRunFindsModuleVariablesAsTheRunBeforeLeftThem) {
  (void)run();
  std::vector<bool> keeps;
  for (const LaunchLimits& limits : device.limits) keeps.push_back(limits.keep_state);
  ASSERT_GE(keeps.size(), 6u);
  keeps.resize(6);
  EXPECT_THAT(keeps, ::testing::ElementsAre(false, false, false, false, true, false));
}

// y[0] shows whether the work was done: no poison pattern has this value.
TEST_F(KeptStateTest, ALaunchThatLeavesFinishedOutputsIsFound) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    const float* y = arguments.pointer<const float>(1);
    if (y[0] == 2 * x[0]) return;
    twice(arguments);
  };
  const Outcome outcome = run(tiny_problem(4, 40));
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason, StartsWith("output 'y' differs between run 1 and run 4 at ["));
  EXPECT_THAT(outcome.reason,
              EndsWith("; run 4 found its outputs as run 3 left them, with some elements changed: "
                       "does every launch write all of its outputs, whatever they hold?"));
}

TEST_F(KeptStateTest, SamplesBeginWithPoisonedOutputsAndScratch) {
  files.replace(
      "  - {name: count, value: rows * V}",
      "  - {name: count, value: rows * V}\n  - {name: work, scratch: f32, shape: [THREADS]}");
  files.replace("block: [THREADS]}]", "block: [THREADS], arguments: [x, y, count, work]}]");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(poisoned, 2u);
}

TEST_F(KeptStateTest, SamplesDrawFromTwoInputSets) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(sequences, 2u);
}

TEST_F(KeptStateTest, LargeInputsHaveTwoSetsWhereMemoryHoldsThem) {
  options.validated_elements = 100;
  Outcome outcome = run(tiny_problem(1, 9 << 20));  // 36 MiB in and 36 MiB out
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(sequences, 2u);
  device.free_memory = std::size_t{100} << 20;
  outcome = run(tiny_problem(1, 9 << 20));
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(sequences, 1u);
}

// Six launches validate it, and one more validates it on the other inputs.
TEST_F(KeptStateTest, ALaunchThatDoesNothingWhileItIsTimedIsFound) {
  const int validated = 1 + options.determinism_runs;
  device.kernels["twice"] = [this, validated](const FakeArguments& arguments, LaunchResult&) {
    if (++launches <= validated) twice(arguments);
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(
      outcome.reason,
      "while being timed: output 'y' was not what the validated launches had written, in 2 of "
      "2 timed launches that were checked; every timed launch begins with poisoned outputs, "
      "restored module variables and inputs drawn at random, and must do all of the work");
}

TEST_F(KeptStateTest, OutputsThatMayDifferAreExaminedOnRequest) {
  files.contract += "deterministic: false\n";
  std::string wrong = "not asked";
  device.sampler = [&](const TimingRequest& request, int wanted) {
    EXPECT_TRUE(request.rotation.front().outputs.empty());
    wrong = request.rotation.front().examine();
    Samples samples;
    samples.elapsed_us.assign(static_cast<std::size_t>(wanted), 10);
    return samples;
  };
  EXPECT_EQ(run().status, Status::kOk);
  EXPECT_EQ(wrong, "");
}

}  // namespace
}  // namespace warpwright::testing
