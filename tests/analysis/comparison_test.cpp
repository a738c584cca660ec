#include "analysis/compare/comparison.h"

#include <gtest/gtest.h>

#include "analysis/sample_contenders.h"

namespace warpwright {
namespace {

using testing::contender_of;
using testing::emulator;
using testing::gpu;
using testing::RowMaker;

ComparedRatio speedup_between(const RowMaker& a, const std::vector<Database::TrialRow>& of_a,
                              const RowMaker& b, const std::vector<Database::TrialRow>& of_b) {
  const Comparison comparison = compare({contender_of("A", a, of_a), contender_of("B", b, of_b)});
  EXPECT_EQ(comparison.problems.size(), 1u);
  return comparison.problems.at(0).best.at(1).speedup;
}

TEST(Comparison, ASpeedupIsTheFirstsTimeOverThisOnes) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const ComparedRatio speedup =
      speedup_between(a, {a.ok("v", "X=1", 100.4)}, b, {b.ok("v", "X=1", 50.4)});
  EXPECT_EQ(speedup.verdict, Verdict::kFaster);
  EXPECT_DOUBLE_EQ(*speedup.ratio, 100.4 / 50.4);
  EXPECT_DOUBLE_EQ(*speedup.low, 100.0 / 50.8);
  EXPECT_DOUBLE_EQ(*speedup.high, 100.8 / 50);
}

TEST(Comparison, TheVerdictWantsTheWholeInterval) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const auto verdict = [&](double us) {
    return speedup_between(a, {a.ok("v", "X=1", 100)}, b, {b.ok("v", "X=1", us)}).verdict;
  };
  EXPECT_EQ(verdict(100.7), Verdict::kNoDifference);  // 99.6..100.4 and 100.3..101.1
  EXPECT_EQ(verdict(99.3), Verdict::kNoDifference);
  EXPECT_EQ(verdict(100.9), Verdict::kSlower);
  EXPECT_EQ(verdict(99.1), Verdict::kFaster);
}

TEST(Comparison, WithoutAnIntervalARatioIsNotJudged) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  Database::TrialRow bare = b.ok("v", "X=1", 50);
  bare.trial.ci_low_us.reset();
  const ComparedRatio speedup = speedup_between(a, {a.ok("v", "X=1", 100)}, b, {bare});
  EXPECT_EQ(speedup.verdict, Verdict::kNotJudged);
  EXPECT_EQ(*speedup.ratio, 2);
  EXPECT_FALSE(speedup.low);
}

TEST(Comparison, ModelsAreExact) {
  RowMaker a = emulator("emu:sm_80"), b = emulator("emu:sm_90a");
  EXPECT_EQ(speedup_between(a, {a.ok("v", "X=1", 3)}, b, {b.ok("v", "X=1", 2)}).verdict,
            Verdict::kFaster);
  EXPECT_EQ(speedup_between(a, {a.ok("v", "X=1", 3)}, b, {b.ok("v", "X=1", 3)}).verdict,
            Verdict::kNoDifference);
}

TEST(Comparison, MeasuredAndModelledTimesAreNeverDivided) {
  RowMaker a = gpu("cuda:0", "A"), b = emulator("emu:sm_90a");
  const Comparison comparison =
      compare({contender_of("A", a, {a.ok("v", "X=1", 100), a.ok("v", "X=2", 200)}),
               contender_of("B", b, {b.ok("v", "X=1", 30), b.ok("v", "X=2", 20)})});
  const ProblemComparison& problem = comparison.problems.at(0);
  const ComparedRatio& speedup = problem.best[1].speedup;
  EXPECT_EQ(speedup.verdict, Verdict::kNotCompared);
  EXPECT_FALSE(speedup.ratio);
  EXPECT_EQ(speedup.why, "modelled, the first is measured");
  EXPECT_FALSE(speedup.against);
  EXPECT_TRUE(comparison.tallies.empty());
  // A fraction within one device's own times may be shown next to another device's.
  EXPECT_DOUBLE_EQ(*problem.transfer[0][1].reached.fraction, 20.0 / 30);
  EXPECT_DOUBLE_EQ(problem.portability.best()->value, 2 / (1 + 1.5));
}

TEST(Comparison, ImportedTimesAreAKindOfTheirOwn) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  b.protocol = "imported-t4";
  const Comparison comparison = compare({contender_of("A", a, {a.ok("v", "X=1", 100)}),
                                         contender_of("B", b, {b.ok("v", "X=1", 30)})});
  EXPECT_EQ(comparison.problems[0].best[1].kind, TimeKind::kImported);
  EXPECT_EQ(comparison.problems[0].best[1].speedup.why, "imported, the first is measured");
}

