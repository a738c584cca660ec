// Tests which requests are equivalent, and which of them run, wait or take over.
#include "sweep/shared_code.h"

#include <gmock/gmock.h>

#include <cmath>

#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Turn = SharedCode::Turn;

Outcome ended_as(Status status) {
  Outcome outcome;
  outcome.status = status;
  return outcome;
}

Outcome timed() {
  Outcome outcome;
  outcome.time = TimeEstimate{10, 9, 11, 3, false, "cold-graph-1", 13};
  outcome.samples_us = {13, 13};
  outcome.validate_seconds = 2;
  outcome.measure_seconds = 1;
  return outcome;
}

class SharedCodeTest : public ::testing::Test {
 protected:
  // Task 1 runs, 2 and 3 wait for it.
  void run_one_and_let_two_wait() {
    EXPECT_EQ(shared.submit("code", 1), Turn::kRun);
    EXPECT_EQ(shared.submit("code", 2), Turn::kWait);
    EXPECT_EQ(shared.submit("code", 3), Turn::kWait);
  }
  void expect_not_shared(const Outcome& outcome) {
    run_one_and_let_two_wait();
    EXPECT_THAT(shared.ended("code", 1, "plain A=1", outcome), ElementsAre(2, 3));
    EXPECT_EQ(shared.submit("code", 2), Turn::kRun);
    EXPECT_EQ(shared.submit("code", 3), Turn::kWait);
  }
  SharedCode shared;
};

TEST_F(SharedCodeTest, OtherCodeRunsAtOnce) {
  EXPECT_EQ(shared.submit("code", 1), Turn::kRun);
  EXPECT_EQ(shared.submit("other code", 2), Turn::kRun);
}

TEST_F(SharedCodeTest, EqualCodeWaitsForTheOneThatRuns) {
  run_one_and_let_two_wait();
  EXPECT_FALSE(shared.waits("code", 1));
  EXPECT_TRUE(shared.waits("code", 2));
  EXPECT_FALSE(shared.waits("other code", 2));
}

TEST_F(SharedCodeTest, TheOneThatRunsIsNotMadeToWaitForItself) {
  EXPECT_EQ(shared.submit("code", 1), Turn::kRun);
  EXPECT_EQ(shared.submit("code", 1), Turn::kRun);
}

TEST_F(SharedCodeTest, TheEndNamesThoseThatWaitedAndTheyKnow) {
  run_one_and_let_two_wait();
  EXPECT_THAT(shared.ended("code", 1, "plain A=1", timed()), ElementsAre(2, 3));
  EXPECT_FALSE(shared.waits("code", 2));
  EXPECT_EQ(shared.submit("code", 2), Turn::kKnown);
  EXPECT_EQ(shared.submit("code", 9), Turn::kKnown) << "a later task gets the outcome as well";
}

TEST_F(SharedCodeTest, WhatIsKnownSaysWhoseItIsAndCostNothing) {
  (void)shared.submit("code", 1);
  (void)shared.ended("code", 1, "plain A=1", timed());
  const Outcome& known = shared.known("code");
  EXPECT_EQ(known.same_as, "plain A=1");
  EXPECT_DOUBLE_EQ(known.time->median_us, 10);
  EXPECT_THAT(known.samples_us, IsEmpty());
  EXPECT_EQ(known.validate_seconds, 0);
  EXPECT_EQ(known.measure_seconds, 0);
}

TEST_F(SharedCodeTest, ALookAtTheAnchorIsNotTakenTwice) {
  (void)shared.submit("code", 1);
  Outcome outcome = timed();
  outcome.anchor_drift = 0.05;
  outcome.anchor_moved = true;
  (void)shared.ended("code", 1, "plain A=1", outcome);
  EXPECT_TRUE(std::isnan(shared.known("code").anchor_drift));
  EXPECT_FALSE(shared.known("code").anchor_moved);
}

TEST_F(SharedCodeTest, WhatIsMeasuredAgainIsKnownAnew) {
  (void)shared.submit("code", 1);
  (void)shared.ended("code", 1, "plain A=1", timed());
  Outcome again = timed();
  again.time->median_us = 12;
  EXPECT_TRUE(shared.measured_again("code", "plain A=1", again));
  EXPECT_DOUBLE_EQ(shared.known("code").time->median_us, 12);
  EXPECT_EQ(shared.known("code").same_as, "plain A=1");
  EXPECT_THAT(shared.known("code").samples_us, IsEmpty());
}

