// The end of a block whose warps have shared k: their sums are added up, and, where blocks share k
// as well, those of the blocks.
//
// Always in the order of warps, then of blocks, whichever comes last: five runs give the same bits.
// Blocks that share rows leave their sums in `partial` and count themselves in `arrived`; the one
// that finds all others there adds up and stores. atomicInc() wraps to zero by itself at the last
// of them, so the counter is ready for the next launch. One launch is 2 us less than two.
#pragma once

#include "types.cuh"
#include "warp.cuh"
#include "weights.cuh"

template <int Warps, int Rows, int TokenCount>
struct BlockSums {
  // A row of 4 more, so that lanes of mma, which hold two tokens of 8 rows, find 32 banks.
  static constexpr int kPitch = Rows + 4;
  float values[Warps][TokenCount][kPitch];
  bool last;  // whether this block adds up

  // Called by all threads of the block once the warps' sums are in `values`. `split` is this
  // block's number among the Splits that share the rows from first_row on.
  template <int Splits, typename T, typename Weight>
  __device__ __forceinline__ void finish(const Result<T, Weight>& result, float* partial,
                                         u32* arrived, int split, int first_row, int m) {
    __syncthreads();
    const int n = result.n;
    const i64 plane = static_cast<i64>(m) * n;
    const int rows = min(Rows, n - first_row);
    for (int place = threadIdx.x; place < Rows * m; place += Warps * kWarpSize) {
      const int token = place / Rows, row = place % Rows;
      if (row >= rows) continue;
      float sum = values[0][token][row];
#pragma unroll
      for (int warp = 1; warp < Warps; ++warp) sum += values[warp][token][row];
      if constexpr (Splits == 1)
        result.store(token, first_row + row, sum);
      else
        partial[split * plane + static_cast<i64>(token) * n + first_row + row] = sum;
    }
    if constexpr (Splits > 1) {
      __threadfence();
      __syncthreads();
      if (threadIdx.x == 0) last = atomicInc(arrived, Splits - 1) == Splits - 1;
      __syncthreads();
      if (!last) return;
      __threadfence();
      for (int place = threadIdx.x; place < Rows * m; place += Warps * kWarpSize) {
        const int token = place / Rows, row = place % Rows;
        if (row >= rows) continue;
        const float* from = partial + static_cast<i64>(token) * n + first_row + row;
        // Past L1, which may hold what was here before.
        float parts[Splits];
#pragma unroll
        for (int s = 0; s < Splits; ++s) parts[s] = __ldcg(from + s * plane);
        float sum = parts[0];
#pragma unroll
        for (int s = 1; s < Splits; ++s) sum += parts[s];
        result.store(token, first_row + row, sum);
      }
    }
  }
};
