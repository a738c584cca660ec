// Layer normalisation, one block per row: y = (z - mean) / sqrt(variance + eps) * w + b, z = x or
// x + r, one read of the row and one barrier.
//
// Algorithm: the block holds its row in registers. Thread t owns packets t, t + THREADS, ...
// (VECTORS of them).
//   1. Issue every load of x (and r), then of w and b, before anything waits.
//   2. Each warp takes the moments of what it holds, as distances from the mean of some of its
//      elements: mean and variance by one butterfly, without cancelling (norm_row.cuh).
//   3. One structure of 16 bytes per warp goes through shared memory, one barrier, and every warp
//      combines them by itself: log2(warps) exchanges.
//   4. y from registers.
// Taking the mean first and then the variance would cost a second butterfly, barrier and
// combination, 250 clocks or so: nothing where other blocks load in the meantime, a twentieth of
// the 3 us that a decode batch takes.
//
//     registers per thread, bf16: VECTORS * (8 + 4 + 4) + 24
//
// 8 for the values, 4 each for the packets of w and b.
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
//   WEIGHTS         early loads w and b with the row, so that few rows wait once; late loads them
//                   after the reduction, from L1 or L2, and leaves their 8 registers per packet to
//                   more threads
//   LOAD_HINT       streaming keeps x and r out of L1, which leaves L1 to w and b
//   L2_HINT         keep holds x and r in L2 as long as it can, so that y goes to memory sooner; it
//                   takes room from whatever runs next (kept_load.cuh)
//   STORE_HINT      streaming makes the results the first lines that L2 evicts; the next kernel
//                   usually reads y, though
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; squares of distances whose sum f32 can hold.
// Traffic: x, y (r and z) once; w and b are read by every row, from L2 at worst: the same number of
// bytes again as x and y.
//
// Next idea: load the next row while this one is reduced, and read w and b once per block:
// persistent_row.cu.
#include "defaults.cuh"
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

enum class Weights { early, late };

using T = DTYPE;
constexpr bool kResidual = RESIDUAL;
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
//   x          [rows, d] of dtype
//   r          [rows, d] of dtype; not read without residual
//   w, b       [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written: x + r; empty if there is no residual
//   d          width of a row
//   inverse_d  1/d
//   eps        added to the variance under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    layernorm(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
              const T* __restrict__ b, T* __restrict__ y, T* __restrict__ z, int d, float inverse_d,
              float eps) {
  __shared__ Moments warps[kWarps];
  const i64 row = static_cast<i64>(blockIdx.x) * d;
  const int packets = d / Packet<T, kBytes>::kElements;
  const int first = threadIdx.x;

  RowInputs<T, kBytes, kVectors, kThreads, kResidual> inputs;
  RowWeights<T, kBytes, kVectors, kThreads> weights, biases;
  load_row<kL2Hint, kLoadHint>(inputs, x + row, r + row, first, packets);
  if constexpr (kWeights == Weights::early) {
    weights.load(w, first, packets);
    biases.load(b, first, packets);
  }

  RowValues<T, kBytes, kVectors, kThreads> values;
  values.take(inputs);
  if constexpr (kResidual) values.store<kStoreHint>(z + row, first, packets);
  const Moments own = values.take_moments<kWarpSize>(first, packets);
  if (lane_id() == 0) warps[warp_id()] = own;
  __syncthreads();

  if constexpr (kWeights == Weights::late) {
    weights.load(w, first, packets);
    biases.load(b, first, packets);
  }
  const Moments whole = combine<kWarps>(warps, inverse_d);
  const float scale = inverse_deviation(whole, inverse_d, eps);
  const float distance = (whole.pivot - own.pivot) + whole.mean;  // of the mean from own.pivot
  values.store_normalized<kStoreHint>(y + row, distance, scale, weights, biases, first, packets);
}
