// Sum: y[r] is the sum of all words of `passes` rows of x, 97 rows apart.
//
// The ceiling of reading. With one pass every row is read once, from DRAM. With several passes over
// an input that fits in L2, all but the first read of a row are served by L2, and not by L1, since
// no SM reads a row again soon.
//
// Algorithm: a warp takes a row; each lane has UNROLL packets of 16 bytes in flight, adds up their
// words as they arrive, and one warp-wide integer addition ends the row. Integers, because every
// bit may then be random and the order of the additions does not matter: the result is exact. Four
// bytes are written for 8 KiB read.
//
// Tunables:
//   THREADS         a block; only the granularity in which SMs are filled
//   THREADS_PER_SM  resident threads. UNROLL*THREADS_PER_SM*16 bytes are in flight on an SM; 128
//                   KiB cover the latency
//   UNROLL          the registers that this takes: 4 a packet
//   LOAD_HINT       which caches are asked to keep what is read
//
// Requires: compute capability 8.0 (redux).
#include "defaults.cuh"
#include "rows.cuh"

constexpr int kThreads = THREADS;
constexpr int kUnroll = UNROLL;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr LoadHint kLoadHint = LoadHint::LOAD_HINT;
constexpr int kStep = 97;  // rows from one pass to the next

// The words of a lane's share of a row, added up.
__device__ __forceinline__ u32 lane_sum(const u32* __restrict__ x, int row) {
  const i64 first = static_cast<i64>(row) * kRowPackets + lane_id();
  u32 sum = 0;
#pragma unroll
  for (int start = 0; start < kLanePackets; start += kUnroll) {
    uint4 held[kUnroll];
#pragma unroll
    for (int k = 0; k < kUnroll; ++k)
      held[k] = load_words<kLoadHint>(x, first + (start + k) * kWarpSize);
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) sum += held[k].x + held[k].y + held[k].z + held[k].w;
  }
  return sum;
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x       [chunks, 2048] of u32
//   y       of u32, written: [rows] sums, or [rows, 2048]
//   rows    rows of the output
//   chunks  rows of the input; read and copy: as many as `rows`, write: 1
//   passes  input rows that an output row of read and l2_read adds up, 97 apart
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    row_sums(const u32* __restrict__ x, u32* __restrict__ y, int rows, int chunks, int passes) {
  for (int row = first_row(); row < rows; row += row_stride()) {
    u32 sum = 0;
    int from = row % chunks;
    for (int pass = 0; pass < passes; ++pass) {
      sum += lane_sum(x, from);
      from = (from + kStep) % chunks;
    }
    sum = __reduce_add_sync(kFullMask, sum);
    if (lane_id() == 0) y[row] = sum;
  }
}
