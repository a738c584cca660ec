// Residual addition and RMSNorm, persistent: z = x + r, y = z * rsqrt(mean(z^2) + eps) * w, a block
// walks over rows.
//
// Algorithm: as block_row.cu, with two differences. A block takes rows b, b + gridDim.x, ... and
// keeps its part of w in registers for all of them. And it issues the loads of its next row before
// it reduces the current one, so that the memory system has work during the barrier, which in
// block_row.cu only other blocks on the SM can give it:
//
//     load row 0 | add row 0, load row 1, reduce and store row 0
//                | add row 1, load row 2, reduce and store row 1 | ...
//
// The warps' sums go through two sets of shared memory in turn. A warp that is early writes the set
// that no warp is reading, and the barrier in between keeps it from being two rows ahead: one
// barrier per row is enough.
//
// Tunables:
//   THREADS         threads per row
//   VECTORS         packets per thread: THREADS * VECTORS packets must hold a row, and more than
//                   that is idle
//   THREADS_PER_SM  resident threads of an SM, which fixes the grid, and 65536 / THREADS_PER_SM
//                   registers for each: many threads together with a large VECTORS spill, and the
//                   trial reports it
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple
//   LOAD_HINT       streaming keeps x and r out of L1, which w, in registers, does not need either
//   STORE_HINT      streaming makes the results the first lines that L2 evicts
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; sums of squares that f32 can hold. Any grid
// gives the same result.
//
// Next idea: rows through shared memory by the bulk copy engine, several ahead, instead of one row
// ahead in registers.
#include "defaults.cuh"
#include "residual_row.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr bool kWriteZ = WRITE_Z;
constexpr int kThreads = THREADS;
constexpr int kVectors = VECTORS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
constexpr int kWarps = kThreads / kWarpSize;
static_assert(kThreads % kWarpSize == 0, "the reduction is over whole warps");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x, r       [rows, d] of dtype
//   w          [d] of dtype
//   y          [rows, d] of dtype, written
//   z          [rows, d] of dtype, written with write_z: x + r
//   rows       tokens
//   d          width of the residual stream
//   inverse_d  1/d
//   eps        added to the mean square under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    rmsnorm_residual_rows(const T* __restrict__ x, const T* __restrict__ r, const T* __restrict__ w,
                          T* __restrict__ y, T* __restrict__ z, int rows, int d, float inverse_d,
                          float eps) {
  __shared__ float warp_squares[2][kWarps];
  const int packets = d / Packet<T, kBytes>::kElements;
  const int first = threadIdx.x;

  int row = blockIdx.x;
  ResidualInputs<T, kBytes, kVectors, kThreads> inputs;
  RowWeights<T, kBytes, kVectors, kThreads> weights;
  i64 offset = static_cast<i64>(row) * d;
  inputs.load<kLoadHint>(x + offset, r + offset, first, packets);
  weights.load(w, first, packets);

  // The grid has at most `rows` blocks, so the first row exists; the condition is the same for the
  // whole block.
  for (int turn = 0; row < rows; turn ^= 1) {
    ResidualSums<T, kBytes, kVectors, kThreads> sums;
    float squares = sums.add(inputs);

    const i64 next_offset = offset + static_cast<i64>(gridDim.x) * d;
    row += gridDim.x;
    if (row < rows) inputs.load<kLoadHint>(x + next_offset, r + next_offset, first, packets);

    squares = warp_sum(squares);
    if (lane_id() == 0) warp_squares[turn][warp_id()] = squares;
    if constexpr (kWriteZ) sums.store<kStoreHint>(z + offset, first, packets);
    __syncthreads();

    squares = warp_sum(lane_id() < kWarps ? warp_squares[turn][lane_id()] : 0.0f);
    const float scale = rsqrtf(squares * inverse_d + eps);
    sums.store_scaled<kStoreHint>(y + offset, weights, scale, first, packets);
    offset = next_offset;
  }
}
