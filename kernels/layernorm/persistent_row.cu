// Layer normalisation, persistent: y = (z - mean) / sqrt(variance + eps) * w + b, z = x or x + r, a
// block walks over rows.
//
// Algorithm: as block_row.cu, with two differences. A block takes rows b, b + gridDim.x, ... and
// keeps its part of w and b in registers for all of them: in block_row.cu they are half of all that
// comes from L2. And it issues the loads of its next row before it reduces the current one, so that
// the memory system has work during the barrier, which in block_row.cu only other blocks on the SM
// can give it:
//
//     load row 0 | take row 0, load row 1, reduce and store row 0
//                | take row 1, load row 2, reduce and store row 1 | ...
//
// The warps' moments go through two sets of shared memory in turn. A warp that is early writes the
// set that no warp is reading, and the barrier in between keeps it from being two rows ahead: one
// barrier per row is enough.
//
//     registers per thread, bf16: VECTORS * (8 + 4 + 4 + 4) + 28, 4 more with a residual
//
// Tunables:
//   THREADS         threads per row
//   VECTORS         packets per thread: THREADS * VECTORS packets must hold a row, and more than
//                   that is idle
//   THREADS_PER_SM  resident threads of an SM, which fixes the grid, and 65536 / THREADS_PER_SM
//                   registers for each: many threads together with a large VECTORS spill, and the
//                   trial reports it
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple
//   LOAD_HINT       streaming keeps x and r out of L1, which w and b, in registers, do not need
//                   either
//   STORE_HINT      streaming makes the results the first lines that L2 evicts
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; squares of distances whose sum f32 can hold. Any
// grid gives the same result.
//
// Next idea: rows through shared memory by the bulk copy engine, several ahead, instead of one row
// ahead in registers.
#include "defaults.cuh"
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr bool kResidual = RESIDUAL;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kVectors = VECTORS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
constexpr int kWarps = kThreads / kWarpSize;
static_assert(kThreads % kWarpSize == 0, "the reduction is over whole warps");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [rows, d] of dtype
//   r          [rows, d] of dtype; not read without residual
//   w, b       [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written: x + r; empty if there is no residual
//   rows       tokens
//   d          width of a row
//   inverse_d  1/d
//   eps        added to the variance under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    layernorm_rows(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
                   const T* __restrict__ b, T* __restrict__ y, T* __restrict__ z, int rows, int d,
                   float inverse_d, float eps) {
  __shared__ Moments warps[2][kWarps];
  const int packets = d / Packet<T, kBytes>::kElements;
  const int first = threadIdx.x;

  int row = blockIdx.x;
  RowInputs<T, kBytes, kVectors, kThreads, kResidual> inputs;
  RowWeights<T, kBytes, kVectors, kThreads> weights, biases;
  i64 offset = static_cast<i64>(row) * d;
  inputs.load<kLoadHint>(x + offset, r + offset, first, packets);
  weights.load(w, first, packets);
  biases.load(b, first, packets);

  // The grid has at most `rows` blocks, so the first row exists; the condition is the same for the
  // whole block.
  for (int turn = 0; row < rows; turn ^= 1) {
    RowValues<T, kBytes, kVectors, kThreads> values;
    values.take(inputs);

    const i64 next_offset = offset + static_cast<i64>(gridDim.x) * d;
    row += gridDim.x;
    if (row < rows) inputs.load<kLoadHint>(x + next_offset, r + next_offset, first, packets);

    if constexpr (kResidual) values.store<kStoreHint>(z + offset, first, packets);
    const Moments own = values.take_moments<kWarpSize>(first, packets);
    if (lane_id() == 0) warps[turn][warp_id()] = own;
    __syncthreads();

    const Moments whole = combine<kWarps>(warps[turn], inverse_d);
    const float scale = inverse_deviation(whole, inverse_d, eps);
    const float distance = (whole.pivot - own.pivot) + whole.mean;  // of the mean from own.pivot
    values.store_normalized<kStoreHint>(y + offset, distance, scale, weights, biases, first,
                                        packets);
    offset = next_offset;
  }
}
