// Coverage of intervals whose samples are known.
#include "harness/selftest/coverage.h"

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "harness/known_device.h"

namespace warpwright::testing {
namespace {

// 1000 measurements of 20 samples; `drift` is the change of the whole device meanwhile.
CoverageRuns runs_of(double clock_step_us, double drift_us) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(50, 0.05);
  CoverageRuns runs;
  runs.protocol = "cold-graph-1";
  constexpr int kMeasurements = 1000;
  for (int i = 0; i < kMeasurements; ++i) {
    std::vector<double> samples(20);
    for (double& sample : samples) {
      sample = normal(random) + drift_us * i / kMeasurements;
      if (clock_step_us > 0) sample = clock_step_us * std::round(sample / clock_step_us);
    }
    runs.samples_us.push_back(samples);
    runs.floor_us.push_back(3);
  }
  return runs;
}

TEST(Coverage, OfIndependentSamplesIsWhatIntervalsPromise) {
  const auto figures = coverage_figures(runs_of(0, 0));
  EXPECT_TRUE(figures.at(0).passed()) << figures.at(0).value;
  EXPECT_NEAR(figures.at(0).value, 95.9, 1.5);
}

TEST(Coverage, OfADriftingDeviceIsTooLow) {
  const auto figures = coverage_figures(runs_of(0, 0.1));
  EXPECT_LT(figures.at(0).value, 93);
  EXPECT_FALSE(figures.at(0).passed());
}

TEST(Coverage, ACoarseClockCoversTooRarelyUnlessItsStepsAreSpread) {
  const auto figures = coverage_figures(runs_of(0.04, 0));
  EXPECT_LT(figures.at(0).value, 93);
  EXPECT_THAT(figures.at(0).detail, ::testing::HasSubstr("clock steps 0.04 us"));
  EXPECT_NEAR(figures.at(1).value, 95.9, 2);
  EXPECT_FALSE(figures.at(1).target.given());
}

TEST(Coverage, AFloorThatMovesIsTakenOff) {
  CoverageRuns runs = runs_of(0, 0);
  for (std::size_t i = 0; i < runs.samples_us.size(); ++i) {
    runs.floor_us[i] += static_cast<double>(i);
    for (double& sample : runs.samples_us[i]) sample += static_cast<double>(i);
  }
  EXPECT_NEAR(coverage_figures(runs).at(0).value, coverage_figures(runs_of(0, 0)).at(0).value,
              1e-9);
}

TEST(Coverage, IsMeasuredTwentySamplesAtATime) {
  KnownBench known;
  const CoverageRuns runs = measure_coverage(known.bench, 30);
  ASSERT_EQ(runs.samples_us.size(), 30u);
  EXPECT_EQ(runs.samples_us.back().size(), 20u);
  EXPECT_EQ(runs.protocol, "cold-graph-1");
  EXPECT_NEAR(runs.about_us, 50, 0.1);
}

TEST(Coverage, CrossesThePipeWhole) {
  const nlohmann::json json = runs_of(0, 0);
  EXPECT_EQ(nlohmann::json(json.get<CoverageRuns>()), json);
}

}  // namespace
}  // namespace warpwright::testing
