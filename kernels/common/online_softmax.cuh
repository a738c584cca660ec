// Softmax over keys that come tile by tile (Milakov and Gimelshein, "Online normalizer calculation
// for softmax", 2018).
//
// Per row: the maximum m so far and the sum of exp(s - m) so far. A tile with a larger maximum
// rescales what was summed by exp(m_old - m_new). Scores stay unscaled; the softmax scale times
// log2(e) is folded into one fused multiply-add in front of exp2: 2^(s*scale - m*scale).
//
// A lane of mma or wgmma holds kRows rows, and the four lanes of a quad hold the columns of the
// same rows, so that row results need two exchanges. A masked score is -infinity; a row that saw
// nothing but those has m = -infinity, and its probabilities are 0, not NaN.
#pragma once

#include "types.cuh"

// Four lanes that share a row; all of them get the same bits.
__device__ __forceinline__ float quad_max(float value) {
  value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 1));
  return fmaxf(value, __shfl_xor_sync(0xffffffffu, value, 2));
}
__device__ __forceinline__ float quad_sum(float value) {
  value += __shfl_xor_sync(0xffffffffu, value, 1);
  return value + __shfl_xor_sync(0xffffffffu, value, 2);
}

// One row. The sum is of the lane's own columns until total() adds those of the quad.
struct OnlineRow {
  float maximum = -kInfinity;  // of the scores, unscaled
  float sum = 0;

  // Takes the maximum of a tile (of the whole quad) and returns the factor for everything that was
  // summed so far. The maximum may lag by up to kSlack in units of log2: probabilities are then at
  // most 2^kSlack, the factor is exactly 1, and rescaling can be skipped. With kSlack 0 the factor
  // is 1 only if the maximum did not change.
  template <int kSlack>
  __device__ __forceinline__ float raise(float tile_maximum, float scale) {
    const float larger = fmaxf(maximum, tile_maximum);
    if constexpr (kSlack > 0) {
      // Also true as long as no score has been seen: -inf minus -inf is NaN, which compares as
      // false.
      if (!((larger - maximum) * scale > kSlack)) return 1.0f;
    }
    const float factor = maximum == larger ? 1.0f : exp2_approx((maximum - larger) * scale);
    maximum = larger;
    sum *= factor;
    return factor;
  }
  // The number to subtract before exp2: 0 for a row without any score, so that its probabilities
  // are 2^-inf = 0.
  [[nodiscard]] __device__ __forceinline__ float shift(float scale) const {
    return maximum == -kInfinity ? 0.0f : maximum * scale;
  }
  [[nodiscard]] __device__ __forceinline__ float total() const { return quad_sum(sum); }
};

// A lane's scores of a tile, two rows of them, as mma and wgmma leave their sums: at(n, 2*row + i)
// is a reference to the score of column 8*n + 2*(lane % 4) + i. Fragments are declared in several
// shapes, hence the function.

// The scale of a lane's row 0 or 1, from what raise_and_exponentiate() is given: one number for
// both. Kernels whose rows have scales of their own give a type of theirs and a function like this.
__device__ __forceinline__ float scale_of(float scale, int) { return scale; }

// Masks the scores that a row does not see. Row r sees the columns below `visible[r]`; `first` is
// the lane's first column. Scores are replaced, nothing is added to them: what lies beyond the keys
// may be anything.
template <int kBlocks, typename At>
__device__ __forceinline__ void mask_scores(const At& at, int first, const int (&visible)[2]) {
#pragma unroll
  for (int n = 0; n < kBlocks; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (first + 8 * n + i % 2 >= visible[i / 2]) at(n, i) = -kInfinity;
    }
  }
}

// Turns scores into probabilities before normalisation, 2^(s*scale - m*scale), and adds them to the
// rows' sums; `factors` rescale what was summed of the rows before.
template <int kBlocks, int kSlack, typename At, typename Scale>
__device__ __forceinline__ void raise_and_exponentiate(const At& at, const Scale& scales,
                                                       OnlineRow (&rows)[2], float (&factors)[2]) {
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    const float scale = scale_of(scales, row);
    // Two chains each, because every operation of a single one would wait for the one before it.
    float even = at(0, 2 * row), odd = at(0, 2 * row + 1);
#pragma unroll
    for (int n = 1; n < kBlocks; ++n) {
      even = fmaxf(even, at(n, 2 * row));
      odd = fmaxf(odd, at(n, 2 * row + 1));
    }
    // The quad's other lanes hold the row's other columns; the maximum over all four gives them the
    // same factor.
    factors[row] = rows[row].raise<kSlack>(quad_max(fmaxf(even, odd)), scale);
    const float shift = rows[row].shift(scale);
    even = odd = 0;
#pragma unroll
    for (int n = 0; n < kBlocks; ++n) {
      float& left = at(n, 2 * row);
      float& right = at(n, 2 * row + 1);
      left = exp2_approx(left * scale - shift);
      right = exp2_approx(right * scale - shift);
      even += left;
      odd += right;
    }
    rows[row].sum += even + odd;
  }
}
