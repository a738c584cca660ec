// Scaling to unit mean square, one block per row: y = x * rsqrt(mean(x^2) + eps), one read of the
// row.
//
// Algorithm: the block holds its row in registers. Thread t owns packets t, t + THREADS, ...
// (VECTORS of them). All loads are issued before anything waits; a butterfly in each warp, one
// number per warp through shared memory and one barrier make the sum, which every warp completes by
// itself; y is scaled from registers. For rows that are too long for a warp: 16 KB are 32 packets
// for each lane of one.
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
//   LOAD_HINT       streaming keeps x out of L1
//   L2_HINT         keep holds x in L2 as long as it can, so that y goes to memory sooner; it takes
//                   room from whatever runs next (kept_load.cuh)
//   STORE_HINT      streaming makes the results the first lines that L2 evicts
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; sums of squares that f32 can hold.
// Traffic: x and y once.
//
// Next idea: load the next row while this one is reduced, as rmsnorm_residual's persistent_row.cu
// does; without weights to keep there is less to gain.
#include "defaults.cuh"
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kVectors = VECTORS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr L2Hint kL2Hint = L2Hint::L2_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
constexpr int kWarps = kThreads / kWarpSize;
static_assert(kThreads % kWarpSize == 0, "the reduction is over whole warps");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [rows, d] of dtype
//   y          [rows, d] of dtype, written
//   d          length of a row
//   inverse_d  1/d
//   eps        added to the mean square under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    l2norm(const T* __restrict__ x, T* __restrict__ y, int d, float inverse_d, float eps) {
  __shared__ float warp_squares[kWarps];
  const i64 row = static_cast<i64>(blockIdx.x) * d;
  const int packets = d / Packet<T, kBytes>::kElements;
  const int first = threadIdx.x;

  RowInputs<T, kBytes, kVectors, kThreads, false> inputs;
  load_row<kL2Hint, kLoadHint>(inputs, x + row, x, first, packets);

  RowValues<T, kBytes, kVectors, kThreads> values;
  values.take(inputs);
  float squares = warp_sum(values.squares());
  if (lane_id() == 0) warp_squares[warp_id()] = squares;
  __syncthreads();

  squares = warp_sum(lane_id() < kWarps ? warp_squares[lane_id()] : 0.0f);
  const float scale = rsqrtf(squares * inverse_d + eps);
  values.store_times<kStoreHint>(y + row, scale, first, packets);
}
