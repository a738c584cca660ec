#include "trial/trial_runner.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/error.h"
#include "support/error_text.h"
#include "trial/launch/launch_plan.h"
#include "trial/trial_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(TrialRunnerTest, CorrectKernelIsOkWithModelledTime) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  ASSERT_TRUE(outcome.time.has_value());
  EXPECT_TRUE(outcome.time->modelled);
  EXPECT_EQ(outcome.time->protocol, "model-1");
  EXPECT_DOUBLE_EQ(outcome.time->median_us, 1.5);
  EXPECT_EQ(outcome.counters.at("launches"), 1u);
}

TEST_F(TrialRunnerTest, ErrorsOfACorrectKernelAreRecordedForBothSeeds) {
  const Outcome outcome = run();
  ASSERT_EQ(outcome.errors.size(), 1u);
  EXPECT_EQ(outcome.errors[0].output, "y");
  EXPECT_EQ(outcome.errors[0].checked, 2 * 21u);
  EXPECT_EQ(outcome.errors[0].wrong, 0u);
  EXPECT_EQ(outcome.errors[0].max_abs, 0);
}

TEST_F(TrialRunnerTest, ItRunsAsOftenAsDeterminismAsks) {
  options.determinism_runs = 4;
  run();
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "launch twice"), 4 + 1);
}

TEST_F(TrialRunnerTest, InputsThatNoSeedChangesAreTriedOnce) {
  files.replace("fill: \"normal(0, 1)\"", "fill: \"sequence(0, 1)\"");
  run();
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "launch twice"),
            options.determinism_runs);
}

TEST_F(TrialRunnerTest, AMistakeThatOnlyOtherInputsShowNamesTheirSeed) {
  then([this](const FakeArguments& arguments) {
    if (++launches == options.determinism_runs + 1) arguments.pointer<float>(1)[9] = 100;
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, StartsWith("with the inputs of seed 1000004: output 'y' is wrong at "
                                         "[1, 2]: got 100, expected "));
  EXPECT_EQ(outcome.errors.at(0).wrong, 1u);
}

TEST_F(TrialRunnerTest, LargeInputsAreTriedWithOneSeed) {
  options.validated_elements = 100;
  options.determinism_runs = 2;
  const Outcome outcome = run(tiny_problem(1, 9 << 20));  // 36 MiB in and 36 MiB out
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "launch twice"), 2);
}

TEST_F(TrialRunnerTest, AWrongElementIsLocated) {
  then([](const FakeArguments& arguments) { arguments.pointer<float>(1)[9] = 100; });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, AllOf(StartsWith("output 'y' is wrong at [1, 2]: got 100, expected "),
                                    HasSubstr("exceeds the allowed"),
                                    HasSubstr("1 of 21 checked elements are wrong")));
  EXPECT_FALSE(outcome.time.has_value());
  EXPECT_EQ(outcome.errors.at(0).wrong, 1u);
}

TEST_F(TrialRunnerTest, NanNeverPasses) {
  then([](const FakeArguments& arguments) { arguments.pointer<float>(1)[0] = std::nanf(""); });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, StartsWith("output 'y' is wrong at [0, 0]: got nan, expected "));
}

TEST_F(TrialRunnerTest, AnUnwrittenTailIsNamedAsSuch) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    for (int i = 0; i < arguments.value<int>(2) - 3; ++i) arguments.pointer<float>(1)[i] = 2 * x[i];
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason,
              AllOf(StartsWith("output 'y' was never written at [2, 4]: it still holds the poison"),
                    HasSubstr("3 of 21 checked elements are wrong")));
}

TEST_F(TrialRunnerTest, AnUnwrittenElementOutsideOfTheSampleIsFound) {
  options.validated_elements = 1;  // at least 16 units of 4000
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    for (int i = 0; i < arguments.value<int>(2); ++i) {
      if (i != 1500) arguments.pointer<float>(1)[i] = 2 * x[i];
    }
  };
  const Outcome outcome = run(tiny_problem(4000, 1));
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(outcome.reason,
            "in run 2: output 'y' was never written at [1500, 0]; 1 of 4000 elements were not");
}

