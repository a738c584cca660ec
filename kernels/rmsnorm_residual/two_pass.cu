// Residual addition and RMSNorm, two passes: z = x + r, y = z * rsqrt(mean(z^2) + eps) * w. The
// baseline.
//
// Algorithm: one block per row, one element per thread and step. The first pass adds up the squares
// of z; the second reads x and r again, adds them again, and scales. The row is read twice, from L2
// or L1 the second time if the caches still hold it, so this can come near half the speed of a
// kernel that keeps the row in registers.
//
// The norm is of the f32 sum, not of z as rounded to dtype; that is also what the second pass
// scales.
//
// Tunables:
//   THREADS  threads per row. More of them read a long row faster; on a short one some have nothing
//            to do, and the reduction over the block takes longer.
//
// Requires: eps > 0, sums of squares that f32 can hold (|z| < 1e18 / sqrt(d)). Any d, any
// alignment.
//
// Next idea: hold the row in registers between the passes, 16 bytes per access: block_row.cu.
#include "defaults.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr bool kWriteZ = WRITE_Z;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x, r       [rows, d] of dtype
//   w          [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written with write_z: x + r
//   d          width of the residual stream
//   inverse_d  1/d
//   eps        added to the mean square under the root
extern "C" __global__ void __launch_bounds__(kThreads)
    rmsnorm_residual(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
                     T* __restrict__ y, T* __restrict__ z, int d, float inverse_d, float eps) {
  __shared__ float scratch[kMaxWarps];
  const i64 row = static_cast<i64>(blockIdx.x) * d;

  float squares = 0.0f;
  for (int column = threadIdx.x; column < d; column += kThreads) {
    const float sum = to_float(x[row + column]) + to_float(r[row + column]);
    squares += sum * sum;
  }
  const float scale = rsqrtf(block_sum<kThreads>(squares, scratch) * inverse_d + eps);

  for (int column = threadIdx.x; column < d; column += kThreads) {
    const float sum = to_float(x[row + column]) + to_float(r[row + column]);
    if constexpr (kWriteZ) z[row + column] = from_float<T>(sum);
    y[row + column] = from_float<T>(sum * scale * to_float(w[column]));
  }
}
