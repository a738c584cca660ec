// Scaling to unit mean square for short rows: y = x * rsqrt(mean(x^2) + eps), several rows per
// warp.
//
// Algorithm: a group of LANES lanes holds a row in registers, and a butterfly of shuffles inside
// the group is the whole reduction: no shared memory, no barrier, and no warp waits for another. A
// group has ROWS rows, all loaded before the first is reduced; their butterflies are independent
// and overlap. The rows that a block loads together are neighbours, so each access of a warp is one
// contiguous run:
//
//     d = 128 in bf16 is 16 packets: with LANES 16 and LANE_VECTORS 1 a warp has two rows at a
//     time, and every lane works. The block's groups take rows g, g + THREADS / LANES, ...
//
//     bytes in flight per SM = resident threads * ROWS * LANE_VECTORS * VECTOR_BYTES
//
// 32 KB are 2048 threads with one packet each, or 1024 with two.
//
// Tunables:
//   THREADS         only groups rows into blocks: small blocks drain evenly at the end
//   LANES           lanes per row: fewer lanes shorten the butterfly (a step is 25 clocks) and need
//                   more LANE_VECTORS for the same row
//   LANE_VECTORS    packets per lane: LANES * LANE_VECTORS packets must hold a row, and more than
//                   that is idle
//   ROWS            more rows keep more bytes in flight per thread and start fewer blocks; few rows
//                   in all are better spread over more threads
//   THREADS_PER_SM  how many threads must fit on an SM: the compiler gets 65536 / THREADS_PER_SM
//                   registers a thread
//   VECTOR_BYTES    bytes per access; d * sizeof(dtype) must be a multiple, so sizeof(dtype) itself
//                   suits any d
//   LOAD_HINT       streaming keeps x, which is read once, out of L1
//   L2_HINT         keep holds x in L2 as long as it can, so that y goes to memory sooner; it takes
//                   room from whatever runs next (kept_load.cuh)
//   STORE_HINT      streaming makes the results the first lines that L2 evicts; attention reads
//                   them next, though
//
// Requires: rows aligned to VECTOR_BYTES; eps > 0; sums of squares that f32 can hold.
// Traffic: x and y once.
//
// Next idea: none of its own. The kernels around it can do it for free: a product's epilogue holds
// whole heads, and attention could scale q and k as it loads them.
#include "defaults.cuh"
#include "norm_row.cuh"
#include "types.cuh"
#include "warp.cuh"

using T = DTYPE;
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
//   y          [rows, d] of dtype, written
//   rows       heads of all tokens
//   d          length of a row
//   inverse_d  1/d
//   eps        added to the mean square under the root
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    l2norm_rows(const T* __restrict__ x, T* __restrict__ y, int rows, int d, float inverse_d,
                float eps) {
  const int first_row =
      static_cast<int>(blockIdx.x) * (kGroups * kRows) + static_cast<int>(threadIdx.x) / kLanes;
  const int first = threadIdx.x % kLanes;
  const i64 offset = static_cast<i64>(first_row) * d;
  const i64 step = static_cast<i64>(kGroups) * d;  // from one row of the group to its next
  // A row past the last has no packets: it touches no memory, but its lanes stay for the shuffles,
  // which name all 32.
  const auto packets = [&](int i) {
    return first_row + i * kGroups < rows ? d / Packet<T, kBytes>::kElements : 0;
  };

  RowInputs<T, kBytes, kVectors, kLanes, false> inputs[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i)
    load_row<kL2Hint, kLoadHint>(inputs[i], x + offset + i * step, x, first, packets(i));

#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    RowValues<T, kBytes, kVectors, kLanes> values;
    values.take(inputs[i]);
    const float squares = warp_reduce<kLanes>(values.squares(), Sum{});
    const float scale = rsqrtf(squares * inverse_d + eps);
    values.store_times<kStoreHint>(y + offset + i * step, scale, first, packets(i));
  }
}
