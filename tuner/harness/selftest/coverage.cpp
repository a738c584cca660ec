#include "harness/selftest/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/selftest/selftest_bench.h"
#include "records/codec.h"
#include "stats/median.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

constexpr double kTargetUs = 50;
constexpr int kSamples = 20;
// Intervals should also contain the results of other processes, which differ nearly as much as
// measurements within one process: with few processes the share would depend on chance.
constexpr int kInOneProcess = 25;
// Differences below this are the rounding of numbers, not steps of a clock.
constexpr double kNoStepUs = 1e-5;

// The smallest difference between two different samples; 0 when all are equal.
double clock_step_us(const std::vector<std::vector<double>>& samples_us) {
  std::vector<double> all;
  for (const auto& samples : samples_us) all.insert(all.end(), samples.begin(), samples.end());
  std::sort(all.begin(), all.end());
  double step_us = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const double gap_us = all[i] - all[i - 1];
    if (gap_us > kNoStepUs && (step_us == 0 || gap_us < step_us)) step_us = gap_us;
  }
  return step_us;
}

std::size_t distinct(const std::vector<std::vector<double>>& samples_us) {
  std::vector<double> all;
  for (const auto& samples : samples_us) all.insert(all.end(), samples.begin(), samples.end());
  std::sort(all.begin(), all.end());
  return static_cast<std::size_t>(
      std::unique(all.begin(), all.end(), [](double a, double b) { return b - a <= kNoStepUs; }) -
      all.begin());
}

// Replaces each sample by a random value within its step of the clock.
std::vector<std::vector<double>> spread_over_steps(const CoverageRuns& runs, double step_us) {
  SplitMix64 random(1);
  std::vector<std::vector<double>> spread = runs.samples_us;
  for (auto& samples : spread)
    for (double& sample : samples) sample += (random.uniform() - 0.5) * step_us;
  return spread;
}

double median_of_all(const CoverageRuns& runs, const std::vector<std::vector<double>>& samples_us) {
  std::vector<double> all;
  for (std::size_t i = 0; i < samples_us.size(); ++i)
    for (const double sample : samples_us[i])
      all.push_back(without_floor(sample, runs.floor_us[i]));
  return median(all);
}

// The number of measurements whose intervals contain the truth.
std::size_t holding(const CoverageRuns& runs, const std::vector<std::vector<double>>& samples_us,
                    double truth_us) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < samples_us.size(); ++i) {
    const TimeEstimate time =
        estimate(samples_us[i], runs.protocol, runs.floor_us[i], runs.drift_us);
    if (time.ci_low_us <= truth_us && truth_us <= time.ci_high_us) ++count;
  }
  return count;
}

}  // namespace

WARPWRIGHT_CODEC(CoverageRuns, about_us, protocol, samples_us, floor_us, drift_us)

CoverageRuns measure_coverage(const Bench& bench, int measurements) {
  const auto subject = Subject::make(bench, "spin", kTargetUs);
  const auto plan = subject->kernel().plan(subject->configuration());
  (void)take_or_throw(*plan, kSamples);
  CoverageRuns runs;
  runs.about_us = subject->about_us();
  for (int i = 0; i < measurements; ++i) {
    Samples taken = take_or_throw(*plan, kSamples);
    runs.protocol = taken.protocol;
    runs.floor_us.push_back(taken.floor_us);
    runs.drift_us = taken.drift_us;
    runs.samples_us.push_back(std::move(taken.elapsed_us));
  }
  return runs;
}

std::vector<Figure> coverage_figures(const CoverageRuns& runs) {
  const std::size_t count = runs.samples_us.size();
  const double step_us = clock_step_us(runs.samples_us);
  Figure reported{"coverage", "of 95 % intervals", "50 us", 0, "%", Target::between(93, 97), {}};
  const auto spread = spread_over_steps(runs, step_us);
  // The truth is not rounded to the clock's steps. If it were, an interval a little too short would
  // miss a whole step of medians at once.
  const double truth_us = median_of_all(runs, spread);
  std::size_t held = holding(runs, runs.samples_us, truth_us);
  reported.value = percent(held, count);
  reported.detail = fmt::format(
      "{} of {} samples hold the median; {} different samples, clock steps {:.4g} us, "
      "drift {:.2g} us",
      of(held, count), runs.samples_us.empty() ? 0 : runs.samples_us.front().size(),
      distinct(runs.samples_us), step_us, runs.drift_us);

  Figure smooth = reported;
  smooth.size = "50 us, spread over clock steps";
  smooth.target = Target::none();
  held = holding(runs, spread, truth_us);
  smooth.value = percent(held, count);
  smooth.detail =
      fmt::format("{}; for the reader: what equal samples add is taken out", of(held, count));
  return {reported, smooth};
}

SectionResult run_coverage(const Workers& workers, int measurements) {
  workers.step(fmt::format("coverage, {} measurements", measurements));
  SectionResult result;
  CoverageRuns runs;
  for (int left = measurements; left > 0; left -= kInOneProcess) {
    const int each = std::min(left, kInOneProcess);
    const auto more = workers.ask({{"do", "coverage"}, {"measurements", each}}).get<CoverageRuns>();
    runs.about_us = more.about_us;
    runs.protocol = more.protocol;
    runs.drift_us = more.drift_us;
    runs.floor_us.insert(runs.floor_us.end(), more.floor_us.begin(), more.floor_us.end());
    runs.samples_us.insert(runs.samples_us.end(), more.samples_us.begin(), more.samples_us.end());
  }
  result.raw = runs;
  result.protocols.insert(runs.protocol);
  result.figures = coverage_figures(runs);
  return result;
}

}  // namespace warpwright
