// Top-k of the scores of experts by k rounds, the baseline: a warp per token.
//
// Algorithm: a lane holds its scores as keys of 64 bits that order (score descending, expert
// ascending). In each round every lane finds its best key, the warp the best of those, and the lane
// that has it removes it. Every round looks at every score, in all lanes, although only one lane
// changed. Beyond 1024 experts keys would not fit in registers: a round then reads the scores again
// and takes the best of those that are worse than the last one.
//
// Tunables:
//   WARPS  tokens of a block
//
// Next idea: look at most scores once, and rank only what can be among the best: list.cu; and for
// many of them bisect.cu.
#include "defaults.cuh"
#include "expert_select.cuh"

using Score = DTYPE;
constexpr int kExperts = EXPERTS;
constexpr int kTopK = TOP_K;
constexpr int kWarps = WARPS;
constexpr int kPerLane = (kExperts + kWarpSize - 1) / kWarpSize;
constexpr int kMostKeys = 32;  // in registers of a lane

// The best key of this lane's experts that is worse than `than`.
__device__ __forceinline__ u64 best_below(const Score* row, u64 than) {
  u64 best = 0;
  for (int expert = lane_id(); expert < kExperts; expert += kWarpSize) {
    const u64 key = make_key(to_float(row[expert]), expert);
    if (key < than && key > best) best = key;
  }
  return best;
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   scores  [tokens, experts] of dtype
//   ids     [tokens, k] of i32, written
//   values  [tokens, k] of dtype, written
//   tokens  rows of scores
extern "C" __global__ void __launch_bounds__(kWarps* kWarpSize)
    topk_select(const Score* __restrict__ scores, int* __restrict__ ids, Score* __restrict__ values,
                int tokens) {
  const int token = static_cast<int>(blockIdx.x) * kWarps + warp_id();
  if (token >= tokens) return;
  const Score* const row = scores + static_cast<i64>(token) * kExperts;

  if constexpr (kPerLane <= kMostKeys) {
    u64 keys[kPerLane];
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
      const int expert = i * kWarpSize + lane_id();
      keys[i] = expert < kExperts ? make_key(to_float(row[expert]), expert) : 0;
    }
#pragma unroll 1
    for (int round = 0; round < kTopK; ++round) {
      u64 mine = keys[0];
#pragma unroll
      for (int i = 1; i < kPerLane; ++i) mine = keys[i] > mine ? keys[i] : mine;
      const u64 best = warp_max_key(mine);
#pragma unroll
      for (int i = 0; i < kPerLane; ++i) keys[i] = keys[i] == best ? 0 : keys[i];
      if (lane_id() == 0) {
        const i64 place = static_cast<i64>(token) * kTopK + round;
        ids[place] = key_index(best);
        values[place] = row[key_index(best)];
      }
    }
  } else {
    u64 best = ~0ull;
#pragma unroll 1
    for (int round = 0; round < kTopK; ++round) {
      best = warp_max_key(best_below(row, best));
      if (lane_id() == 0) {
        const i64 place = static_cast<i64>(token) * kTopK + round;
        ids[place] = key_index(best);
        values[place] = row[key_index(best)];
      }
    }
  }
}
