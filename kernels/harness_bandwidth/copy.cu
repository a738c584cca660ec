// Copy: y = x.
//
// The ceiling of equal parts reading and writing, which is below either alone: DRAM loses time
// whenever it turns around.
//
// Algorithm: a warp takes a row; each lane has UNROLL packets of 16 bytes in flight, then stores
// them.
//
// Tunables:
//   THREADS         a block; only the granularity in which SMs are filled
//   THREADS_PER_SM  resident threads
//   UNROLL          loads of a lane before its first store: longer stretches of reading and of
//                   writing
//   LOAD_HINT       which caches are asked to keep what is read
//   STORE_HINT      whether L2 may evict what is written first
#include "defaults.cuh"
#include "rows.cuh"

constexpr int kThreads = THREADS;
constexpr int kUnroll = UNROLL;
constexpr int kBlocksPerSm = THREADS_PER_SM / THREADS;
constexpr LoadHint kLoadHint = LoadHint::LOAD_HINT;
constexpr Hint kStoreHint = Hint::STORE_HINT;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x     [chunks, 2048] of u32
//   y     of u32, written: [rows] sums, or [rows, 2048]
//   rows  rows of the output
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    copy_rows(const u32* __restrict__ x, u32* __restrict__ y, int rows) {
  for (int row = first_row(); row < rows; row += row_stride()) {
    const i64 first = static_cast<i64>(row) * kRowPackets + lane_id();
#pragma unroll
    for (int start = 0; start < kLanePackets; start += kUnroll) {
      Words held[kUnroll];
#pragma unroll
      for (int k = 0; k < kUnroll; ++k)
        held[k] = {load_words<kLoadHint>(x, first + (start + k) * kWarpSize)};
#pragma unroll
      for (int k = 0; k < kUnroll; ++k)
        held[k].store<kStoreHint>(y, first + (start + k) * kWarpSize);
    }
  }
}