TEST_F(SharedCodeTest, WhatIsMeasuredAgainWithoutAResultLeavesWhatIsKnown) {
  (void)shared.submit("code", 1);
  (void)shared.ended("code", 1, "plain A=1", timed());
  EXPECT_FALSE(shared.measured_again("code", "plain A=1", ended_as(Status::kNoisy)));
  EXPECT_FALSE(shared.measured_again("code", "plain A=2", timed())) << "not its outcome";
  EXPECT_FALSE(shared.measured_again("other code", "plain A=1", timed()));
  EXPECT_EQ(shared.known("code").status, Status::kOk);
}

TEST_F(SharedCodeTest, PrunedAndWrongOnesAreShared) {
  for (const Status status : {Status::kPruned, Status::kWrongResult, Status::kInvalid}) {
    const std::string code = std::string(status_name(status));
    (void)shared.submit(code, 1);
    (void)shared.ended(code, 1, "plain A=1", ended_as(status));
    EXPECT_EQ(shared.submit(code, 2), Turn::kKnown) << code;
  }
}

TEST_F(SharedCodeTest, ACrashIsNotShared) { expect_not_shared(ended_as(Status::kCrashed)); }

TEST_F(SharedCodeTest, WhatAnUnsteadyDeviceSaidIsNotShared) {
  expect_not_shared(ended_as(Status::kNoisy));
}

TEST_F(SharedCodeTest, WhatCostAWorkerIsNotShared) {
  Outcome outcome = ended_as(Status::kLaunchFailed);
  outcome.worker_lost = true;
  expect_not_shared(outcome);
}

TEST_F(SharedCodeTest, WhenTheOneThatRunsIsDroppedTheNextOneRuns) {
  run_one_and_let_two_wait();
  EXPECT_THAT(shared.dropped("code", 1), ElementsAre(2, 3));
  EXPECT_EQ(shared.submit("code", 3), Turn::kRun);
  EXPECT_EQ(shared.submit("code", 2), Turn::kWait);
}

TEST_F(SharedCodeTest, OneThatIsDroppedWhileWaitingIsNotNamed) {
  run_one_and_let_two_wait();
  EXPECT_THAT(shared.dropped("code", 2), IsEmpty());
  EXPECT_FALSE(shared.waits("code", 2));
  EXPECT_THAT(shared.ended("code", 1, "plain A=1", timed()), ElementsAre(3));
}

// A quarantined task ends as crashed, while another one runs.
TEST_F(SharedCodeTest, OneThatEndsWhileWaitingEndsNobodyElse) {
  run_one_and_let_two_wait();
  EXPECT_THAT(shared.ended("code", 2, "plain A=2", ended_as(Status::kCrashed)), IsEmpty());
  EXPECT_TRUE(shared.waits("code", 3));
  EXPECT_THAT(shared.ended("code", 1, "plain A=1", timed()), ElementsAre(3));
}

TEST_F(SharedCodeTest, OneThatNobodyHeardOfEndsNothing) {
  EXPECT_THAT(shared.ended("code", 1, "plain A=1", timed()), IsEmpty());
  EXPECT_THAT(shared.dropped("code", 1), IsEmpty());
  EXPECT_EQ(shared.submit("code", 2), Turn::kRun);
}

class CodeIdentityTest : public ::testing::Test {
 protected:
  CodeIdentityTest() {
    device.id = "fake:0";
    device.has_clock = true;
    trial.configuration = tiny_configuration();
    trial.problem = tiny_problem();
    trial.compiled = fake_compiled();
    trial.compiled.ptx = "ptx";
    TrialRunner::CompiledCase test;
    test.test.name = "one_row";
    test.test.problem = tiny_problem(1, 5);
    test.compiled = fake_compiled("cubin of the case");
    trial.cases = {test};
    before = identity();
  }
  std::string identity() { return code_identity(files.read(), device, trial); }

  TinyKernel files;
  DeviceInfo device;
  CompiledTrial trial;
  std::string before;
};

