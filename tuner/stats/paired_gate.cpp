#include "stats/paired_gate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/error.h"
#include "stats/hypothesis_tests.h"
#include "stats/median.h"

namespace warpwright {
namespace {

void check_samples(std::span<const double> samples, const BootstrapOptions& options) {
  WARPWRIGHT_CHECK(!samples.empty(), "a bootstrap needs a sample");
  WARPWRIGHT_CHECK(samples.size() <= std::numeric_limits<std::uint32_t>::max(),
                   "a bootstrap counts samples in 32 bits");
  WARPWRIGHT_CHECK(options.replicates > 0, "a bootstrap needs a replicate");
  for (const double sample : samples) {
    WARPWRIGHT_CHECK(std::isfinite(sample), "a bootstrap needs finite samples");
  }
}

std::vector<double> replicates_of(std::span<const double> samples, const Statistic& statistic,
                                  const BootstrapOptions& options) {
  check_samples(samples, options);
  SplitMix64 random(options.seed);
  const auto count = static_cast<std::uint32_t>(samples.size());
  std::vector<double> resample(samples.size());
  std::vector<double> replicates(options.replicates);
  for (double& replicate : replicates) {
    for (double& value : resample) value = samples[random.below(count)];
    replicate = statistic(resample);
    WARPWRIGHT_CHECK(std::isfinite(replicate), "a bootstrapped statistic must be finite");
  }
  return replicates;
}

std::vector<double> replicates_of_median(std::span<const double> samples,
                                         const BootstrapOptions& options) {
  check_samples(samples, options);
  std::vector<double> sorted(samples.begin(), samples.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::uint32_t> order(sorted.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::uint32_t> counts(sorted.size());
  SplitMix64 random(options.seed);
  std::vector<double> replicates(options.replicates);
  for (double& replicate : replicates) {
    draw_counts(random, counts);
    replicate = median_of_counts(sorted, order, counts);
  }
  return replicates;
}

// The replicate of rank floor((B + 1) alpha), at least 1.
double low_percentile(std::span<double> replicates, double alpha) {
  WARPWRIGHT_CHECK(!replicates.empty(), "a percentile needs a replicate");
  WARPWRIGHT_CHECK(alpha > 0 && alpha <= 0.5, "a confidence must lie below 1 and exclude a half");
  const double position = static_cast<double>(replicates.size() + 1) * alpha;
  // 0.025 * 2000 must not become 49 because 1 - 0.95 is not exact.
  const auto rank = static_cast<std::size_t>(std::max(1.0, std::floor(position + 1e-9)));
  const auto nth = replicates.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(replicates.begin(), nth, replicates.end());
  return *nth;
}

}  // namespace

void draw_counts(SplitMix64& random, std::span<std::uint32_t> counts) {
  std::fill(counts.begin(), counts.end(), 0U);
  const auto count = static_cast<std::uint32_t>(counts.size());
  for (std::uint32_t i = 0; i < count; ++i) ++counts[random.below(count)];
}

double median_of_counts(std::span<const double> samples, std::span<const std::uint32_t> order,
                        std::span<const std::uint32_t> counts) {
  const std::size_t low_rank = (samples.size() - 1) / 2;
  const std::size_t high_rank = samples.size() / 2;
  std::size_t at = 0;
  std::size_t through = counts[order[0]];
  while (through <= low_rank) through += counts[order[++at]];
  const double low = samples[order[at]];
  while (through <= high_rank) through += counts[order[++at]];
  return 0.5 * (low + samples[order[at]]);
}

BootstrapInterval percentile_interval(std::span<double> replicates, double confidence) {
  const double alpha = (1 - confidence) / 2;
  const double low = low_percentile(replicates, alpha);
  for (double& replicate : replicates) replicate = -replicate;
  const double high = -low_percentile(replicates, alpha);
  for (double& replicate : replicates) replicate = -replicate;
  return {low, high};
}

double percentile_lower_bound(std::span<double> replicates, double confidence) {
  return low_percentile(replicates, 1 - confidence);
}

BootstrapInterval bootstrap_interval(std::span<const double> samples, const Statistic& statistic,
                                     double confidence, const BootstrapOptions& options) {
  std::vector<double> replicates = replicates_of(samples, statistic, options);
  return percentile_interval(replicates, confidence);
}

BootstrapInterval bootstrap_median_interval(std::span<const double> samples, double confidence,
                                            const BootstrapOptions& options) {
  std::vector<double> replicates = replicates_of_median(samples, options);
  return percentile_interval(replicates, confidence);
}

double bootstrap_median_lower_bound(std::span<const double> samples, double confidence,
                                    const BootstrapOptions& options) {
  std::vector<double> replicates = replicates_of_median(samples, options);
  return percentile_lower_bound(replicates, confidence);
}

namespace {

// The factor that turns the median absolute deviation of normal noise into its standard deviation.
constexpr double kNormalMad = 1.482602218505602;

std::vector<double> log_ratios(std::span<const AbbaBlock> blocks) {
  std::vector<double> d;
  d.reserve(blocks.size());
  for (const AbbaBlock& block : blocks) {
    WARPWRIGHT_CHECK(std::isfinite(block.baseline_us) && block.baseline_us > 0 &&
                         std::isfinite(block.candidate_us) && block.candidate_us > 0,
                     "a time must be finite and above 0");
    d.push_back(std::log(block.candidate_us / block.baseline_us));
  }
  return d;
}

}  // namespace

double aa_noise(std::span<const AbbaBlock> same_kernel) {
  std::vector<double> d = log_ratios(same_kernel);
  for (double& value : d) value = std::fabs(value);
  return kNormalMad * median_in_place(d) / std::sqrt(2.0);
}

double gate_delta(double noise, const GateOptions& options) {
  WARPWRIGHT_CHECK(std::isfinite(noise) && noise >= 0, "noise must be finite and not below 0");
  return std::max(options.least_delta, options.noise_factor * noise);
}

GateResult judge_blocks(std::span<const AbbaBlock> blocks, double noise,
                        const GateOptions& options) {
  GateResult result;
  result.delta = gate_delta(noise, options);
  if (blocks.empty()) return result;
  std::vector<double> d = log_ratios(blocks);
  result.median_d = median(d);
  result.p = sign_test(d).p;
  result.low_bound = bootstrap_median_lower_bound(d, options.confidence, options.bootstrap);
  for (double& value : d) value = -value;
  result.high_bound = -bootstrap_median_lower_bound(d, options.confidence, options.bootstrap);

  const double limit = std::log1p(result.delta);
  const double half_limit = std::log1p(result.delta / 2);
  const bool enough = std::ldexp(1.0, -static_cast<int>(std::min<std::size_t>(d.size(), 1000))) <=
                      1 - options.confidence;
  if (!enough) return result;
  if (result.median_d > limit && result.low_bound > half_limit) {
    result.verdict = GateVerdict::kRegression;
  } else if (result.median_d < -limit && result.high_bound < -half_limit) {
    result.verdict = GateVerdict::kImproved;
  } else if (result.low_bound >= -limit && result.high_bound <= limit) {
    result.verdict = GateVerdict::kOk;
  }
  return result;
}

}  // namespace warpwright
