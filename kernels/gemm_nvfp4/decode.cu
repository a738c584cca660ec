// The product of NVFP4 matrices, the plain way, on any GPU.
//
// Algorithm: decoded_product.cuh. A block has 64 x 64 outputs; elements become floats on their way
// to shared memory, their scales multiplied in, and the rest is an ordinary product in f32. What
// this costs: 32 fused multiply-adds for every 16 bytes from shared memory, where tensor cores do
// 8192 for 512, and decoding every element n/64 or m/64 times.
//
// No tunables. Requires: nothing; k a multiple of 16.
//
// Next idea: mma.cu, where elements stay as they are.
#include "decoded_product.cuh"
#include "defaults.cuh"

using Out = OUT;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   a        [m, k/2] of u8: two elements of e2m1 a byte
//   a_scale  [m, k/16] of u8: codes of ue4m3, 56 is 1
//   b        [n, k/2] of u8: two elements of e2m1 a byte
//   b_scale  [n, k/16] of u8: codes of ue4m3, 56 is 1
//   out      [m, n] of out_dtype, written
//   m        rows of A and of out
//   n        rows of B, columns of out
//   k        elements of a row of A and of B, a multiple of 16
//   alpha    factor of the sums
extern "C" __global__ void __launch_bounds__(DecodedProduct::kThreads)
    gemm_nvfp4(const u8* __restrict__ a, const u8* __restrict__ a_scale, const u8* __restrict__ b,
               const u8* __restrict__ b_scale, Out* __restrict__ out, int m, int n, int k,
               float alpha) {
  __shared__ DecodedProduct::Shared shared;
  constexpr int kTile = DecodedProduct::kTile;
  const int first_m = static_cast<int>(blockIdx.y) * kTile;
  const int first_n = static_cast<int>(blockIdx.x) * kTile;
  const i64 bytes = k / 2, scales = k / 16;  // of a row
  DecodedProduct product;
#pragma unroll 1
  for (int first = 0; first < k; first += DecodedProduct::kStep) {
    __syncthreads();  // the step before has been read
    DecodedProduct::load<BlockFormat::nvfp4>(shared.a, a + first_m * bytes,
                                             a_scale + first_m * scales, m - first_m, k, first);
    DecodedProduct::load<BlockFormat::nvfp4>(shared.b, b + first_n * bytes,
                                             b_scale + first_n * scales, n - first_n, k, first);
    __syncthreads();
    product.multiply(shared);
  }
  product.store(out + static_cast<i64>(first_m) * n + first_n, n, m - first_m, n - first_n, alpha);
}