TEST_F(TrialRunnerTest, LargeProblemsCheckASampleOfUnits) {
  options.validated_elements = 100;
  const Outcome outcome = run(tiny_problem(4000, 1));
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(outcome.errors.at(0).checked, 2 * 100u);
}

TEST_F(TrialRunnerTest, AWriteJustPastAnOutputIsFound) {
  then([](const FakeArguments& arguments) { arguments.pointer<float>(1)[21] = 1; });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(outcome.reason, "wrote outside of 'y': 0 bytes past its end of 84 bytes");
}

TEST_F(TrialRunnerTest, AWriteBeforeAnInputIsFound) {
  then([](const FakeArguments& arguments) {
    const_cast<float*>(arguments.pointer<const float>(0))[-2] = 1;
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(outcome.reason, "wrote outside of 'x': 5 bytes before its start");
}

TEST_F(TrialRunnerTest, AChangedInputIsFound) {
  then([](const FakeArguments& arguments) {
    const_cast<float*>(arguments.pointer<const float>(0))[8] = 77;
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason,
              AllOf(StartsWith("changed input 'x' at [1, 1]: it was "), HasSubstr(" and is 77;")));
}

TEST_F(TrialRunnerTest, DamageIsNotBlamedOnTheNextTrial) {
  TrialRunner runner(files.read(), device, options);
  for (const int place : {-1, 21}) {
    then([place](const FakeArguments& arguments) {
      const_cast<float*>(arguments.pointer<const float>(0))[8] = 77;
      arguments.pointer<float>(1)[place] = 77;
    });
    const Outcome harmful = runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), {});
    EXPECT_THAT(harmful.reason, StartsWith("wrote outside of 'y': ")) << place;
    device.kernels["twice"] = correct_twice();
    const Outcome next = runner.run(tiny_configuration(64), tiny_problem(), fake_compiled(), {});
    EXPECT_EQ(next.status, Status::kOk) << next.reason;
  }
}

TEST_F(TrialRunnerTest, AnElementThatDiffersBetweenRunsIsNondeterministic) {
  // Results are within the tolerance every time, but the bits differ.
  then([this](const FakeArguments& arguments) {
    float& y = arguments.pointer<float>(1)[5];
    if (++launches % 2 == 0) y = std::nextafter(y, 10.0f);
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason,
              AllOf(StartsWith("output 'y' differs between run 1 and run 2 at [0, 5]: "),
                    HasSubstr("1 of 21 elements differ"), HasSubstr("`deterministic: false`")));
}

TEST_F(TrialRunnerTest, ADifferenceThatOnlyALaterRunShowsIsFound) {
  then([this](const FakeArguments& arguments) {
    if (++launches == 4) arguments.pointer<float>(1)[0] = 50;
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason, StartsWith("output 'y' differs between run 1 and run 4 at [0, 0]: "));
}

TEST_F(TrialRunnerTest, ADeclaredNondeterministicKernelMayDifferWithinTolerance) {
  files.contract += "deterministic: false\n";
  then([this](const FakeArguments& arguments) {
    float& y = arguments.pointer<float>(1)[5];
    if (++launches % 2 == 0) y = std::nextafter(y, 10.0f);
  });
  EXPECT_EQ(run().status, Status::kOk);
}

TEST_F(TrialRunnerTest, ADeclaredNondeterministicKernelIsValidatedInEveryRun) {
  files.contract += "deterministic: false\n";
  then([this](const FakeArguments& arguments) {
    if (++launches == 2) arguments.pointer<float>(1)[0] = 50;
  });
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, StartsWith("in run 2: output 'y' is wrong at [0, 0]: got 50"));
}

TEST_F(TrialRunnerTest, ADeclaredNondeterministicKernelIsValidatedInTheLastRunToo) {
  files.contract += "deterministic: false\n";
  then([this](const FakeArguments& arguments) {
    if (++launches == options.determinism_runs) arguments.pointer<float>(1)[0] = 50;
  });
  EXPECT_THAT(run().reason, StartsWith("in run 5: output 'y' is wrong at [0, 0]: got 50"));
}

// fmax ignores the NaN that outputs hold before the first runs.
TEST_F(TrialRunnerTest, AMaximumWithWhatTheOutputHeldIsFound) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    float* y = arguments.pointer<float>(1);
    for (int i = 0; i < arguments.value<int>(2); ++i) y[i] = std::fmax(y[i], 2 * x[i]);
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason,
              AllOf(StartsWith("output 'y' differs between run 1 and run 3 at [0, 0]: "),
                    HasSubstr("held 0x7b7b7b7b before run 3"),
                    HasSubstr("is anything read before it is written?")));
}

