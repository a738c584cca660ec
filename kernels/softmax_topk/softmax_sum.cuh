// The softmax of a row as two numbers, its maximum and the sum of exp(x - maximum), built from
// parts in any grouping.
//
// The meaning of unusual inputs is settled here for every variant: a NaN counts as -inf, and +inf
// entries share the whole mass. Both are kept out of the fast path: terms are computed as if every
// number were finite, and only a batch whose sum turns out to be NaN is computed again with care
// (+inf - +inf and NaN are the only ways to get there).
#pragma once

#include "types.cuh"
#include "warp.cuh"

// Terms are 2^(x L - c) with L = log2(e) and c = maximum L: one fused operation, where subtracting
// first takes two. Rounding c would lose the difference of large logits, if it were not the same c
// everywhere: c is always the maximum times L, rounded, wherever it is calculated, so that sums and
// terms are off by the same factor 2^(maximum L - c), which no quotient sees. Beyond 2^27, where
// that factor could overflow, terms are relative to the maximum itself.
__device__ __forceinline__ bool is_near(float maximum) { return fabsf(maximum) < 0x1p27f; }
__device__ __forceinline__ float scaled(float maximum) { return __fmul_rn(maximum, kLog2E); }

// exp(x - maximum) for any x and any maximum >= kLowestFloat that is not below x; see above. The
// cases are in the exponent, not around the power: a batch's powers would otherwise stay in
// registers for reuse.
__device__ __forceinline__ float softmax_term(float x, float maximum) {
  const float near = fmaf(x, kLog2E, -scaled(maximum));
  const float far = x == maximum ? 0.0f : (x - maximum) * kLog2E;
  const float exponent = is_near(maximum) ? near : far;
  return exp2_approx(x <= maximum ? exponent : -kInfinity);
}

// The factor that makes a sum of terms relative to `maximum` one relative to `next`, which is not
// below it.
__device__ __forceinline__ float softmax_rescale(float maximum, float next) {
  const float here = scaled(maximum), there = scaled(next);
  float exponent = 0.0f;
  if (is_near(next))
    exponent = is_near(maximum) ? here - there : fmaf(maximum, kLog2E, -there);
  else
    exponent = is_near(maximum) ? fmaf(-next, kLog2E, here) : (maximum - next) * kLog2E;
  return exp2_approx(maximum == next ? 0.0f : exponent);
}

struct SoftmaxSum {
  // Not -inf: the difference of two -inf is NaN. A row of -inf keeps sum 0, which marks it.
  float maximum = kLowestFloat;
  float sum = 0.0f;

  // Adds kCount numbers, `largest` being their maximum (see largest_of()). One rescale for all of
  // them.
  template <int kCount>
  __device__ __forceinline__ void add(const float (&x)[kCount], float largest) {
    const float next = fmaxf(maximum, largest), there = scaled(next);
    float partial[2] = {0.0f, 0.0f};  // two chains of additions: each waits for the one before
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      const float term = exp2_approx(fmaf(x[i], kLog2E, -there));
      partial[i % 2] = i < 2 ? term : partial[i % 2] + term;
    }
    float added = sum * exp2_approx(scaled(maximum) - there) + (partial[0] + partial[1]);
    if (added != added || !is_near(next) || (!is_near(maximum) && sum > 0.0f)) {
      added = sum * softmax_rescale(maximum, next);
#pragma unroll
      for (int i = 0; i < kCount; ++i) added += softmax_term(x[i], next);
    }
    sum = added;
    maximum = next;
  }

  // NaN and -inf have probability 0, and in a row without any number so does everything.
  __device__ __forceinline__ float probability(float x) const {
    return sum > 0.0f ? softmax_term(x, maximum) / sum : 0.0f;
  }
};

// The largest of kCount numbers, NaN ignored; -inf or NaN when there is none, and both lose every
// comparison.
template <int kCount>
__device__ __forceinline__ float largest_of(const float (&x)[kCount]) {
  float largest[2] = {x[0], x[kCount - 1]};
#pragma unroll
  for (int i = 1; i < kCount - 1; ++i) largest[i % 2] = fmaxf(largest[i % 2], x[i]);
  return fmaxf(largest[0], largest[1]);
}

// All lanes get the sum of all lanes. The maximum first, so that every lane is rescaled once.
__device__ __forceinline__ SoftmaxSum warp_merge(const SoftmaxSum& mine) {
  SoftmaxSum all;
  all.maximum = warp_max(mine.maximum);
  all.sum = warp_sum(mine.sum * softmax_rescale(mine.maximum, all.maximum));
  return all;
}

// All threads get the sum of all threads; `scratch` is shared memory of kMaxWarps. Every warp
// merges the warps' sums by itself, in the same order.
template <int kThreads>
__device__ __forceinline__ SoftmaxSum block_merge(const SoftmaxSum& mine, float2* scratch) {
  const SoftmaxSum warp = warp_merge(mine);
  __syncthreads();
  if (lane_id() == 0) scratch[warp_id()] = {warp.maximum, warp.sum};
  __syncthreads();
  SoftmaxSum other;
  if (lane_id() < kThreads / kWarpSize) {
    other.maximum = scratch[lane_id()].x;
    other.sum = scratch[lane_id()].y;
  }
  return warp_merge(other);
}
