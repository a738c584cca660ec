// From a tile of scores to probabilities before normalisation, of the lane's two rows.
//
// As raise_and_exponentiate() of online_softmax.cuh, with two differences: the largest probability
// is 2^(headroom - slack) instead of 1, because e4m3 has more room above 1 than below; and a share
// of the exponentials can be taken by the multipliers. Two products of fp8 take 1,024 clocks for a
// tile of 128 x 128 with 128 columns, and its exponentials, 16 a clock and SM, take 1,024 as well:
// unlike with bf16, neither hides behind the other for nothing.
#pragma once

#include "online_softmax.cuh"
#include "types.cuh"

// 2^x as exactly as what is rounded next needs: kCoarse, for e4m3, has a relative error of 1.7e-3
// where rounding makes 6.2e-2, the other one of 7.5e-5 where bf16 makes 2e-3. x is split into the
// nearest integer, which adding 1.5 * 2^23 leaves in the lowest bits of the sum, and a rest in
// [-1/2, 1/2] for a polynomial, the one of least relative error. A result below 2^-126 becomes
// 2^-126, a NaN stays one.
template <bool kCoarse>
__device__ __forceinline__ float exp2_polynomial(float x) {
  constexpr float kShift = 12582912.0f + 127;  // 127: the sum's lowest bits are a float's exponent
  asm("max.NaN.f32 %0, %0, %1;" : "+f"(x) : "f"(-126.0f));
  const float shifted = x + kShift;
  const float rest = x - (shifted - kShift);
  float power;
  if constexpr (kCoarse)
    power = 1.00044314f + rest * (0.70344801f + rest * 0.23842894f);
  else
    power = 0.99992807f + rest * (0.69326099f + rest * (0.24261112f + rest * 0.05517167f));
  return power * __uint_as_float(__float_as_uint(shifted) << 23);
}

// Masks the scores that a row does not see: row r sees the keys below visible[r]. `first` is the
// key of the lane's first column. Scores are replaced: what lies beyond the keys may be anything.
template <typename Tile, int kKeys, typename At>
__device__ __forceinline__ void mask_keys(const At& at, int first, const int (&visible)[2]) {
#pragma unroll
  for (int n = 0; n < kKeys / 8; ++n) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (first + Tile::block_key(n) + i % 2 >= visible[i / 2]) at(n, i) = -kInfinity;
    }
  }
}

// Turns scores into probabilities and adds them to the rows' sums; `factors` rescale the sums of
// the rows so far. kPolynomials of eight blocks of columns are for the multipliers; none where
// scores may be masked, so that -infinity gives 0.
template <typename Tile, int kKeys, int kSlack, int kPolynomials, typename At>
__device__ __forceinline__ void exponentiate(const At& at, float scale, OnlineRow (&rows)[2],
                                             float (&factors)[2]) {
  constexpr int kLargest = Tile::kHeadroom == 0 ? 0 : Tile::kHeadroom - kSlack;
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    // Two chains each, because every operation of a single one would wait for the one before it.
    float even = at(0, 2 * row), odd = at(0, 2 * row + 1);
#pragma unroll
    for (int n = 1; n < kKeys / 8; ++n) {
      even = fmaxf(even, at(n, 2 * row));
      odd = fmaxf(odd, at(n, 2 * row + 1));
    }
    factors[row] = rows[row].raise<kSlack>(quad_max(fmaxf(even, odd)), scale);
    const float shift = rows[row].shift(scale) - kLargest;
    even = odd = 0;
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
      float& left = at(n, 2 * row);
      float& right = at(n, 2 * row + 1);
      left = left * scale - shift;
      right = right * scale - shift;
      if (n * kPolynomials % 8 < kPolynomials) {  // known when compiled; spread evenly
        left = exp2_polynomial<Tile::kHeadroom != 0>(left);
        right = exp2_polynomial<Tile::kHeadroom != 0>(right);
      } else {
        left = exp2_approx(left);
        right = exp2_approx(right);
      }
      even += left;
      odd += right;
    }
    rows[row].sum += even + odd;
  }
}