TEST_F(TrialRunnerTest, AMinimumWithWhatTheOutputHeldIsFound) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    float* y = arguments.pointer<float>(1);
    for (int i = 0; i < arguments.value<int>(2); ++i) y[i] = std::fmin(y[i], 2 * x[i]);
  };
  EXPECT_THAT(run().reason, StartsWith("output 'y' differs between run 1 and run 4 at ["));
}

TEST_F(TrialRunnerTest, AFailedLaunchKeepsItsReason) {
  device.kernels["twice"] = [](const FakeArguments&, LaunchResult& result) {
    result.status = Status::kLaunchFailed;
    result.reason = "out of bounds";
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kLaunchFailed);
  EXPECT_EQ(outcome.reason, "out of bounds");
  EXPECT_FALSE(outcome.worker_lost);
}

TEST_F(TrialRunnerTest, ALostDeviceLosesTheWorkerAtOnce) {
  device.kernels["twice"] = [](const FakeArguments&, LaunchResult& result) {
    result.status = Status::kTimeout;
    result.reason = "did not finish within 10 ms";
    result.device_lost = true;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kTimeout);
  EXPECT_TRUE(outcome.worker_lost);
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "launch twice"), 1);
}

TEST_F(TrialRunnerTest, AModuleThatDoesNotLoadIsAnOutcome) {
  device.load_failure.status = Status::kInvalid;
  device.load_failure.reason = "emulator lacks `foo`";
  device.load_failure.detail.code = FailureCode::kEmulatorLacks;
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(outcome.detail.code, FailureCode::kEmulatorLacks);
  EXPECT_EQ(outcome.reason, "emulator lacks `foo`");
}

TEST_F(TrialRunnerTest, ACompileFailureIsAnOutcome) {
  TrialRunner runner(files.read(), device, options);
  CompileResult compiled;
  compiled.failure = "twice.cu:3: expected a ;";
  const Outcome outcome = runner.run(tiny_configuration(), tiny_problem(), compiled, {});
  EXPECT_EQ(outcome.status, Status::kCompileFailed);
  EXPECT_EQ(outcome.reason, "twice.cu:3: expected a ;");
}

TEST_F(TrialRunnerTest, AnImpossibleLaunchNeverReachesTheDevice) {
  TrialRunner runner(files.read(), device, options);
  const Outcome outcome = runner.run(tiny_configuration(2048), tiny_problem(), fake_compiled(), {});
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_TRUE(device.log.empty());
}

TEST_F(TrialRunnerTest, AWrongNumberOfParametersIsInvalid) {
  device.parameters["twice"] = {8, 8};
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(outcome.reason,
            "entry 'twice' takes 2 parameters, the contract passes 3; make `arguments` of the "
            "launch match");
}

TEST_F(TrialRunnerTest, AParameterOfAnotherSizeIsInvalid) {
  device.parameters["twice"] = {8, 8, 8};
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(
      outcome.reason,
      "parameter 3 of entry 'twice' has 8 bytes, the contract passes 'count' of 4; check its dtype "
      "and the order of `arguments`");
}

