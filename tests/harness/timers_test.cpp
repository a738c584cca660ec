// Bias, CV and wall time, computed from reports.
#include "harness/selftest/timers.h"

#include <gmock/gmock.h>

#include <cmath>

#include "core/error.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::set<Section> kAll = {Section::kBias, Section::kCv, Section::kWall};

TimerReport report_of(double target_us, double reported_us, double truth_us) {
  TimerReport report;
  report.kernel = "spin";
  report.target_us = target_us;
  report.truth_us = truth_us;
  report.cold.protocol = "cold-graph-1";
  report.cold.value_us = reported_us;
  report.cold.raw_us = reported_us + 3;
  report.wall_ms = 10;
  report.wall_samples = 20;
  report.wall_half_width = 0.004;
  return report;
}

TimerRun run_of(double target_us, double reported_us, double truth_us) {
  return {target_us, report_of(target_us, reported_us, truth_us), ""};
}

const Figure& find(const std::vector<Figure>& figures, const std::string& section,
                   const std::string& size) {
  for (const Figure& figure : figures)
    if (figure.section == section && figure.size == size) return figure;
  throw user_error("no figure " + section + " of " + size);
}

TEST(Timers, BiasOfTheShortKernelIsInMicrosecondsAndOfLongerOnesInPerCent) {
  const auto figures = timer_figures(
      {run_of(5, 5.1, 5), run_of(5, 5.3, 5), run_of(50, 50.4, 50), run_of(1000, 997, 1000)}, kAll);
  const Figure& five = find(figures, "bias", "5 us");
  EXPECT_NEAR(five.value, 0.2, 1e-9);
  EXPECT_EQ(five.unit, "us");
  EXPECT_FALSE(five.passed());
  const Figure& fifty = find(figures, "bias", "50 us");
  EXPECT_NEAR(fifty.value, 0.8, 1e-9);
  EXPECT_EQ(fifty.unit, "%");
  EXPECT_FALSE(fifty.passed());
  EXPECT_NEAR(find(figures, "bias", "1 ms").value, 0.3, 1e-9) << "a bias downwards counts too";
}

TEST(Timers, BiasesInBothDirectionsCancelInTheMean) {
  const auto figures = timer_figures({run_of(50, 50.5, 50), run_of(50, 49.5, 50)}, kAll);
  EXPECT_NEAR(find(figures, "bias", "50 us").value, 0, 1e-9);
}

TEST(Timers, EachProcessIsHeldAgainstItsOwnTruth) {
  const auto figures = timer_figures({run_of(50, 50, 50), run_of(50, 60, 60)}, kAll);
  EXPECT_TRUE(find(figures, "bias", "50 us").passed());
}

TEST(Timers, CvIsThatBetweenProcesses) {
  const auto figures = timer_figures({run_of(50, 49, 50), run_of(50, 51, 50)}, kAll);
  EXPECT_NEAR(find(figures, "cv", "50 us").value, 100 * std::sqrt(2.0) / 50, 1e-9);
  EXPECT_FALSE(find(figures, "cv", "50 us").passed());
}

TEST(Timers, OneProcessHasNoCv) {
  EXPECT_FALSE(find(timer_figures({run_of(50, 50, 50)}, kAll), "cv", "50 us").passed());
}

TEST(Timers, TheShortKernelIsShownColdAsWellWithoutATarget) {
  const auto figures = timer_figures({run_of(5, 5.1, 5), run_of(5, 5.1, 5)}, kAll);
  const Figure& subtracted = find(figures, "bias", "5 us, cold, floor subtracted");
  EXPECT_NEAR(subtracted.value, 0.1, 1e-9);
  EXPECT_FALSE(subtracted.target.given());
  EXPECT_NEAR(find(figures, "bias", "5 us, cold, raw").value, 3.1, 1e-9);
}

TEST(Timers, WallTimeIsTheMedianOverProcesses) {
  std::vector<TimerRun> runs(3, run_of(1000, 1000, 1000));
  runs[0].report->wall_ms = 400;
  const Figure wall = find(timer_figures(runs, kAll), "wall", "1 ms");
  EXPECT_DOUBLE_EQ(wall.value, 10);
  EXPECT_THAT(wall.detail, HasSubstr("20 samples, slowest 400.0 ms"));
}

TEST(Timers, AnIntervalThatWasNeverReachedHasNoWallTime) {
  std::vector<TimerRun> runs(3, run_of(50, 50, 50));
  runs[1].report->wall_half_width = 0.02;
  const Figure wall = find(timer_figures(runs, kAll), "wall", "50 us");
  EXPECT_FALSE(wall.passed());
  EXPECT_EQ(wall.detail, "1 of 3 processes never reached it");
}

TEST(Timers, AProcessWithoutAReportFailsTheFiguresOfItsSizeOnly) {
  std::vector<TimerRun> runs = {run_of(50, 50, 50), {50, std::nullopt, "no memory"}};
  runs.push_back(run_of(1000, 1000, 1000));
  const auto figures = timer_figures(runs, kAll);
  EXPECT_FALSE(find(figures, "bias", "50 us").passed());
  EXPECT_EQ(find(figures, "bias", "50 us").detail, "1 of 2 processes gave no report: no memory");
  EXPECT_TRUE(find(figures, "bias", "1 ms").passed());
}

TEST(Timers, OnlyTheWantedSectionsHaveFigures) {
  for (const Figure& figure : timer_figures({run_of(50, 50, 50)}, {Section::kWall}))
    EXPECT_EQ(figure.section, "wall");
}

TEST(Timers, SizesTakeTurns) {
  std::vector<double> asked;
  Workers workers;
  workers.ask = [&](const nlohmann::json& task) {
    asked.push_back(task.at("target_us").get<double>());
    return nlohmann::json(report_of(asked.back(), asked.back(), asked.back()));
  };
  const SectionResult result = run_timers(workers, 2, kAll);
  EXPECT_EQ(asked, (std::vector<double>{5, 50, 1000, 5, 50, 1000}));
  EXPECT_EQ(result.raw.size(), 6u);
  EXPECT_THAT(result.protocols, ::testing::ElementsAre("cold-graph-1"));
}

TEST(Timers, EveryProcessTimesTheStepsThatTheFirstOneChose) {
  std::vector<std::string> sizes;
  Workers workers;
  workers.ask = [&](const nlohmann::json& task) {
    sizes.push_back(task.contains("size") ? task.at("size").dump() : "free");
    TimerReport report = report_of(task.at("target_us").get<double>(), 1, 1);
    report.size = static_cast<std::int64_t>(10 * report.target_us) + std::ssize(sizes);
    return nlohmann::json(report);
  };
  (void)run_timers(workers, 3, kAll);
  EXPECT_THAT(sizes, ::testing::ElementsAre("free", "free", "free", "51", "502", "10003", "51",
                                            "502", "10003"));
}

TEST(Timers, AWorkerThatDiesIsInTheRawNumbers) {
  Workers workers;
  workers.ask = [](const nlohmann::json&) -> nlohmann::json {
    throw environment_error("the process died");
  };
  const SectionResult result = run_timers(workers, 2, kAll);
  EXPECT_EQ(result.raw.at(0).at("error"), "the process died");
  EXPECT_THAT(find(result.figures, "cv", "5 us").detail, StartsWith("2 of 2 processes"));
}

}  // namespace
}  // namespace warpwright
