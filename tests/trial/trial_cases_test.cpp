#include "trial/timing/gate.h"
#include "trial/trial_fixture.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class TrialCasesTest : public TrialRunnerTest {
 protected:
  std::vector<TrialRunner::CompiledCase> cases() {
    const KernelSpec kernel = files.read();
    std::vector<TrialRunner::CompiledCase> compiled;
    for (CaseJob& job : case_jobs(kernel, tiny_configuration(), device.info(), {})) {
      compiled.push_back({std::move(job), fake_compiled("case cubin")});
    }
    return compiled;
  }
};

TEST_F(TrialCasesTest, AFailingCaseNamesItselfAndStopsTheTrial) {
  then([](const FakeArguments& arguments) {
    if (arguments.value<int>(2) == 5) arguments.pointer<float>(1)[4] = -1;
  });
  const Outcome outcome = run(tiny_problem(), cases());
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason,
              StartsWith("case 'one_row' (rows=1 V=5): output 'y' is wrong at [0, 4]: got -1"));
}

TEST_F(TrialCasesTest, CasesRunOncePerConfiguration) {
  TrialRunner runner(files.read(), device, options);
  (void)runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), cases());
  const auto launches_before = std::count(device.log.begin(), device.log.end(), "launch twice");
  // Both runs are followed by one more, with the inputs of another seed.
  EXPECT_EQ(launches_before, 2 + 1 + options.determinism_runs + 1);
  (void)runner.run(tiny_configuration(), tiny_problem(5), fake_compiled(), cases());
  EXPECT_EQ(std::count(device.log.begin(), device.log.end(), "launch twice"),
            launches_before + options.determinism_runs + 1);
}

TEST_F(TrialCasesTest, ACaseThatOnlyOtherInputsFailNamesTheirSeed) {
  int of_case = 0;
  then([&](const FakeArguments& arguments) {
    if (arguments.value<int>(2) == 5 && ++of_case == 3) arguments.pointer<float>(1)[4] = -1;
  });
  const Outcome outcome = run(tiny_problem(), cases());
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_THAT(outcome.reason, StartsWith("case 'one_row' (rows=1 V=5): with the inputs of seed "
                                         "1000004: output 'y' is wrong at [0, 4]: got -1"));
}

TEST_F(TrialCasesTest, EveryEntryOfABaselineHasItsOwnLimit) {
  TrialRunner runner(files.read(), device, options);
  for (const std::uint64_t limit : {10'000u, 70'000u}) {
    device.limits.clear();
    GateRequest request;
    request.emulated_instruction_limit = limit;
    request.compare = false;
    (void)runner.gate(tiny_configuration(), tiny_problem(), fake_compiled(), cases(), request);
    // The launches of the problem come last, and the one with other inputs at the very end.
    ASSERT_GE(device.limits.size(), 2U);
    EXPECT_EQ(device.limits.rbegin()[1].emulated_instructions, limit);
    EXPECT_EQ(device.limits.back().emulated_instructions, limit);
  }
}

TEST_F(TrialCasesTest, AFailedCaseFailsEveryProblemOfTheConfiguration) {
  TrialRunner runner(files.read(), device, options);
  then([](const FakeArguments& arguments) {
    if (arguments.value<int>(2) == 5) arguments.pointer<float>(1)[4] = -1;
  });
  const Outcome first = runner.run(tiny_configuration(), tiny_problem(), fake_compiled(), cases());
  const Outcome second =
      runner.run(tiny_configuration(), tiny_problem(6), fake_compiled(), cases());
  EXPECT_EQ(second.status, Status::kWrongResult);
  EXPECT_EQ(second.reason, first.reason);
}

TEST_F(TrialCasesTest, ACaseThatDoesNotCompileSaysWhich) {
  std::vector<TrialRunner::CompiledCase> compiled = cases();
  compiled.at(0).compiled = CompileResult{};
  compiled.at(0).compiled.failure = "no such type";
  const Outcome outcome = run(tiny_problem(), compiled);
  EXPECT_EQ(outcome.status, Status::kCompileFailed);
  EXPECT_EQ(outcome.reason, "case 'one_row' (rows=1 V=5): no such type");
}

TEST_F(TrialCasesTest, AFillOfACaseIsLocatedInTheContract) {
  files.replace("choice(0, 1)", "chioce(0, 1)");
  try {
    run(tiny_problem(), cases());
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_THAT(
        error.what(),
        AllOf(HasSubstr("kernel.yaml:"), HasSubstr("unknown fill 'chioce'; did you mean 'choice'?"),
              HasSubstr("while preparing case 'one_row' (rows=1 V=5) of kernel 'twice'")));
  }
}

}  // namespace
}  // namespace warpwright::testing
