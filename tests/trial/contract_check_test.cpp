// Results that pass without being computed, and inputs that do not matter: each remark appears
// where it is due, and none for a sound contract.
#include "trial/validation/contract_check.h"

#include <gmock/gmock.h>

#include <optional>
#include <string>
#include <vector>

#include "trial/data/problem_inputs.h"
#include "trial/tiny_kernel.h"

namespace warpwright {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// y [rows, V] is computed from x [rows, V] and b [V] according to `mode`.
constexpr const char* kContract = R"yaml(kernel: probe
problem:
  rows: {doc: rows}
  V: {doc: columns}
  mode: {values: [sum, copy, row, column, constant, zeros, ignore, faint, rare, kept, empty], doc: what y is}
arguments:
  - {name: x, in: f32, shape: [rows, V], fill: "normal(0, 1)"}
  - {name: b, in: f32, shape: [V], fill: "normal(0, 1)"}
  - {name: y, out: f32, shape: [rows, "mode == 'empty' ? 0 : V"], tolerance: {abs: 1e-6}}
variants:
  plain:
    source: twice.cu
    launches: [{entry: probe, grid: [rows], block: [32]}]
reference: {source: reference.cpp, units: rows}
work: {bytes: "8 * rows * V", flops: 0}
)yaml";

constexpr const char* kReference =
    R"cpp(#include "reference.h"

          double element(const ww_call* call, int64_t row, int64_t column) {
            const int64_t width = ww::size(call, "V");
            const double x = ww::load(ww::find_tensor(call, "x"), row * width + column);
            const double b = ww::load(ww::find_tensor(call, "b"), column);
            if (ww::is(call, "mode", "sum")) return x + b;
            if (ww::is(call, "mode", "copy")) return x;
            if (ww::is(call, "mode", "row")) return ww::load(ww::find_tensor(call, "x"), row * width);
            if (ww::is(call, "mode", "column")) return b;
            if (ww::is(call, "mode", "constant")) return 3;
            if (ww::is(call, "mode", "zeros")) return 0;
            if (ww::is(call, "mode", "ignore")) return 2 * x;
            if (ww::is(call, "mode", "faint")) return 2 * x + 1e-9 * b;
            if (ww::is(call, "mode", "rare")) return x > 1.5 ? 1 : 0;
            return ww::load(ww::find_tensor(call, "y"), row * width + column);  // kept
          }

          int ww_reference(const ww_call* call) {
            if (ww::is(call, "mode", "empty")) return 0;
            const int64_t width = ww::size(call, "V");
            double* y = ww::find_output(call, "y");
            for (int64_t u = 0; u < call->unit_count; ++u)
              for (int64_t i = 0; i < width; ++i) y[u * width + i] = element(call, call->units[u], i);
            return 0;
          }
    )cpp";

// "zeros_pass y", "input_copy_passes y x", "constant_along_axis y 1", "input_unused b".
std::string subject(const ContractRemark& remark) {
  std::string text(remark_code_name(remark.code));
  if (remark.code != RemarkCode::kInputUnused) text += " " + remark.output;
  if (!remark.input.empty()) text += " " + remark.input;
  if (remark.code == RemarkCode::kConstantAlongAxis) text += " " + std::to_string(remark.axis);
  return text;
}

std::vector<std::string> subjects(const std::vector<ContractRemark>& remarks) {
  std::vector<std::string> texts;
  for (const ContractRemark& remark : remarks) texts.push_back(subject(remark));
  return texts;
}

class ContractCheckTest : public ::testing::Test {
 protected:
  ContractCheckTest() {
    files.contract = kContract;
    files.reference = kReference;
  }

  ContractFindings check(const std::string& mode, int rows = 3, int width = 40,
                         CheckedProblem kind = CheckedProblem::kOfSweep) {
    kernel.emplace(files.read());
    reference.emplace(build_reference(kernel->reference.source, testing::reference_include(),
                                      testing::shared_cache() / "references"),
                      kernel->reference.source);
    ProblemRequest request;
    request.problem = {{"rows", rows}, {"V", width}, {"mode", mode}};
    request.title = "a problem";
    ProblemInputs inputs(*kernel, device, options, *reference, store, request);
    const Environment environment = trial_environment(*kernel, {}, request.problem, device.info());
    return check_contract(*kernel, environment, inputs.first(),
                          with_other ? inputs.other() : nullptr, kind);
  }
  std::vector<std::string> remarks(const std::string& mode, int rows = 3, int width = 40) {
    return subjects(check(mode, rows, width).remarks);
  }

