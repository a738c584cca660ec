// Scaling to unit mean square, two passes: y = x * rsqrt(mean(x^2) + eps). The baseline.
//
// Algorithm: one block per row, one element per thread and step. The first pass adds up squares,
// the second reads the row again, from L1 or L2, and scales. On the short rows that this is for, a
// block of 128 threads has one element each, and nearly all of the time is spent on starting blocks
// and waiting at barriers: 262144 rows of 256 bytes are that many blocks.
//
// Tunables:
//   THREADS  threads per row; on a short row most have nothing to do
//
// Requires: eps > 0, sums of squares that f32 can hold. Any d, any alignment.
//
// Next idea: a row is less than a warp's worth of wide accesses, so let a few lanes have it and do
// without barriers: warp_row.cu.
#include "defaults.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [rows, d] of dtype
//   y          [rows, d] of dtype, written
//   d          length of a row
//   inverse_d  1/d
//   eps        added to the mean square under the root
extern "C" __global__ void __launch_bounds__(kThreads)
    l2norm(const T* __restrict__ x, T* __restrict__ y, int d, float inverse_d, float eps) {
  __shared__ float scratch[kMaxWarps];
  const i64 row = static_cast<i64>(blockIdx.x) * d;

  float squares = 0.0f;
  for (int column = threadIdx.x; column < d; column += kThreads) {
    const float value = to_float(x[row + column]);
    squares += value * value;
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares, scratch) * inverse_d + eps);

  for (int column = threadIdx.x; column < d; column += kThreads)
    y[row + column] = from_float<T>(to_float(x[row + column]) * scale);
}
