// Top-k of the scores of experts by k rounds, the baseline: a warp per token.
//
// Algorithm: a lane holds its scores as keys of 64 bits that order (score descending, expert
// ascending). In each round every lane finds its best key, the warp the best of those, and the lane
// that has it removes it. Every round looks at every score, in all lanes, although only one lane
// changed.
//
// Tunables:
//   WARPS  tokens of a block
//
// Next idea: look at most scores once, and rank only what can be among the best: list.cu.
#include "defaults.cuh"
#include "expert_select.cuh"

using Score = DTYPE;
constexpr int kExperts = EXPERTS;
constexpr int kTopK = TOP_K;
constexpr int kWarps = WARPS;
constexpr int kPerLane = (kExperts + kWarpSize - 1) / kWarpSize;

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
}
