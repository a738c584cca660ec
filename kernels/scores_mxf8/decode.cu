// Scores of attention from MXFP8, the plain way, on any GPU.
//
// Algorithm: decoded_product.cuh, a head for each block along z. A block has 64 queries by 64 keys;
// elements become floats on their way to shared memory, their scales multiplied in, and the rest is
// an ordinary product in f32.
//
// No tunables. Requires: nothing; d a multiple of 32.
//
// Next idea: mma.cu, where elements stay as they are.
#include "decoded_product.cuh"

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q        [heads, q_len, d] of e4m3
//   q_scale  [heads, q_len, d/32] of u8: codes of ue8m0, 127 is 1
//   k        [kv_heads, kv_len, d] of e4m3
//   k_scale  [kv_heads, kv_len, d/32] of u8: codes of ue8m0, 127 is 1
//   scores   [heads, q_len, kv_len] of f32, written
//   q_len    queries of a head
//   kv_len   keys of a head
//   d        length of a row, a multiple of 32
//   group    heads/kv_heads: heads of q that share one of k
//   scale    factor of the scores
extern "C" __global__ void __launch_bounds__(DecodedProduct::kThreads)
    scores_mxf8(const u8* __restrict__ q, const u8* __restrict__ q_scale, const u8* __restrict__ k,
                const u8* __restrict__ k_scale, float* __restrict__ scores, int q_len, int kv_len,
                int d, int group, float scale) {
  __shared__ DecodedProduct::Shared shared;
  constexpr int kTile = DecodedProduct::kTile;
  const int first_q = static_cast<int>(blockIdx.y) * kTile;
  const int first_k = static_cast<int>(blockIdx.x) * kTile;
  const int head = static_cast<int>(blockIdx.z);
  const i64 row_q = static_cast<i64>(head) * q_len + first_q;
  const i64 row_k = static_cast<i64>(head / group) * kv_len + first_k;
  const i64 scales = d / 32;  // of a row
  DecodedProduct product;
#pragma unroll 1
  for (int first = 0; first < d; first += DecodedProduct::kStep) {
    __syncthreads();  // the step before has been read
    DecodedProduct::load<BlockFormat::mxf8>(shared.a, q + row_q * d, q_scale + row_q * scales,
                                            q_len - first_q, d, first);
    DecodedProduct::load<BlockFormat::mxf8>(shared.b, k + row_k * d, k_scale + row_k * scales,
                                            kv_len - first_k, d, first);
    __syncthreads();
    product.multiply(shared);
  }
  product.store(scores + row_q * kv_len + first_k, kv_len, q_len - first_q, kv_len - first_k,
                scale);
}