TEST(Comparison, ContendersThatAreNotAsTheFirstAreSetAgainstTheFirstOfTheirKind) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B"), c = gpu("cuda:2", "C");
  RowMaker d = gpu("cuda:3", "D");
  b.protocol = c.protocol = "imported-t4";
  const Comparison comparison = compare(
      {contender_of("A", a, {a.ok("v", "X=1", 100)}), contender_of("B", b, {b.ok("v", "X=1", 30)}),
       contender_of("C", c, {c.ok("v", "X=1", 60)}), contender_of("D", d, {d.ok("v", "X=1", 50)})});
  const std::vector<ProblemBest>& best = comparison.problems.at(0).best;
  EXPECT_EQ(best[1].speedup.verdict, Verdict::kNotCompared);
  EXPECT_EQ(best[2].speedup.against, std::optional<std::size_t>(1));
  EXPECT_DOUBLE_EQ(*best[2].speedup.ratio, 0.5);
  EXPECT_EQ(best[3].speedup.against, std::optional<std::size_t>(0));
  EXPECT_DOUBLE_EQ(*best[3].speedup.ratio, 2);
  ASSERT_EQ(comparison.tallies.size(), 2u);
  EXPECT_EQ(comparison.tallies[0].contender, 2u);
  EXPECT_EQ(comparison.tallies[0].against, 1u);
}

TEST(Comparison, TimesOfTwoProtocolsAreNeverDivided) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  b.protocol = "cold-graph-1";
  EXPECT_EQ(speedup_between(a, {a.ok("v", "X=1", 100)}, b, {b.ok("v", "X=1", 30)}).why,
            "protocol cold-graph-1, the first has cold-events-1");
}

TEST(Comparison, AProtocolThatMostContendersHaveIsChosen) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  std::vector<Database::TrialRow> rows = {a.ok("v", "X=1", 100)};
  a.protocol = "cold-graph-1";
  rows.push_back(a.ok("v", "X=1", 96));  // newer, but B has no time under it
  const Comparison comparison =
      compare({contender_of("A", a, rows), contender_of("B", b, {b.ok("v", "X=1", 50)})});
  EXPECT_EQ(comparison.problems[0].best[0].protocol, "cold-events-1");
  EXPECT_EQ(*comparison.problems[0].best[1].speedup.ratio, 2);
  // Without the other contender, the newer protocol counts.
  EXPECT_EQ(compare({contender_of("A", a, rows)}).problems[0].best[0].protocol, "cold-graph-1");
}

TEST(Comparison, FailureAndAbsenceAreSaid) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const std::vector<Database::TrialRow> good = {a.ok("v", "X=1", 100)};
  const std::vector<Database::TrialRow> bad = {b.failed("v", "X=1", Status::kCrashed, "died")};
  const ComparedRatio failed = speedup_between(a, good, b, bad);
  EXPECT_EQ(failed.why, "no time");
  EXPECT_EQ(speedup_between(b, bad, a, good).why, "the first has no time");
  EXPECT_EQ(speedup_between(a, good, b, {}).why, "not tried");
  EXPECT_EQ(speedup_between(b, {}, a, good).why, "the first has not tried it");
}

TEST(Comparison, ATimeOfZeroIsNotDividedBy) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const ComparedRatio speedup = speedup_between(a, {a.ok("v", "X=1", 1)}, b, {b.ok("v", "X=1", 0)});
  EXPECT_EQ(speedup.verdict, Verdict::kNotCompared);
  EXPECT_EQ(speedup.why, "no time");
}

TEST(Comparison, IdenticalContendersShowNoDifference) {
  RowMaker a = gpu("cuda:0", "A");
  const Contender one = contender_of("A", a, {a.ok("v", "X=1", 100), a.ok("v", "X=2", 120)});
  const Comparison comparison = compare({one, one});
  EXPECT_EQ(comparison.problems[0].best[1].speedup.verdict, Verdict::kNoDifference);
  EXPECT_DOUBLE_EQ(comparison.tallies.at(0).geometric_mean, 1);
  EXPECT_TRUE(comparison.differences.empty());
  EXPECT_TRUE(comparison.one_device);
  EXPECT_EQ(comparison.portfolios.at(0).members.size(), 1u);
}

