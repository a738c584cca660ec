// Residual addition and RMSNorm, one block per row: z = x + r, y = z * rsqrt(mean(z^2) + eps) * w,
// one read of the row.
//
// Algorithm: the block holds its row in registers. Thread t owns packets t, t + THREADS, ...
// (VECTORS of them).
//   1. Issue every load of x and r, and of w if it is early, before anything waits.
//   2. z = x + r in f32; store z rounded to dtype; add up the squares of the unrounded sums.
//   3. Sum over the block: a butterfly in each warp, one number per warp through shared memory, one
//      barrier; then every warp reduces those numbers by itself, so that no second barrier is
//      needed to hand out the result.
//   4. y = z * scale * w from registers.
// While a block waits at its barrier it moves nothing, so other blocks on the SM must be loading,
// and registers decide how many there are:
//
//     registers per thread, bf16: VECTORS * (8 + 4) + 20
//
// 8 for the packets of x and r, later for their sums, and 4 for those of w.
//
// Tunables:
//   THREADS         many threads finish a row soon (few rows); few threads leave room for several
//                   rows per SM
//   VECTORS         packets per thread: THREADS * VECTORS packets must hold a row, and more than
//                   that is idle
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple, so sizeof(dtype) itself
//                   suits any d
//   WEIGHTS         early: w is under way together with x and r, for few rows, of which none finds
//                   it in L2; late: it has their registers, behind the sums
//   LOAD_HINT       streaming keeps x and r out of L1, which leaves L1 to w; even so, long rows
//                   stream faster without it on Hopper
//   L2_HINT         keep holds x and r in L2 as long as it can, so that y goes to memory sooner; it
//                   takes room from whatever runs next (kept_load.cuh)
//   STORE_HINT      streaming makes the results the first lines that L2 evicts; the next kernel
//                   usually reads y, though
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; sums of squares that f32 can hold (|z| < 1e18 /
// sqrt(d)).
// Traffic: x, r, y (and z) once; w is read by every row, from L2 at worst.
//
// Next idea: load the next row while this one is reduced, and read w once per block:
// persistent_row.cu. For a few very long rows, a cluster of blocks per row with the warp sums
// exchanged through distributed shared memory.
#include "defaults.cuh"
#include "residual_row.cuh"
#include "types.cuh"
#include "warp.cuh"

enum class Weights { early, late };

using T = DTYPE;
constexpr bool kWriteZ = WRITE_Z;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kVectors = VECTORS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Weights kWeights = Weights::WEIGHTS;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr L2Hint kL2Hint = L2Hint::L2_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
constexpr int kWarps = kThreads / kWarpSize;
static_assert(kThreads % kWarpSize == 0, "the reduction is over whole warps");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x, r       [rows, d] of dtype
//   w          [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written with write_z: x + r
//   d          width of the residual stream
//   inverse_d  1/d
//   eps        added to the mean square under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    rmsnorm_residual(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
                     T* __restrict__ y, T* __restrict__ z, int d, float inverse_d, float eps) {
  __shared__ float warp_squares[kWarps];
  const i64 row = static_cast<i64>(blockIdx.x) * d;
  const int packets = d / Packet<T, kBytes>::kElements;
  const int first = threadIdx.x;

  ResidualInputs<T, kBytes, kVectors, kThreads> inputs;
  RowWeights<T, kBytes, kVectors, kThreads> weights;
  load_row<kL2Hint, kLoadHint>(inputs, x + row, r + row, first, packets);
  weights.load(w, first, packets);

  ResidualSums<T, kBytes, kVectors, kThreads> sums;
  float squares = sums.add(inputs);
  if constexpr (kWeights == Weights::early) squares = weights.then(squares, d >> 31);
  squares = warp_sum(squares);
  if (lane_id() == 0) warp_squares[warp_id()] = squares;
  // In flight while the block waits for its slowest warp.
  if constexpr (kWriteZ) sums.store<kStoreHint>(z + row, first, packets);
  __syncthreads();

  squares = warp_sum(lane_id() < kWarps ? warp_squares[lane_id()] : 0.0f);
  const float scale = rsqrtf(squares * inverse_d + eps);
  sums.store_scaled<kStoreHint>(y + row, weights, scale, first, packets);
}
