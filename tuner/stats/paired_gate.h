// Decides whether a candidate is slower than its baseline by a relevant margin. Both run in one
// process in blocks ABBA (baseline, candidate, candidate, baseline), so that slow drift cancels
// within a block; the evidence is d = ln(candidate / baseline) of each block's medians. Assumes
// independent blocks, but nothing about the shape of the noise. Times are microseconds, finite and
// > 0; noise and delta are fractions (0.02 is 2 %). Anything else is a broken invariant. The caller
// is responsible for repeating a regression in a fresh process and for correcting over kernels
// (stats/multiple_tests.h).
#pragma once

#include <cstddef>
#include <span>

#include "stats/bootstrap.h"

namespace warpwright {

// The medians of both sides of one block.
struct AbbaBlock {
  double baseline_us = 0;
  double candidate_us = 0;
};

enum class GateVerdict {
  kOk,            // a change of delta or more in either direction is excluded
  kRegression,    // slower by more than delta
  kImproved,      // faster by more than delta
  kInconclusive,  // too few blocks, or too noisy
};

struct GateOptions {
  double least_delta = 0.02;
  double noise_factor = 3;
  double confidence = 0.99;  // of each bound, one-sided
  BootstrapOptions bootstrap;
};

struct GateResult {
  GateVerdict verdict = GateVerdict::kInconclusive;
  double median_d = 0;  // a logarithm of ratios, like the two bounds
  double low_bound = 0;
  double high_bound = 0;
  double delta = 0;  // the requested fraction
  double p = 1;      // two-sided sign test of d, for corrections over kernels
};

// The noise of one side's block median, from blocks whose two sides run the same kernel: a robust
// standard deviation of d (1.4826 times the median of |d|, since d is 0 on average) divided by
// sqrt(2), since d is the difference of two medians. 0 without blocks.
[[nodiscard]] double aa_noise(std::span<const AbbaBlock> same_kernel);

// max(least_delta, noise_factor * noise).
[[nodiscard]] double gate_delta(double noise, const GateOptions& options = {});

// kRegression iff the median of d > ln(1 + delta) and the lower bootstrap bound of d's median >
// ln(1 + delta / 2); kImproved is the same for -d. Otherwise kOk iff both bounds lie within ln(1 +
// delta) of 0. Fewer blocks than can carry a bound (7 at 99 %: all of them lie on one side of the
// median with probability 2^-n) are inconclusive; an empty list is allowed.
[[nodiscard]] GateResult judge_blocks(std::span<const AbbaBlock> blocks, double noise,
                                      const GateOptions& options = {});

}  // namespace warpwright