TEST(Comparison, OneContenderIsComparedWithNobody) {
  RowMaker a = gpu("cuda:0", "A");
  const Comparison comparison = compare({contender_of("A", a, {a.ok("v", "X=1", 100)})});
  EXPECT_EQ(comparison.problems[0].best[0].speedup.verdict, Verdict::kFirst);
  EXPECT_EQ(comparison.problems[0].transfer.size(), 1u);
  EXPECT_TRUE(comparison.tallies.empty());
}

TEST(Comparison, OfNobodyIsEmpty) {
  const Comparison comparison = compare({});
  EXPECT_TRUE(comparison.problems.empty());
  EXPECT_FALSE(comparison.one_device);
}

TEST(Comparison, TalliesCountTheVerdictsAndTakeTheGeometricMean) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  std::vector<Database::TrialRow> of_a, of_b;
  const auto add = [&](const char* problem, double us_a, double us_b) {
    a.problem_text = b.problem_text = problem;
    of_a.push_back(a.ok("v", "X=1", us_a));
    of_b.push_back(b.ok("v", "X=1", us_b));
  };
  add("n=1", 100, 50);   // 2x
  add("n=2", 100, 800);  // 1/8x
  add("n=3", 100, 100);
  a.problem_text = "n=4";  // only A
  of_a.push_back(a.ok("v", "X=1", 7));
  const Tally tally =
      compare({contender_of("A", a, of_a), contender_of("B", b, of_b)}).tallies.at(0);
  EXPECT_EQ(tally.compared, 3u);
  EXPECT_EQ(tally.faster, 1u);
  EXPECT_EQ(tally.slower, 1u);
  EXPECT_EQ(tally.no_difference, 1u);
  EXPECT_NEAR(tally.geometric_mean, 0.629960524947, 1e-12);  // (2 / 8) ^ (1/3)
}

TEST(Comparison, PortfoliosSpanProblemsAndContendersOfAKernel) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  std::vector<Database::TrialRow> of_a = {a.ok("v", "X=1", 100), a.ok("v", "X=2", 200)};
  std::vector<Database::TrialRow> of_b = {b.ok("v", "X=1", 100), b.ok("v", "X=2", 50)};
  a.kernel = "swiglu";
  of_a.push_back(a.ok("w", "Y=1", 10));
  const Comparison comparison = compare({contender_of("A", a, of_a), contender_of("B", b, of_b)});
  ASSERT_EQ(comparison.portfolios.size(), 2u);
  EXPECT_EQ(comparison.portfolios[0].kernel, "softmax_topk");
  EXPECT_EQ(comparison.portfolios[0].places, 2u);
  EXPECT_EQ(comparison.portfolios[0].members.size(), 2u);
  EXPECT_EQ(comparison.portfolios[1].kernel, "swiglu");
  EXPECT_EQ(comparison.portfolios[1].places, 1u);
}

TEST(Comparison, CeilingsAreSetAgainstTheFirstWhereTheyAreAlike) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  Contender one = contender_of("A", a, {a.ok("v", "X=1", 100)});
  Contender two = contender_of("B", b, {b.ok("v", "X=1", 100)});
  one.ceilings = {{1, "copy", 4000, "GB/s", 3990, 4010, "ceilings-1", ""},
                  {1, "fma", 60, "TFLOP/s", std::nullopt, std::nullopt, "ceilings-1", ""}};
  two.ceilings = {{1, "copy", 2000, "GB/s", 1990, 2010, "ceilings-1", ""},
                  {1, "fma", 60, "TFLOP/s", std::nullopt, std::nullopt, "ceilings-2", ""},
                  {1, "l2", 9000, "GB/s", std::nullopt, std::nullopt, "ceilings-1", ""}};
  const Comparison comparison = compare({one, two});
  ASSERT_EQ(comparison.ceilings.size(), 3u);
  EXPECT_EQ(comparison.ceilings[0].name, "copy");
  EXPECT_DOUBLE_EQ(*comparison.ceilings[0].ratios[1].ratio, 0.5);
  EXPECT_DOUBLE_EQ(*comparison.ceilings[0].ratios[1].low, 1990.0 / 4010);
  EXPECT_EQ(comparison.ceilings[1].ratios[1].why, "protocol ceilings-2, the first has ceilings-1");
  EXPECT_EQ(comparison.ceilings[2].ratios[1].why, "the first has not measured it");
}

