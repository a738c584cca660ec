// Picks, tau and faults, computed from fake sweeps, and the options with which they request sweeps.
#include "harness/selftest/sweep_sections.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

const std::filesystem::path kSectionsHome = WARPWRIGHT_SOURCE_DIR;

SpaceTruth spin_truth() {
  return {kSectionsHome / "configs" / "harness_spin.yaml",
          kSectionsHome / "kernels" / "harness_spin" / "kernel.yaml",
          {}};
}

Configuration point(int a, int b, int c) {
  return {"space", {{"A", a}, {"B", b}, {"C", c}, {"LABEL", 0}}};
}

// A sweep with these times for these configurations, the first of them tied.
SweepResult sweep_of(std::vector<std::pair<Configuration, double>> times, std::size_t tied = 1) {
  SweepResult result;
  result.ended = RunEnd::kComplete;
  result.protocol = "cold-graph-1";
  for (const auto& [configuration, median_us] : times)
    result.trials.push_back({configuration, Status::kOk, "", median_us});
  std::sort(times.begin(), times.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  for (const auto& [configuration, median_us] : times) {
    result.ranked.push_back(configuration);
    if (result.tied.size() < tied) result.tied.push_back(configuration);
  }
  return result;
}

TEST(Picks, AreHeldAgainstTheTruthAndNotAgainstTheirTimes) {
  const SpaceTruth truth = spin_truth();
  const SweepResult good = sweep_of({{point(3, 3, 2), 59}, {point(1, 1, 1), 100}});
  const SweepResult fooled = sweep_of({{point(3, 3, 2), 59}, {point(5, 3, 2), 50}});
  EXPECT_DOUBLE_EQ(picks_figure({good, good}, truth).value, 100);
  const Figure figure = picks_figure({good, fooled}, truth);
  EXPECT_DOUBLE_EQ(figure.value, 50);
  EXPECT_FALSE(figure.passed());
  EXPECT_EQ(figure.size, "201 configurations");
}

TEST(Picks, OneBadOfTwentyIsTooMany) {
  std::vector<SweepResult> tunings(20, sweep_of({{point(3, 3, 2), 59}}));
  EXPECT_TRUE(picks_figure(tunings, spin_truth()).passed());
  tunings[7] = sweep_of({{point(5, 3, 2), 59}});
  EXPECT_FALSE(picks_figure(tunings, spin_truth()).passed());
}

TEST(Picks, TheSecondBestIsWithinOnePerCent) {
  EXPECT_TRUE(picks_figure({sweep_of({{point(3, 3, 3), 59}})}, spin_truth()).passed());
}

TEST(Picks, ATuningThatFoundNothingIsNoGoodPick) {
  const Figure figure = picks_figure({SweepResult{}}, spin_truth());
  EXPECT_DOUBLE_EQ(figure.value, 0);
  EXPECT_THAT(figure.detail, HasSubstr("1 found nothing"));
}

TEST(Picks, EveryTuningHasItsOwnSeedAndOrder) {
  std::vector<SweepOptions> asked;
  const RunSweep sweep = [&](const std::string& config, const SweepOptions& options) {
    EXPECT_EQ(config, "harness_spin.yaml");
    asked.push_back(options);
    return sweep_of({{point(3, 3, 2), 59}});
  };
  const SectionResult result = run_picks({}, sweep, spin_truth(), 3);
  ASSERT_EQ(asked.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(asked[i].seed, i + 1);
    EXPECT_EQ(asked[i].strategy, "random");
    EXPECT_TRUE(asked[i].screening);
    EXPECT_TRUE(asked[i].rank);
  }
  EXPECT_DOUBLE_EQ(result.raw.at(2).at("pick_over_best").get<double>(), 1);
}

TEST(Tau, TheSameOrderIsOneAndTheReverseIsNot) {
  const SweepResult one = sweep_of({{point(3, 3, 2), 1}, {point(3, 3, 3), 2}, {point(1, 1, 1), 3}});
  const SweepResult same =
      sweep_of({{point(1, 1, 1), 9}, {point(3, 3, 2), 5}, {point(3, 3, 3), 6}});
  const SweepResult reverse =
      sweep_of({{point(3, 3, 2), 3}, {point(3, 3, 3), 2}, {point(1, 1, 1), 1}});
  EXPECT_DOUBLE_EQ(tau_figure(one, same).value, 1);
  EXPECT_TRUE(tau_figure(one, same).passed());
  EXPECT_DOUBLE_EQ(tau_figure(one, reverse).value, -1);
}

TEST(Tau, OnlyWhatBothTimedIsCompared) {
  SweepResult one = sweep_of({{point(3, 3, 2), 1}, {point(3, 3, 3), 2}, {point(1, 1, 1), 3}});
  const SweepResult other = one;
  one.trials[1] = {point(3, 3, 3), Status::kNoisy, "clocks", std::nullopt};
  EXPECT_DOUBLE_EQ(tau_figure(one, other).value, 1);
  EXPECT_EQ(tau_figure(one, other).detail, "2 of 3 were timed in both");
}

TEST(Tau, NothingTimedProvesNothing) { EXPECT_FALSE(tau_figure({}, {}).passed()); }

TEST(Tau, TieSetsMustShareSomething) {
  const SweepResult one = sweep_of({{point(3, 3, 2), 1}, {point(3, 3, 3), 2}}, 2);
  EXPECT_DOUBLE_EQ(ties_figure(one, one).value, 2);
  const SweepResult apart = sweep_of({{point(1, 1, 1), 1}}, 1);
  EXPECT_FALSE(ties_figure(one, apart).passed());
}

TEST(Tau, ScreeningCountsItsRanking) {
  SweepResult full;
  full.measure_seconds = 9;
  SweepResult screened;
  screened.measure_seconds = 2;
  screened.ranking_seconds = 0.5;
  EXPECT_NEAR(screening_figure(screened, full).value, 100 * 2.5 / 9, 1e-9);
  EXPECT_TRUE(screening_figure(screened, full).passed());
  screened.ranking_seconds = 2;
  EXPECT_FALSE(screening_figure(screened, full).passed());
}

TEST(Tau, NothingMeasuredProvesNothingAboutScreening) {
  EXPECT_FALSE(screening_figure({}, {}).passed());
}

TEST(Tau, AsksForTheWholeSpaceInTwoOrdersAndOnceScreened) {
  std::vector<SweepOptions> asked;
  const RunSweep sweep = [&](const std::string&, const SweepOptions& options) {
    asked.push_back(options);
    return sweep_of({{point(3, 3, 2), 1}, {point(3, 3, 3), 2}});
  };
  (void)run_tau({}, sweep, 201);
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_NE(asked[0].seed, asked[1].seed);
  for (const SweepOptions& options : asked) {
    EXPECT_EQ(options.strategy, "random");
    ASSERT_TRUE(options.budget);
    EXPECT_EQ(options.budget->trials, 201);
    EXPECT_FALSE(options.budget->time);
  }
  EXPECT_FALSE(asked[0].screening);
  EXPECT_FALSE(asked[1].screening);
  EXPECT_TRUE(asked[2].screening);
}

// Two good variants, and three that fail as expected.
SweepResult faulty_sweep() {
  const Configuration good_one = {"scaled", {{"THREADS", 64}}};
  const Configuration good_two = {"scaled", {{"THREADS", 128}}};
  SweepResult result = sweep_of({{good_one, 1}, {good_two, 2}});
  result.trials.push_back({{"hang", {}}, Status::kTimeout, "10 s", std::nullopt});
  result.trials.push_back({{"crash", {}}, Status::kLaunchFailed, "trap", std::nullopt});
  result.trials.push_back({{"illegal", {}}, Status::kCrashed, "died", std::nullopt});
  result.wall_seconds = 14;
  return result;
}

SweepResult good_sweep() {
  SweepResult result = faulty_sweep();
  result.trials.resize(2);
  result.wall_seconds = 2;
  return result;
}

TEST(Faults, AreAllMetWhenTheGoodOnesAreRankedAndTheBadOnesNamed) {
  const auto figures = fault_figures(faulty_sweep(), good_sweep());
  ASSERT_EQ(figures.size(), 3u);
  for (const Figure& figure : figures) EXPECT_TRUE(figure.passed()) << figure.name;
  EXPECT_EQ(figures[1].detail, "hang timeout, crash launch_failed, illegal crashed");
  EXPECT_DOUBLE_EQ(figures[2].value, 12);
}

TEST(Faults, AGoodOneThatIsMissingShows) {
  SweepResult with = faulty_sweep();
  with.ranked.pop_back();
  EXPECT_FALSE(fault_figures(with, good_sweep()).at(0).passed());
}

TEST(Faults, ASweepThatDidNotCompleteShows) {
  SweepResult with = faulty_sweep();
  with.ended = RunEnd::kBudget;
  EXPECT_FALSE(fault_figures(with, good_sweep()).at(0).passed());
}

TEST(Faults, ABadOneThatPassedShows) {
  SweepResult with = faulty_sweep();
  with.trials[3].status = Status::kOk;
  EXPECT_FALSE(fault_figures(with, good_sweep()).at(1).passed());
}

TEST(Faults, MoreThanThirtySecondsLostShow) {
  SweepResult with = faulty_sweep();
  with.wall_seconds = 33;
  EXPECT_FALSE(fault_figures(with, good_sweep()).at(2).passed());
}

TEST(Faults, TwoEmptySweepsProveNothing) { EXPECT_FALSE(fault_figures({}, {}).at(0).passed()); }

TEST(Faults, AskForTheSweepWithAndWithoutTheBadVariants) {
  std::vector<std::vector<std::string>> overrides;
  const RunSweep sweep = [&](const std::string& config, const SweepOptions& options) {
    EXPECT_EQ(config, "harness_faults.yaml");
    EXPECT_FALSE(options.screening);
    overrides.push_back(options.overrides);
    return options.overrides.empty() ? faulty_sweep() : good_sweep();
  };
  const SectionResult result = run_faults({}, sweep);
  EXPECT_THAT(overrides, ::testing::ElementsAre(::testing::IsEmpty(),
                                                ::testing::ElementsAre("variant=scaled")));
  EXPECT_EQ(result.raw.at("with").at("trials").size(), 5u);
}

}  // namespace
}  // namespace warpwright
