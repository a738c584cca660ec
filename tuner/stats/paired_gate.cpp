#include "stats/paired_gate.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "stats/median.h"
#include "stats/paired_test.h"

namespace warpwright {
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