// Two problems: A's best takes 1.25 times the best on B's first one and fails on its second one.
TEST(Comparison, TransfersCountWhatBestConfigurationsReachOnOthers) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  std::vector<Database::TrialRow> of_a = {a.ok("v", "X=1", 50), a.ok("v", "X=2", 100)};
  std::vector<Database::TrialRow> of_b = {b.ok("v", "X=1", 125), b.ok("v", "X=2", 100)};
  a.problem_text = b.problem_text = "rows=9";
  of_a.push_back(a.ok("v", "X=1", 50));
  of_b.push_back(b.failed("v", "X=1", Status::kInvalid, "too large"));
  of_b.push_back(b.ok("v", "X=3", 10));
  a.problem_text = "rows=99";  // only A
  of_a.push_back(a.ok("v", "X=1", 7));
  const Comparison comparison = compare({contender_of("A", a, of_a), contender_of("B", b, of_b)});
  ASSERT_EQ(comparison.transfers.size(), 2u);
  const TransferSummary& there = comparison.transfers[0];
  EXPECT_EQ(there.of, 0u);
  EXPECT_EQ(there.on, 1u);
  EXPECT_EQ(there.problems, 2u);
  EXPECT_EQ(there.timed, 1u);
  EXPECT_EQ(there.failed, 1u);
  EXPECT_DOUBLE_EQ(there.geometric_mean, 0.8);
  EXPECT_DOUBLE_EQ(there.worst, 0.8);
  EXPECT_EQ(comparison.problems.at(there.worst_problem).problem_text,
            "rows=8192 V=50257 K=10 dtype=f32");
  const TransferSummary& back = comparison.transfers[1];
  EXPECT_EQ(back.timed, 1u);
  EXPECT_EQ(back.unknown, 1u);
  EXPECT_DOUBLE_EQ(back.worst, 0.5);
}

TEST(Comparison, PortabilityIsSummarisedOverTheProblemsThatSeveralTried) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  std::vector<Database::TrialRow> of_a = {a.ok("v", "X=1", 50), a.ok("v", "X=2", 100)};
  std::vector<Database::TrialRow> of_b = {b.ok("v", "X=1", 200), b.ok("v", "X=2", 100)};
  a.problem_text = b.problem_text = "rows=9";
  of_a.push_back(a.ok("v", "X=1", 50));
  of_b.push_back(b.ok("v", "X=1", 50));
  a.problem_text = "rows=99";  // only A
  of_a.push_back(a.ok("v", "X=1", 7));
  const Comparison comparison = compare({contender_of("A", a, of_a), contender_of("B", b, of_b)});
  EXPECT_EQ(comparison.portability.problems, 2u);
  EXPECT_DOUBLE_EQ(comparison.portability.worst, 2.0 / 3);  // of 1 and 0.5
  EXPECT_DOUBLE_EQ(comparison.portability.mean, (2.0 / 3 + 1) / 2);
  EXPECT_EQ(comparison.problems.at(comparison.portability.worst_problem).problem_text,
            "rows=8192 V=50257 K=10 dtype=f32");
}

TEST(Comparison, ContendersOfSeveralGpusAreOneMachineIfTheyShareOne) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "A");
  Contender one = contender_of("run:1", a, {a.ok("v", "X=1", 50)});
  Contender two = contender_of("run:2", b, {b.ok("v", "X=1", 50)});
  EXPECT_FALSE(compare({one, two}).one_device);
  one.devices.push_back(two.devices.front());
  EXPECT_TRUE(compare({one, two}).one_device);
}

TEST(Comparison, DifferencesNameWhatIsNotTheSame) {
  RowMaker a = gpu("cuda:0", "NVIDIA H200"), b = gpu("cuda:0", "NVIDIA H200");
  b.driver = "590.1";
  b.contract = "hash-2";
  Contender one = contender_of("run:1", a, {a.ok("v", "X=1", 100)});
  Contender two = contender_of("run:2", b, {b.ok("v", "X=1", 100)});
  two.versions = {"warpwright 0.2.0"};
  two.nvrtc_versions = {};  // not known: no difference
  const Comparison comparison = compare({one, two});
  EXPECT_TRUE(comparison.one_device);
  ASSERT_EQ(comparison.differences.size(), 3u);
  EXPECT_EQ(comparison.differences[0].what, "driver");
  EXPECT_EQ(comparison.differences[0].values, (std::vector<std::string>{"580.159.04", "590.1"}));
  EXPECT_EQ(comparison.differences[1].what, "version");
  EXPECT_EQ(comparison.differences[2].what, "sources of softmax_topk v");
  EXPECT_EQ(comparison.differences[2].values, (std::vector<std::string>{"hash-1", "hash-2"}));
  EXPECT_EQ(comparison.differences[2].kernel, "softmax_topk");
}

}  // namespace
}  // namespace warpwright
