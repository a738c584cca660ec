// The draw of a token from the best K logits of a row: weights, those that top_p keeps, and the one
// that a random number falls on. kernel.yaml has the definition.
//
// Weights are integers, so that their sums are the same in any order and on any device, and so is
// the token. Doubles are what makes a weight of a logit: K of them for a row cost little, and a
// weight in f32 would depend on the device's exponential.
#pragma once

#include "topk.cuh"
#include "types.cuh"
#include "warp.cuh"

constexpr u64 kWholeWeight = 1ull << 40;  // of the best logit

// 2^40 exp((x - best) / temperature), rounded. `first`: the best itself, all there is without a
// temperature above 0.
__device__ __forceinline__ u64 draw_weight(float x, float best, float temperature, bool first) {
  if (x == -kInfinity) return 0;
  if (!(temperature > 0.0f)) return first ? kWholeWeight : 0;
  if (x == best) return kWholeWeight;  // infinities too
  const double distance = static_cast<double>(x) - static_cast<double>(best);
  const double weight = exp(distance / static_cast<double>(temperature));
  return static_cast<u64>(__double2ll_rn(weight * static_cast<double>(kWholeWeight)));
}

// Called by all threads of a block, with keys that all of them see: the best kTopK of a row in
// descending order. `weights`: shared memory of kTopK, not that of the keys. `bits` are random.
// `token` and `probability` are written by one thread of the first warp.
template <int kThreads, int kTopK>
__device__ __forceinline__ void draw_token(const u64* keys, u64* weights, float temperature,
                                           float top_p, u64 bits, int* token, float* probability) {
  const float best = key_value(keys[0]);
  for (int place = static_cast<int>(threadIdx.x); place < kTopK; place += kThreads)
    weights[place] = draw_weight(key_value(keys[place]), best, temperature, place == 0);
  __syncthreads();
  if (warp_id() != 0) return;

  // A lane has a share of neighbours, so that one scan of the warp gives the sums before each.
  constexpr int kShare = (kTopK + kWarpSize - 1) / kWarpSize;
  const int begin = min(lane_id() * kShare, kTopK), end = min(begin + kShare, kTopK);
  u64 mine = 0;
  for (int place = begin; place < end; ++place) mine += weights[place];
  u64 after = mine;
#pragma unroll
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const u64 before = __shfl_up_sync(kFullMask, after, distance);
    after += lane_id() >= distance ? before : 0;
  }
  const u64 all = __shfl_sync(kFullMask, after, kWarpSize - 1);

  // The first place at which the sum reaches top_p of all is the last one that is kept.
  const double wanted = static_cast<double>(top_p) * static_cast<double>(all);
  u64 sum = after - mine, kept = 0;
  bool reached = false;
  for (int place = begin; place < end && !reached; ++place) {
    sum += weights[place];
    reached = static_cast<double>(sum) >= wanted;
    kept = sum;
  }
  const u32 reaching = __ballot_sync(kFullMask, reached);
  kept = reaching != 0 ? __shfl_sync(kFullMask, kept, __ffs(static_cast<int>(reaching)) - 1) : all;

  const u64 target = __umul64hi(bits, kept);
  sum = after - mine;
  for (int place = begin; place < end; ++place) {
    const u64 weight = weights[place];
    // In a row without numbers there is nothing to fall on: its first entry, with probability 0.
    const bool drawn = kept == 0 ? place == 0 : sum <= target && target < sum + weight;
    if (drawn) {
      *token = key_index(keys[place]);
      *probability =
          kept == 0 ? 0.0f
                    : static_cast<float>(static_cast<double>(weight) / static_cast<double>(kept));
    }
    sum += weight;
  }
}
