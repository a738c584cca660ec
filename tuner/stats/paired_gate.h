// The verdict of a race between two kernels, and the percentile bootstrap that it rests on.
//
// The bootstrap estimates the distribution of a statistic by resampling the given samples. Assumes
// independent samples of one distribution. Deterministic: a seed gives the same draws on every
// platform. Results have the units of the statistic. Every sample must be finite and there must be
// at least one; anything else is a broken invariant. With few samples it is overconfident: the ends
// lie within the samples, so n of them bound a median with at most 1 - 2^(1-n) confidence (1 - 2^-n
// one-sided), whatever confidence is requested. Source: B. Efron and R. J. Tibshirani, An
// Introduction to the Bootstrap (1993), chapter 13; with B replicates the ends are those of rank k
// = floor((B + 1) alpha) and B + 1 - k.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "stats/split_mix.h"

namespace warpwright {

struct BootstrapOptions {
  std::size_t replicates = 2000;
  std::uint64_t seed = 1;
};

struct BootstrapInterval {
  double low = 0;
  double high = 0;
};

// Computes a statistic from resampled values, which it may reorder; the result must be finite.
using Statistic = std::function<double(std::span<double>)>;

// Two-sided: each end is missed with probability (1 - confidence) / 2.
[[nodiscard]] BootstrapInterval bootstrap_interval(std::span<const double> samples,
                                                   const Statistic& statistic,
                                                   double confidence = 0.95,
                                                   const BootstrapOptions& options = {});

// The same for the median, an order of magnitude faster, because nothing is copied or sorted again.
[[nodiscard]] BootstrapInterval bootstrap_median_interval(std::span<const double> samples,
                                                          double confidence = 0.95,
                                                          const BootstrapOptions& options = {});
// One-sided: the true median lies below with probability 1 - confidence.
[[nodiscard]] double bootstrap_median_lower_bound(std::span<const double> samples,
                                                  double confidence = 0.95,
                                                  const BootstrapOptions& options = {});

// Building blocks for statistics of several series that must be resampled together.

// Draws counts.size() times with replacement: counts[i] becomes how often sample i was drawn.
void draw_counts(SplitMix64& random, std::span<std::uint32_t> counts);
// The median of the resample that `counts` describes; `order` lists the samples' indices from the
// smallest sample to the largest.
[[nodiscard]] double median_of_counts(std::span<const double> samples,
                                      std::span<const std::uint32_t> order,
                                      std::span<const std::uint32_t> counts);
// The ends of the interval from a statistic's replicates, which are reordered.
[[nodiscard]] BootstrapInterval percentile_interval(std::span<double> replicates,
                                                    double confidence);
[[nodiscard]] double percentile_lower_bound(std::span<double> replicates, double confidence);

// Decides whether a candidate is slower than its baseline by a relevant margin. Both run in one
// process in blocks ABBA (baseline, candidate, candidate, baseline), so that slow drift cancels
// within a block; the evidence is d = ln(candidate / baseline) of each block's medians. Assumes
// independent blocks, but nothing about the shape of the noise. Times are microseconds, finite and
// > 0; noise and delta are fractions (0.02 is 2 %). Anything else is a broken invariant. The caller
// is responsible for repeating a regression in a fresh process and for correcting over kernels
// (stats/hypothesis_tests.h).

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
