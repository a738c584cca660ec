// Scores of attention from MXFP8 on the tensor cores of sm_120a: mma.sync of kind mxf8f6f4.
//
// Algorithm: scaled_product.cuh, a head for each block along z. A block has TILE_Q queries by
// TILE_KV keys, which lie in memory as the instruction wants them. d is 64 to 256: with steps of
// 128 a tile is one or two of them, and the ring brings K while Q is being multiplied at most. What
// bounds the kernel are its results, 4 bytes each, of which a pair costs 4*d operations.
//
// Tunables:
//   TILE_Q, TILE_KV   scores of a block
//   STEP              bytes of a row that are a stage of the ring
//   WARPS_M, WARPS_N  that share the queries and the keys
//   STAGES            of the ring: as many as steps, or two
//   MIN_BLOCKS        blocks on an SM: one stores while another loads, which nothing inside a block
//                     does
//
// Requires: sm_120a; d a multiple of 32.
//
// Next idea: to keep the scores, as attention does, instead of storing them.
#include "defaults.cuh"
#include "scaled_product.cuh"

constexpr int kTileQ = TILE_Q, kTileKv = TILE_KV;
using Product = ScaledProduct<BlockFormat::mxf8, kTileQ, kTileKv, STEP, WARPS_M, WARPS_N, STAGES>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Product::Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Blocks along x are tiles of keys, so that blocks that run together share queries.
//
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
extern "C" __global__ void __launch_bounds__(Product::kThreads, MIN_BLOCKS)
    scores_mxf8(const u8* __restrict__ q, const u8* __restrict__ q_scale, const u8* __restrict__ k,
                const u8* __restrict__ k_scale, float* __restrict__ scores, int q_len, int kv_len,
                int d, int group, float scale) {
  extern __shared__ uint4 dynamic[];
  const int first_q = static_cast<int>(blockIdx.y) * kTileQ;
  const int first_k = static_cast<int>(blockIdx.x) * kTileKv;
  const int head = static_cast<int>(blockIdx.z);
  const i64 row_q = static_cast<i64>(head) * q_len + first_q;
  const i64 row_k = static_cast<i64>(head / group) * kv_len + first_k;
  const i64 scales = d / 32;  // of a row
  Product product;
  product.run(*reinterpret_cast<Product::Shared*>(dynamic),
              {q + row_q * d, q_scale + row_q * scales, q_len - first_q},
              {k + row_k * d, k_scale + row_k * scales, kv_len - first_k}, d);
  product.store(scores + row_q * kv_len + first_k, kv_len, q_len - first_q, kv_len - first_k,
                scale);
}
