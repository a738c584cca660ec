// Equal shares of the rows of w for persistent blocks, and the end of a turn whose consumer warps
// have shared k.
//
// In every turn each block has the next kRows rows, side by side, so that the grid reads from one
// window that moves through w; what the last turn has left is divided equally. So the blocks have
// the same number of rows, to within one: 62 or 63 of 8192 on 132 SMs, where whole tiles of 16
// would be 48 or 64.
#pragma once

#include "roles.cuh"
#include "types.cuh"
#include "warp.cuh"
#include "weights.cuh"

// The rows of this block. Its part of the last turn may be short.
template <int kRows>
struct Turns {
  int whole, left;  // turns of kRows rows a block, and the rows of the grid after them

  __device__ __forceinline__ explicit Turns(int n)
      : whole(n / (static_cast<int>(gridDim.x) * kRows)),
        left(n - whole * static_cast<int>(gridDim.x) * kRows) {}
  [[nodiscard]] __device__ __forceinline__ int count() const {
    return left > 0 ? whole + 1 : whole;
  }
  [[nodiscard]] __device__ __forceinline__ int begin(int turn) const {
    const int first = turn * static_cast<int>(gridDim.x) * kRows;
    return first + (turn < whole ? static_cast<int>(blockIdx.x) * kRows : part(blockIdx.x));
  }
  // May be 0 in the last turn.
  [[nodiscard]] __device__ __forceinline__ int rows(int turn) const {
    return turn < whole ? kRows : part(blockIdx.x + 1) - part(blockIdx.x);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ int part(u32 block) const {
    return static_cast<int>(static_cast<i64>(left) * block / gridDim.x);
  }
};

// Adds up the sums of the kShares warps of each tile of 16 rows, in the order of warps. The
// kConsumers warps that call finish() are the first of the block.
template <int kConsumers, int kShares, int kRows>
struct TurnSums {
  static constexpr int kTokens = 8;   // columns of the right operand of mma
  static constexpr int kBarrier = 1;  // the consumers'; 0 is that of __syncthreads()
  // Sums of a turn, and of the one before. A row has 4 more, so that lanes, which hold two tokens
  // of 8 rows, find 32 banks.
  float values[2][kShares][kTokens][kRows + 4];

  // `own` are the sums of `tile` that this warp, the tile's number `share`, has made: value i of
  // lane (g, q) = (lane / 4, lane % 4) is of row g + 8 * (i / 2) and token 2 * q + i % 2. The turn
  // has `there` rows from `first_row` on.
  template <typename T, typename Weight>
  __device__ __forceinline__ void finish(const float (&own)[4], int tile, int share,
                                         const Result<T, Weight>& result, int turn, int first_row,
                                         int there, int m) {
    const int g = lane_id() / 4, q = lane_id() % 4;
    auto& meeting = values[turn % 2];
#pragma unroll
    for (int i = 0; i < 4; ++i) meeting[share][2 * q + i % 2][16 * tile + 8 * (i / 2) + g] = own[i];
    // One barrier a turn: the other half is written next, and this one again when all have passed
    // the next barrier, and so have read it.
    named_barrier_sync<32 * kConsumers>(kBarrier);
    for (int at = threadIdx.x; at < kRows * m; at += 32 * kConsumers) {
      const int token = at / kRows, mine = at % kRows;
      if (mine >= there) continue;
      float sum = meeting[0][token][mine];
#pragma unroll
      for (int warp = 1; warp < kShares; ++warp) sum += meeting[warp][token][mine];
      result.store(token, first_row + mine, sum);
    }
  }
};