TEST_F(TrialRunnerTest, AProblemThatDoesNotFitIsTheUsersError) {
  device.free_memory = 10'000;
  try {
    run();
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_THAT(
        error.what(),
        AllOf(StartsWith("problem rows=3 V=7 of kernel 'twice' needs "),
              HasSubstr("fake:0 has 10000 B free: x 8276 B, y 8276 B; choose a smaller problem")));
  }
}

TEST_F(TrialRunnerTest, InputsAreKeptBetweenTrialsOfOneProblem) {
  TrialRunner runner(files.read(), device, options);
  (void)runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), {});
  device.log.clear();
  (void)runner.run(tiny_configuration(64), tiny_problem(), fake_compiled(), {});
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "allocate x"), 0);
  (void)runner.run(tiny_configuration(64), tiny_problem(4), fake_compiled(), {});
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "allocate x"), 2);  // one per seed
}

TEST_F(TrialRunnerTest, TolerancesByTheRmsOfARowMayUseParameters) {
  files.replace("tolerance: {abs: 1e-6, rel: 1e-6}", "tolerance: {rms: THREADS / 128.0}");
  files.replace("fill: \"normal(0, 1)\"", "fill: ones");
  double error = 1.5;
  then([&](const FakeArguments& arguments) { arguments.pointer<float>(1)[3] += float(error); });
  EXPECT_EQ(run().status, Status::kOk);
  error = 2.5;
  EXPECT_THAT(run().reason, HasSubstr("error 2.5 exceeds the allowed 2 (the RMS of its row is 2)"));
}

TEST_F(TrialRunnerTest, TheRoundingOfASumFollowsFromTheProblem) {
  files.replace("tolerance: {abs: 1e-6, rel: 1e-6}", "tolerance: {accumulate: V * 1024}");
  files.replace("fill: \"normal(0, 1)\"", "fill: ones");
  double error = 0.003;
  then([&](const FakeArguments& arguments) { arguments.pointer<float>(1)[3] += float(error); });
  EXPECT_EQ(run().status, Status::kOk);
  error = 0.004;
  EXPECT_THAT(run().reason,
              HasSubstr("error 0.004 exceeds the allowed 0.00342 (the RMS of its row is 2)"));
}

TEST_F(TrialRunnerTest, ASumOfNoProductsIsAFaultOfTheContract) {
  files.replace("tolerance: {abs: 1e-6, rel: 1e-6}", "tolerance: {accumulate: V - 7}");
  EXPECT_THAT(error_text([&] { run(); }),
              HasSubstr("output 'y': a sum of 'V - 7' products is one of 0, expected at least 1"));
}