TEST_F(CodeIdentityTest, EqualRequestsAreEqual) { EXPECT_EQ(identity(), before); }

TEST_F(CodeIdentityTest, AParameterThatReachesNeitherCodeNorLaunchChangesNothing) {
  trial.configuration.values["HINT"] = 3;
  EXPECT_EQ(identity(), before);
}

TEST_F(CodeIdentityTest, OtherMachineCodeIsOther) {
  trial.compiled.cubin = "other cubin";
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, OnAGpuThePtxDoesNotMatter) {
  trial.compiled.ptx = "other ptx";
  EXPECT_EQ(identity(), before);
}

TEST_F(CodeIdentityTest, OnAnEmulatedDeviceThePtxIsTheCode) {
  device.has_clock = false;
  before = identity();
  trial.compiled.cubin = "other cubin";
  EXPECT_EQ(identity(), before);
  trial.compiled.ptx = "other ptx";
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, AnotherLaunchShapeIsOther) {
  trial.configuration = tiny_configuration(64);
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, MoreSharedMemoryIsOther) {
  files.replace("block: [THREADS]", "block: [THREADS], shared: 16");
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, AnotherArgumentValueIsOther) {
  files.replace("value: rows * V", "value: rows * V - 1");
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, AnotherToleranceIsOther) {
  files.replace("abs: 1e-6", "abs: 1e-5");
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, AnotherProblemIsOtherEvenWithEqualLaunches) {
  trial.problem = tiny_problem(7, 3);
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, AnotherKindOfDeviceIsOther) {
  device.name = "another";
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, AnotherDeviceOfTheKindIsNot) {
  device.uuid = "GPU-2";
  EXPECT_EQ(identity(), before);
}

TEST_F(SharedCodeTest, WhatIsKnownSaysWhereItWasMeasured) {
  (void)shared.submit("code", 1);
  (void)shared.ended("code", 1, "plain A=1", timed(), 3);
  EXPECT_EQ(shared.device_of_known("code"), 3u);
}

TEST_F(CodeIdentityTest, OtherCodeOfACaseIsOther) {
  trial.cases[0].compiled.cubin = "other cubin of the case";
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, WhatHasYetToPassItsCasesIsOtherThanWhatPassed) {
  trial.cases.clear();
  EXPECT_NE(identity(), before);
}

TEST_F(CodeIdentityTest, ConfigurationsThatBothPassedTheirCasesMayBeEqual) {
  trial.cases.clear();
  before = identity();
  trial.configuration.values["HINT"] = 3;
  EXPECT_EQ(identity(), before);
}

TrialTask sharer(const std::string& code, std::int64_t threads) {
  TrialTask task;
  task.code = code;
  task.trial().configuration.variant = "plain";
  task.trial().configuration.values["THREADS"] = Value(threads);
  task.trial().compiled.cubin = "cubin";
  task.trial().compiled.seconds = 2;
  return task;
}

TEST(SharersTest, EachTakesTheOutcomeWithTheFiguresOfItsOwnCompiler) {
  Sharers sharers;
  sharers.add(sharer("code", 32));
  sharers.add(sharer("other", 64));
  sharers.add(sharer("code", 96));
  Outcome known;
  known.compile_seconds = 1;
  known.same_as = "plain THREADS=128";
  const std::vector<Sharers::Sharer> found = sharers.with_outcome("code", known);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].task.trial().configuration.values.at("THREADS"), Value(std::int64_t{96}));
  EXPECT_EQ(found[1].outcome.same_as, "plain THREADS=128");
  EXPECT_EQ(found[1].outcome.compile_seconds, 2);
}

TEST(SharersTest, CodeThatNobodySharesHasNone) {
  EXPECT_TRUE(Sharers().with_outcome("code", Outcome()).empty());
}

TEST(SharersTest, ASharerIsStoredAsARepetitionAndHoldsNoCode) {
  Sharers sharers;
  sharers.add(sharer("code", 32));
  const std::vector<Sharers::Sharer> found = sharers.with_outcome("code", Outcome());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].task.repeated);
  EXPECT_EQ(found[0].task.trial().compiled.cubin, "");
}

}  // namespace
}  // namespace warpwright::testing
