// The product of NVFP4 matrices on the tensor cores of sm_120a: mma.sync of kind mxf4nvf4.
//
// Algorithm: scaled_product.cuh. A block has TILE_M x TILE_N outputs and goes along k in steps of
// TILE_K, which cp.async brings through a ring of STAGES. An instruction multiplies 16 x 8 x 64 and
// applies the scales of 16 elements itself, so nothing is decoded. A warp with 64 x 32 outputs
// takes 3 KB of elements and 384 bytes of scales from shared memory for 16 instructions: 4.5 bits
// an element, a ninth of them scales.
//
// The 99 KB of shared memory that a block has on sm_120 hold 5 stages of 128 x 128 x 128 (18 KB
// each), or 3 of 128 x 256 x 128.
//
// Tunables:
//   TILE_M, TILE_N    outputs of a block; a step's bytes grow with their sum, its work with their
//                     product
//   TILE_K            elements of a step: 256 halves the barriers and doubles a stage
//   WARPS_M, WARPS_N  that share the outputs
//   STAGES            of the ring
//   MIN_BLOCKS        2: two blocks on an SM, one waits at its barrier while the other multiplies
//
// Requires: sm_120a; k a multiple of 32, so that rows start on multiples of 16 bytes.
//
// Next idea: tiles by TMA, and warps of their own for loading them.
#include "defaults.cuh"
#include "scaled_product.cuh"

using Out = OUT;
constexpr int kTileM = TILE_M, kTileN = TILE_N;
using Product =
    ScaledProduct<BlockFormat::nvfp4, kTileM, kTileN, TILE_K / 2, WARPS_M, WARPS_N, STAGES>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Product::Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Blocks along x are tiles of b, so that blocks that run together share rows of a.
//
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
extern "C" __global__ void __launch_bounds__(Product::kThreads, MIN_BLOCKS)
    gemm_nvfp4(const u8* __restrict__ a, const u8* __restrict__ a_scale, const u8* __restrict__ b,
               const u8* __restrict__ b_scale, Out* __restrict__ out, int m, int n, int k,
               float alpha) {
  extern __shared__ uint4 dynamic[];
  const int first_m = static_cast<int>(blockIdx.y) * kTileM;
  const int first_n = static_cast<int>(blockIdx.x) * kTileN;
  const i64 bytes = k / 2, scales = k / 16;  // of a row
  Product product;
  product.run(*reinterpret_cast<Product::Shared*>(dynamic),
              {a + first_m * bytes, a_scale + first_m * scales, m - first_m},
              {b + first_n * bytes, b_scale + first_n * scales, n - first_n}, k / 2);
  product.store(out + static_cast<i64>(first_m) * n + first_n, n, m - first_m, n - first_n, alpha);
}
