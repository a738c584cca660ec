// A runner checks the contract once per problem, adds the remarks to every outcome, and refuses the
// problem if it is strict.
#include <gmock/gmock.h>

#include "trial/trial_fixture.h"
#include "trial/validation/contract_check.h"

namespace warpwright {
namespace {

using ::testing::IsEmpty;

class ContractChecksTest : public testing::TrialRunnerTest {};

TEST_F(ContractChecksTest, AnOutcomeSaysThatNothingIsUntested) {
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  ASSERT_TRUE(outcome.remarks);
  EXPECT_THAT(*outcome.remarks, IsEmpty());
}

TEST_F(ContractChecksTest, AnOutcomeCarriesWhatIsUntestedAlsoWhenTheKernelIsWrong) {
  files.replace("{abs: 1e-6, rel: 1e-6}", "{abs: 100}");
  Outcome outcome = run();
  ASSERT_EQ(outcome.status, Status::kOk);
  ASSERT_FALSE(outcome.remarks->empty());
  EXPECT_EQ(outcome.remarks->front().code, RemarkCode::kZerosPass);
  device.kernels["twice"] = [](const testing::FakeArguments& arguments, LaunchResult&) {
    arguments.pointer<float>(1)[0] = 1000;
  };
  outcome = run();
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_FALSE(outcome.remarks->empty());
}

TEST_F(ContractChecksTest, AnOutcomeThatDidNotComeToTheProblemSaysNothing) {
  CompileResult broken;
  broken.failure = "no";
  TrialRunner runner(files.read(), device, options);
  const Outcome outcome =
      runner.run(testing::tiny_configuration(), testing::tiny_problem(), broken, {});
  EXPECT_EQ(outcome.remarks, std::nullopt);
}

TEST_F(ContractChecksTest, AStrictOptionRefusesBeforeTheKernelRuns) {
  files.replace("{abs: 1e-6, rel: 1e-6}", "{abs: 1, rel: 1}");
  options.strict = true;
  device.kernels["twice"] = [&](const testing::FakeArguments&, LaunchResult&) { ++launches; };
  const Outcome outcome = run();
  EXPECT_EQ(launches, 0);
  EXPECT_EQ(outcome.status, Status::kInvalid);
  EXPECT_EQ(outcome.untested, true);
  EXPECT_FALSE(outcome.time);
  EXPECT_THAT(outcome.reason,
              ::testing::StartsWith("zeros pass for output 'y': its largest expected value is "));
}

TEST_F(ContractChecksTest, AStrictContractRefusesAsWell) {
  files.replace("{abs: 1e-6, rel: 1e-6}", "{abs: 1, rel: 1}");
  files.contract += "strict: true\n";
  EXPECT_EQ(run().status, Status::kInvalid);
  files.replace("{abs: 1, rel: 1}", "{abs: 1e-6, rel: 1e-6}");
  const Outcome sound = run();
  EXPECT_EQ(sound.status, Status::kOk);
  EXPECT_EQ(sound.untested, false);
}

TEST_F(ContractChecksTest, WhereNothingIsStrictNothingIsRefused) {
  files.replace("{abs: 1e-6, rel: 1e-6}", "{abs: 1, rel: 1}");
  const Outcome outcome = run();
  EXPECT_EQ(outcome.status, Status::kOk);
  EXPECT_EQ(outcome.untested, std::nullopt);
}

TEST_F(ContractChecksTest, ARefusalSaysWhatToDo) {
  ContractRemark zeros;
  zeros.output = "y";
  zeros.largest_expected = 0.5;
  zeros.allowed = 1;
  ContractRemark mean = zeros;
  mean.code = RemarkCode::kMeanPasses;
  EXPECT_EQ(untested_reason({zeros, mean}),
            "zeros pass for output 'y': its largest expected value is 0.5, and an error of 1 is "
            "allowed there (and 1 more like it); a strict contract refuses that: give the output a "
            "smaller tolerance, or inputs that decide it, or say on which problems it is right "
            "with `accepts: {zeros_pass: CONDITION}`");
  ContractRemark unused;
  unused.code = RemarkCode::kInputUnused;
  unused.input = "x";
  EXPECT_EQ(untested_reason({unused}),
            "input 'x' does not matter: another seed's content of it changes no expected value; a "
            "strict contract refuses that: give the input a fill that decides the result, or say "
            "on which problems it is right with `accepts: {input_unused: CONDITION}`");
}

TEST_F(ContractChecksTest, AProblemIsLookedAtOnceForEachSetOfLimits) {
  files.replace("{abs: 1e-6, rel: 1e-6}", "{abs: \"THREADS == 64 ? 100.0 : 1e-6\"}");
  const KernelSpec kernel = files.read();
  const Reference reference(build_reference(kernel.reference.source, testing::reference_include(),
                                            testing::shared_cache() / "references"),
                            kernel.reference.source);
  const ReferenceStore store{std::filesystem::path()};
  ProblemRequest request;
  request.problem = testing::tiny_problem();
  ProblemInputs inputs(kernel, device, options, reference, store, request);
  ContractChecks checks(kernel);
  const auto of = [&](int threads) -> const std::vector<ContractRemark>& {
    const Environment environment = trial_environment(kernel, testing::tiny_configuration(threads),
                                                      request.problem, device.info());
    return checks.remarks(environment, inputs);
  };
  EXPECT_THAT(of(128), IsEmpty());
  EXPECT_FALSE(of(64).empty());
  EXPECT_EQ(&of(128), &of(256));
  EXPECT_NE(&of(128), &of(64));
}

}  // namespace
}  // namespace warpwright
