// Fill: y[r][w] is a word computed from its own number, in which every bit is busy.
//
// The ceiling of writing. Zeros or any pattern would flatter it: memories and their links spend
// less on bits that do not change, and some GPUs compress them.
//
// Algorithm: a warp takes a row; each lane makes packets of four words, at the cost of two
// multiplications per word, and stores them. Stores in flight hold no registers, so there is
// nothing to unroll beyond the row.
//
// Tunables:
//   THREADS         a block; only the granularity in which SMs are filled
//   THREADS_PER_SM  resident threads
//   STORE_HINT      whether L2 may evict what is written first
#include "defaults.cuh"
#include "rows.cuh"

constexpr int kThreads = THREADS;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr Hint kStoreHint = Hint::STORE_HINT;

__device__ __forceinline__ u32 word_of(u32 number) {
  const u32 spread = number * 0x9e3779b1u;
  return spread ^ (spread >> 15);
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   y     of u32, written: [rows] sums, or [rows, 2048]
//   rows  rows of the output
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    fill_rows(u32* __restrict__ y, int rows) {
  for (int row = first_row(); row < rows; row += row_stride()) {
    const i64 first = static_cast<i64>(row) * kRowPackets + lane_id();
#pragma unroll
    for (int k = 0; k < kLanePackets; ++k) {
      const i64 packet = first + k * kWarpSize;
      const u32 number = static_cast<u32>(packet) * 4;
      const Words words{make_uint4(word_of(number), word_of(number + 1), word_of(number + 2),
                                   word_of(number + 3))};
      words.store<kStoreHint>(y, packet);
    }
  }
}