TEST_F(TrialRunnerTest, MismatchesThatAreAllowedAreCounted) {
  files.replace("out: f32, shape: [rows, V], tolerance: {abs: 1e-6, rel: 1e-6}",
                "out: i32, shape: [rows, V], mismatches: 1.0 / V");
  files.replace("normal(0, 1)", "integers(0, 9)");
  int off = 2;
  device.kernels["twice"] = [&](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    for (int i = 0; i < arguments.value<int>(2); ++i)
      arguments.pointer<int>(1)[i] = 2 * static_cast<int>(x[i]) + (i < off ? 1 : 0);
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_EQ(outcome.errors.at(0).wrong, 2 * 2u) << "of both seeds";
  off = 4;
  EXPECT_THAT(run().reason, HasSubstr("4 of 21 checked elements are wrong, more than the share of "
                                      "0.14285714285714285 that `mismatches` allows; the smallest "
                                      "that passes is 0.2"));
}

TEST_F(TrialRunnerTest, MismatchesMustBeTheSameInEveryRun) {
  files.replace("out: f32, shape: [rows, V], tolerance: {abs: 1e-6, rel: 1e-6}",
                "out: i32, shape: [rows, V], mismatches: 0.5");
  files.replace("normal(0, 1)", "integers(0, 9)");
  device.kernels["twice"] = [&](const FakeArguments& arguments, LaunchResult&) {
    const float* x = arguments.pointer<const float>(0);
    for (int i = 0; i < arguments.value<int>(2); ++i)
      arguments.pointer<int>(1)[i] = 2 * static_cast<int>(x[i]);
    arguments.pointer<int>(1)[0] += ++launches % 2;
  };
  EXPECT_EQ(run().status, Status::kNondeterministic);
}

TEST_F(TrialRunnerTest, AShareOfMismatchesBelowZeroIsAFaultOfTheContract) {
  files.replace("out: f32, shape: [rows, V], tolerance: {abs: 1e-6, rel: 1e-6}",
                "out: i32, shape: [rows, V], mismatches: 1 - V");
  EXPECT_THAT(
      error_text([&] { run(); }),
      HasSubstr("output 'y': the share '1 - V' of mismatches is -6, expected at least 0 and "
                "below 1"));
}

TEST_F(TrialRunnerTest, HowASumIsJudgedIsPartOfWhatIdentifiesALaunch) {
  const auto identity = [&] {
    return launch_identity(files.read(), tiny_configuration(), tiny_problem(), device.info());
  };
  const std::string plain = identity();
  EXPECT_THAT(plain, HasSubstr("y 3 7 1e-06 1e-06 0\n")) << "as before there were sums";
  files.replace("rel: 1e-6", "rel: 1e-6, accumulate: {terms: V, in: f16}");
  EXPECT_THAT(identity(), HasSubstr("y 3 7 1e-06 1e-06 0 accumulate 7 f16\n"));
}

// Scratch sized by a parameter, and two launches that share it.
TEST_F(TrialRunnerTest, ScratchIsPoisonedSharedAndGuarded) {
  files.replace(
      "  - {name: count, value: rows * V}",
      "  - {name: count, value: rows * V}\n  - {name: work, scratch: f32, shape: [THREADS]}");
  files.replace(
      "launches: [{entry: twice, grid: [\"ceil_div(rows * V, THREADS)\"], block: [THREADS]}]",
      "launches: [{entry: fill, grid: [1], block: [1], arguments: [x, work]}, "
      "{entry: drain, grid: [1], block: [1], arguments: [work, y, count, x]}]");
  bool poisoned = true;
  int overshoot = 0;
  device.kernels["fill"] = [&](const FakeArguments& arguments, LaunchResult&) {
    float* work = arguments.pointer<float>(1);
    if (++launches <= 2) poisoned = poisoned && std::isnan(work[0]) && std::isnan(work[127]);
    work[0] = 2;
    if (overshoot != 0) work[127 + overshoot] = 1;
  };
  device.kernels["drain"] = [](const FakeArguments& arguments, LaunchResult&) {
    const float factor = arguments.pointer<float>(0)[0];
    const float* x = arguments.pointer<const float>(3);
    for (int i = 0; i < arguments.value<int>(2); ++i)
      arguments.pointer<float>(1)[i] = factor * x[i];
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  EXPECT_TRUE(poisoned);
  EXPECT_EQ(outcome.counters.at("launches"), 2u);
  overshoot = 1;
  EXPECT_EQ(run().reason, "wrote outside of 'work': 0 bytes past its end of 512 bytes");
}

class LazyScratchTest : public TrialRunnerTest {
 protected:
  static constexpr float kDone = 1234;

  LazyScratchTest() {
    files.replace("  - {name: count, value: rows * V}",
                  "  - {name: count, value: rows * V}\n  - {name: work, scratch: f32, shape: [1]}");
  }
};

TEST_F(LazyScratchTest, WorkThatIsSkippedOnceScratchSaysDoneIsFound) {
  device.kernels["twice"] = [](const FakeArguments& arguments, LaunchResult&) {
    float& done = *arguments.pointer<float>(3);
    if (done != kDone) twice(arguments);
    done = kDone;
  };
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kNondeterministic);
  EXPECT_THAT(outcome.reason,
              AllOf(StartsWith("output 'y' differs between run 1 and run 5 at [0, 0]: "),
                    HasSubstr("run 5 found scratch as run 4 left it")));
}

}  // namespace
}  // namespace warpwright::testing