  testing::TinyKernel files;
  testing::FakeDevice device;
  TrialOptions options = testing::tiny_options();
  bool with_other = true;
  std::optional<KernelSpec> kernel;
  std::optional<Reference> reference;
  ReferenceStore store{std::filesystem::path()};
};

TEST_F(ContractCheckTest, ASoundContractHasNoRemarks) {
  const ContractFindings findings = check("sum");
  EXPECT_THAT(findings.remarks, IsEmpty());
  EXPECT_THAT(subjects(findings.refuted),
              UnorderedElementsAre("zeros_pass y", "mean_passes y", "other_seed_passes y",
                                   "input_copy_passes y x", "input_copy_passes y b",
                                   "constant_along_axis y 0", "constant_along_axis y 1",
                                   "input_unused x", "input_unused b"));
}

TEST_F(ContractCheckTest, ALooseToleranceLetsZerosTheMeanAndTheOtherSeedPass) {
  files.replace("tolerance: {abs: 1e-6}", "tolerance: {abs: 30}");
  const ContractFindings findings = check("ignore");
  EXPECT_THAT(subjects(findings.remarks),
              ElementsAre("zeros_pass y", "mean_passes y", "other_seed_passes y",
                          "input_copy_passes y x", "input_unused b"));
  EXPECT_GT(findings.remarks[0].largest_expected, 1);
  EXPECT_LT(findings.remarks[0].largest_expected, 15);
  EXPECT_DOUBLE_EQ(findings.remarks[0].allowed, 30);
}

TEST_F(ContractCheckTest, TheToleranceIsThatOfTheRule) {
  // The error of a zero is the element itself, whatever its size.
  files.replace("tolerance: {abs: 1e-6}", "tolerance: {rel: 1}");
  EXPECT_THAT(remarks("sum"), Contains("zeros_pass y"));
  files.replace("tolerance: {rel: 1}", "tolerance: {rel: 0.99}");
  EXPECT_THAT(remarks("sum"), IsEmpty());
}

TEST_F(ContractCheckTest, RmsAndAccumulateCount) {
  files.replace("tolerance: {abs: 1e-6}", "tolerance: {rms: 20}");
  EXPECT_THAT(remarks("sum"), Contains("zeros_pass y"));
  files.replace("tolerance: {rms: 20}", "tolerance: {accumulate: 1000000000000}");
  EXPECT_THAT(remarks("sum"), Contains("zeros_pass y"));
  files.replace("accumulate: 1000000000000", "accumulate: V");
  EXPECT_THAT(remarks("sum"), IsEmpty());
}

TEST_F(ContractCheckTest, ACopyOfAnInputPasses) {
  EXPECT_THAT(remarks("copy"), ElementsAre("input_copy_passes y x", "input_unused b"));
}

TEST_F(ContractCheckTest, ACopyIsConvertedToTheTypeOfTheOutput) {
  files.replace("{name: y, out: f32", "{name: y, out: f16");
  EXPECT_THAT(remarks("copy"), ElementsAre("input_unused b"));
  files.replace("tolerance: {abs: 1e-6}", "tolerance: {rel: 4.9e-4, abs: 1e-7}");
  EXPECT_THAT(remarks("copy"), ElementsAre("input_copy_passes y x", "input_unused b"));
}

TEST_F(ContractCheckTest, AKernelThatDoesNothingPassesWhereNothingIsToBeDone) {
  files.replace("{name: y, out: f32, shape: [rows, \"mode == 'empty' ? 0 : V\"],",
                "{name: y, inout: f32, shape: [rows, V], fill: \"normal(0, 1)\",");
  EXPECT_THAT(remarks("kept"),
              ElementsAre("input_copy_passes y y", "input_unused x", "input_unused b"));
  EXPECT_THAT(remarks("sum"), ElementsAre("input_unused y"));
}

