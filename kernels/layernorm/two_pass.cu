// Layer normalisation, pass by pass: y = (z - mean) / sqrt(variance + eps) * w + b, z = x or x + r.
// The baseline.
//
// Algorithm: one block per row, one element per thread and step. The first pass adds up the row for
// its mean, the second the squares of the distances from it, the third writes: the row is read
// three times, from L2 or L1 after the first if the caches still hold it.
//
// The variance cannot cancel, because distances are squared, not elements. The mean itself is kept
// as the row's first element and a distance from it: as one f32 it would be rounded by 5e-4 at
// 1e4, half a thousandth of a deviation of 1.
//
// Tunables:
//   THREADS  threads per row. More of them read a long row faster; on a short one some have nothing
//            to do, and the two reductions over the block take longer.
//
// Requires: eps > 0, squares of distances whose sum f32 can hold. Any d, any alignment.
//
// Next idea: hold the row in registers, 16 bytes per access, and reduce once: block_row.cu.
#include "defaults.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr bool kResidual = RESIDUAL;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [rows, d] of dtype
//   r          [rows, d] of dtype; not read without residual
//   w, b       [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written: x + r; empty if there is no residual
//   d          width of a row
//   inverse_d  1/d
//   eps        added to the variance under the root
extern "C" __global__ void __launch_bounds__(kThreads)
    layernorm(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
              const T* __restrict__ b, T* __restrict__ y, T* __restrict__ z, int d, float inverse_d,
              float eps) {
  __shared__ float scratch[kMaxWarps];
  const i64 row = static_cast<i64>(blockIdx.x) * d;
  const auto value = [&](int column) {
    const float own = to_float(x[row + column]);
    if constexpr (kResidual)
      return own + to_float(r[row + column]);
    else
      return own;
  };

  const float pivot = value(0);
  float sum = 0.0f;
  for (int column = threadIdx.x; column < d; column += kThreads) sum += value(column) - pivot;
  const float mean = block_sum<kThreads>(sum, scratch) * inverse_d;

  float squares = 0.0f;
  for (int column = threadIdx.x; column < d; column += kThreads) {
    const float distance = (value(column) - pivot) - mean;
    squares += distance * distance;
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares, scratch) * inverse_d + eps);

  for (int column = threadIdx.x; column < d; column += kThreads) {
    const float own = value(column);
    if constexpr (kResidual) z[row + column] = from_float<T>(own);
    y[row + column] =
        from_float<T>(((own - pivot) - mean) * scale * to_float(w[column]) + to_float(b[column]));
  }
}
