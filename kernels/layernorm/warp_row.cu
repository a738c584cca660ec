// Layer normalisation for short rows: y = (z - mean) / sqrt(variance + eps) * w + b, z = x or
// x + r, several rows per warp.
//
// Algorithm: a group of LANES lanes holds one row in registers, and a butterfly of shuffles inside
// the group is the whole reduction, mean and variance at once (norm_row.cuh): no shared memory, no
// barrier, and no warp waits for another. A block of THREADS threads has THREADS / LANES groups of
// ROWS rows each; rows that its groups load together are neighbours. Lane l of a group owns packets
// l, l + LANES, ...
//
//     d = 128 in bf16 is 16 packets: with LANES 16 and LANE_VECTORS 1 a warp has two rows,
//     and every lane works
//
// Tunables:
//   THREADS         only groups rows into blocks: small blocks drain evenly at the end
//   LANES           lanes per row: fewer lanes shorten the butterfly and need more LANE_VECTORS for
//                   the same row
//   LANE_VECTORS    packets per lane: LANES * LANE_VECTORS packets must hold a row, and more than
//                   that is idle
//   ROWS            rows of a group, all loaded before the first is reduced: more bytes in flight
//                   per thread, fewer blocks, and w read once for them; few rows in all are better
//                   spread over more threads
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple, so sizeof(dtype) itself
//                   suits any d
//   LOAD_HINT       streaming keeps x and r out of L1, which leaves L1 to w and b; short rows have
//                   so small a w that it should stay there either way
//   L2_HINT         keep holds x and r in L2 as long as it can, so that y goes to memory sooner; it
//                   takes room from whatever runs next (kept_load.cuh)
//   STORE_HINT      streaming makes the results the first lines that L2 evicts
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; squares of distances whose sum f32 can hold.
//
// Next idea: let a warp walk over rows with w and b kept in registers; on short rows, w and b from
// L1 are two thirds of all loads.
#include "defaults.cuh"
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
constexpr bool kResidual = RESIDUAL;
constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr int kLanes = LANES;
constexpr int kVectors = LANE_VECTORS;
constexpr int kRows = ROWS;
constexpr int kBytes = VECTOR_BYTES;
constexpr Hint kLoadHint = Hint::LOAD_HINT;
constexpr L2Hint kL2Hint = L2Hint::L2_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;
constexpr int kGroups = kThreads / kLanes;
static_assert(kThreads % kWarpSize == 0 && kWarpSize % kLanes == 0,
              "groups divide warps, warps divide blocks");

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
  const int first_row =
      static_cast<int>(blockIdx.x) * (kGroups * kRows) + static_cast<int>(threadIdx.x / kLanes);
  const int first = static_cast<int>(threadIdx.x % kLanes);
  const i64 offset = static_cast<i64>(first_row) * d;
  const i64 step = static_cast<i64>(kGroups) * d;  // from one row of the group to its next
  const int all_packets = d / Packet<T, kBytes>::kElements;
  // A row past the last has no packets: it touches no memory, but its lanes stay for the shuffles,
  // which name all 32.
  const auto packets = [&](int i) { return first_row + i * kGroups < rows ? all_packets : 0; };

  RowInputs<T, kBytes, kVectors, kLanes, kResidual> inputs[kRows];
  RowWeights<T, kBytes, kVectors, kLanes> weights, biases;
#pragma unroll
  for (int i = 0; i < kRows; ++i)
    load_row<kL2Hint, kLoadHint>(inputs[i], x + offset + i * step, r + offset + i * step, first,
                                 packets(i));
  weights.load(w, first, packets(0));
  biases.load(b, first, packets(0));

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    RowValues<T, kBytes, kVectors, kLanes> values;
    values.take(inputs[i]);
    if constexpr (kResidual) values.store<kStoreHint>(z + offset + i * step, first, packets(i));
    const Moments own = values.take_moments<kLanes>(first, packets(i));

    const float scale = inverse_deviation(own, inverse_d, eps);
    values.store_normalized<kStoreHint>(y + offset + i * step, own.mean, scale, weights, biases,
                                        first, packets(i));
  }
}