TEST_F(ContractCheckTest, ValuesThatDoNotVaryAlongAnAxisAre) {
  EXPECT_THAT(remarks("row"), ElementsAre("constant_along_axis y 1", "input_unused b"));
  EXPECT_THAT(remarks("column"), ElementsAre("constant_along_axis y 0", "input_unused x"));
}

TEST_F(ContractCheckTest, AnAxisOfOneElementIsNone) {
  EXPECT_THAT(remarks("column", 1), ElementsAre("input_copy_passes y b", "input_unused x"));
}

TEST_F(ContractCheckTest, AConstantIsItsMeanAndTheSameForEverySeed) {
  EXPECT_THAT(remarks("constant"), ElementsAre("mean_passes y", "other_seed_passes y",
                                               "input_unused x", "input_unused b"));
}

TEST_F(ContractCheckTest, AnInputThatIsNotReadIsUnused) {
  const ContractFindings findings = check("ignore");
  ASSERT_THAT(subjects(findings.remarks), ElementsAre("input_unused b"));
  EXPECT_EQ(findings.remarks[0].change, 0);
}

TEST_F(ContractCheckTest, AnInputThatChangesLessThanIsAllowedIsUnused) {
  const ContractFindings findings = check("faint");
  ASSERT_THAT(subjects(findings.remarks), ElementsAre("input_unused b"));
  EXPECT_EQ(findings.remarks[0].output, "y");
  EXPECT_GT(findings.remarks[0].change, 1e-10);
  EXPECT_LT(findings.remarks[0].change, 1e-8);
  EXPECT_DOUBLE_EQ(findings.remarks[0].allowed, 1e-6);
}

TEST_F(ContractCheckTest, AnInputThatIsTheSameUnderBothSeedsCannotBeTold) {
  files.replace("{name: b, in: f32, shape: [V], fill: \"normal(0, 1)\"}",
                "{name: b, in: f32, shape: [V], fill: ones}");
  EXPECT_THAT(remarks("ignore"), IsEmpty());
}

TEST_F(ContractCheckTest, WhatIsMadeFromAnInputIsMadeAnewWithIt) {
  // Only the copy is read, and the copy is made from b.
  files.replace("{name: b, in: f32, shape: [V], fill: \"normal(0, 1)\"}",
                "{name: a, in: f32, shape: [V], fill: \"normal(0, 1)\"}\n"
                "  - {name: b, in: f32, shape: [V], fill: copy_of(a)}");
  EXPECT_THAT(remarks("sum"), IsEmpty());
  EXPECT_THAT(remarks("ignore"), ElementsAre("input_unused a"));
}

TEST_F(ContractCheckTest, WithoutAnotherSeedOnlyTheOutputIsLookedAt) {
  with_other = false;
  EXPECT_THAT(remarks("constant"), ElementsAre("mean_passes y"));
  EXPECT_THAT(remarks("zeros"), ElementsAre("zeros_pass y", "mean_passes y"));
}

TEST_F(ContractCheckTest, AnOutputWithoutElementsIsNotTested) {
  EXPECT_THAT(remarks("empty"), IsEmpty());
}

TEST_F(ContractCheckTest, ASingleElementIsItsMean) { EXPECT_THAT(remarks("sum", 1, 1), IsEmpty()); }

TEST_F(ContractCheckTest, WhatTheContractAcceptsThereIsNoRemark) {
  files.replace("fill: \"normal(0, 1)\"}\n  - {name: y",
                "fill: \"normal(0, 1)\", accepts: {input_unused: mode == 'copy'}}\n  - {name: y");
  files.replace("tolerance: {abs: 1e-6}}",
                "tolerance: {abs: 1e-6}, accepts: {input_copy_passes: true}}");
  EXPECT_THAT(remarks("copy"), IsEmpty());
  EXPECT_THAT(remarks("ignore"), ElementsAre("input_unused b"));
}

TEST_F(ContractCheckTest, SharesOfMismatchesCount) {
  files.replace("{name: y, out: f32", "{name: y, out: i32");
  files.replace("tolerance: {abs: 1e-6}", "match: exact");
  EXPECT_THAT(remarks("rare", 25), ElementsAre("input_unused b"));
  files.replace("match: exact", "match: exact, mismatches: 0.1");
  EXPECT_THAT(remarks("rare", 25), ElementsAre("zeros_pass y", "mean_passes y", "input_unused b"));
}

TEST_F(ContractCheckTest, LargeProblemsAreCheckedOnTheirSample) {
  options.validated_elements = 4000;
  EXPECT_THAT(remarks("sum", 5000, 40), IsEmpty());
  EXPECT_THAT(remarks("row", 5000, 40), ElementsAre("constant_along_axis y 1", "input_unused b"));
  EXPECT_THAT(remarks("column", 5000, 40),
              ElementsAre("constant_along_axis y 0", "input_unused x"));
}

TEST_F(ContractCheckTest, WideUnitsAreCheckedInPartUnlessSomethingPassesThere) {
  options.validated_elements = 1;
  EXPECT_THAT(remarks("sum", 5, 300000), IsEmpty());
  EXPECT_THAT(remarks("copy", 5, 300000), ElementsAre("input_copy_passes y x", "input_unused b"));
}

TEST_F(ContractCheckTest, ACaseWhoseOutputIsTheSameEverywhereSaysNothing) {
  EXPECT_THAT(check("constant", 3, 40, CheckedProblem::kCase).remarks, IsEmpty());
  EXPECT_THAT(subjects(check("copy", 3, 40, CheckedProblem::kCase).remarks),
              ElementsAre("input_copy_passes y x", "input_unused b"));
}

TEST_F(ContractCheckTest, ARemarkOfCasesStandsUnlessOneRefutesIt) {
  const ContractFindings copy = check("copy", 3, 40, CheckedProblem::kCase);
  const ContractFindings ignore = check("ignore", 3, 40, CheckedProblem::kCase);
  const ContractFindings constant = check("constant", 3, 40, CheckedProblem::kCase);
  EXPECT_THAT(subjects(unrefuted({copy, ignore, constant})), ElementsAre("input_unused b"));
  EXPECT_THAT(subjects(unrefuted({copy, copy})),
              ElementsAre("input_copy_passes y x", "input_unused b"));
  EXPECT_THAT(unrefuted({check("sum"), copy}), IsEmpty());
  EXPECT_THAT(unrefuted({constant}), IsEmpty());
}

// Ranked outputs are right when their scores tie.
class RankedContractTest : public ContractCheckTest {
 protected:
  RankedContractTest() {
    files.contract = R"yaml(kernel: first
problem:
  rows: {doc: rows}
  V: {doc: columns}
  mode: {values: [largest], default: largest}
arguments:
  - {name: x, in: f32, shape: [rows, V], fill: "normal(0, 1)"}
  - {name: best, out: i32, shape: [rows, 1], match: ranked, tolerance: {abs: 1e-6}}
variants:
  plain: {source: twice.cu, launches: [{entry: first, grid: [rows], block: [32]}]}
reference: {source: reference.cpp, units: rows}
work: {bytes: "4 * rows * V", flops: 0}
)yaml";
    files.reference =
        R"cpp(#include "reference.h"
              double ww_score(const ww_call* call, const char*, int64_t unit, int64_t index) {
                const int64_t width = ww::size(call, "V");
                if (index < 0 || index >= width) return NAN;
                return ww::load(ww::find_tensor(call, "x"), unit * width + index);
              }
              int ww_reference(const ww_call* call) {
                const int64_t width = ww::size(call, "V");
                double* best = ww::find_output(call, "best");
                for (int64_t u = 0; u < call->unit_count; ++u) {
                  int64_t at = 0;
                  for (int64_t i = 1; i < width; ++i)
                    if (ww_score(call, "best", call->units[u], i) > ww_score(call, "best", call->units[u], at))
                      at = i;
                  best[u] = static_cast<double>(at);
                }
                return 0;
              }
        )cpp";
  }
};

TEST_F(RankedContractTest, IndicesThatDependOnScoresAreTested) {
  EXPECT_THAT(remarks("largest", 30, 40), IsEmpty());
}

TEST_F(RankedContractTest, ScoresThatAllTieLetAnyIndexPass) {
  files.replace("fill: \"normal(0, 1)\"", "fill: \"constant(1) with at(2, 1)\"");
  files.replace("tolerance: {abs: 1e-6}", "tolerance: {abs: 2}");
  EXPECT_THAT(remarks("largest", 3, 40), Contains("zeros_pass best"));
}

}  // namespace
}  // namespace warpwright
