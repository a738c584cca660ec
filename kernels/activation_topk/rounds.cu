// Router of a mixture of experts by k rounds, the baseline: a warp per token.
//
// Algorithm: a lane calculates the scores of its experts and holds them as keys of 64 bits that
// order (score descending, expert ascending). With groups, every lane adds up the two best scores
// of one group, which it reads from shared memory. In each of k rounds every lane finds its best
// key, the warp the best of those, and the lane that has it removes it. Lane i keeps the i-th
// winner and calculates its weight.
//
// Tunables:
//   WARPS  tokens of a block
//
// Next idea: rank only what can be among the best: list.cu.
#include "defaults.cuh"
#include "expert_route.cuh"

constexpr int kExperts = EXPERTS;
constexpr int kRow = ROW_STRIDE == 0 ? kExperts : ROW_STRIDE;  // elements from token to token
constexpr int kTopK = TOP_K;
constexpr Scoring kScoring = Scoring::SCORING;
constexpr int kGroups = GROUPS, kKept = KEPT_GROUPS, kGroupExperts = kExperts / kGroups;
constexpr bool kNormalise = NORMALISE != 0;
constexpr int kWarps = WARPS;
constexpr int kPerLane = (kExperts + kWarpSize - 1) / kWarpSize;

// The groups that are kept, as bits. Lane g adds up the best two scores of group g.
__device__ __forceinline__ u32 kept_groups(const float* scores) {
  float first = -kInfinity, second = -kInfinity;
  if (lane_id() < kGroups) {
    for (int i = 0; i < kGroupExperts; ++i) {
      const float score = scores[lane_id() * kGroupExperts + i];
      second = fmaxf(second, fminf(first, score));
      first = fmaxf(first, score);
    }
  }
  const float sum = first + second;
  int better = 0;
  for (int group = 0; group < kGroups; ++group) {
    const float other = __shfl_sync(kFullMask, sum, group);
    better += other > sum || (other == sum && group < lane_id()) ? 1 : 0;
  }
  return __ballot_sync(kFullMask, lane_id() < kGroups && better < kKept);
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits   [tokens, row] of dtype, of which the first `experts` of a row are read
//   bias     [experts] of f32
//   ids      [tokens, k] of i32, written
//   weights  [tokens, k] of f32, written
//   tokens   rows of logits
//   scale    factor of the weights
extern "C" __global__ void __launch_bounds__(kWarps* kWarpSize)
    activation_topk(const float* __restrict__ logits, const float* __restrict__ bias,
                    int* __restrict__ ids, float* __restrict__ weights, int tokens, float scale) {
  __shared__ float shared[kWarps][kGroups > 1 ? kExperts : 1];
  const int token = static_cast<int>(blockIdx.x) * kWarps + warp_id();
  if (token >= tokens) return;
  const float* const row = logits + static_cast<i64>(token) * kRow;

  float x[kPerLane];
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int expert = i * kWarpSize + lane_id();
    x[i] = expert < kExperts ? row[expert] : -kInfinity;
  }
  RowScale scaling{};
  if constexpr (kScoring == Scoring::softmax) {
    float maximum = -kInfinity, sum = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) maximum = fmaxf(maximum, x[i]);
    scaling = {warp_max(maximum), 1.0f};
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)
      sum += fmaxf(expert_activation<kScoring>(x[i], scaling), 0.0f);
    scaling.inverse = reciprocal_approx(warp_sum(sum));
  }

  u64 keys[kPerLane];
#pragma unroll
  for (int i = 0; i < kPerLane; ++i) {
    const int expert = i * kWarpSize + lane_id();
    keys[i] = 0;
    if (expert < kExperts) {
      const float score = __fadd_rn(expert_activation<kScoring>(x[i], scaling), bias[expert]);
      keys[i] = make_key(score, expert);
      if constexpr (kGroups > 1) shared[warp_id()][expert] = fmaxf(score, -kInfinity);
    }
  }
  if constexpr (kGroups > 1) {
    __syncwarp();
    const u32 kept = kept_groups(shared[warp_id()]);
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)
      if ((kept >> (i * kWarpSize + lane_id()) / kGroupExperts & 1) == 0) keys[i] = 0;
  }

  u64 won = 0;  // lane i: the key of place i
#pragma unroll 1
  for (int round = 0; round < kTopK; ++round) {
    u64 mine = keys[0];
#pragma unroll
    for (int i = 1; i < kPerLane; ++i) mine = keys[i] > mine ? keys[i] : mine;
    const u64 best = warp_max_key(mine);
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) keys[i] = keys[i] == best ? 0 : keys[i];
    if (lane_id() == round) won = best;
  }

  const bool chosen = lane_id() < kTopK;
  const int expert = chosen ? key_index(won) : 0;
  // NaN becomes 0.
  const float activation =
      chosen ? fmaxf(expert_activation<kScoring>(row[expert], scaling), 0.0f) : 0.0f;
  float factor = scale;
  if constexpr (kNormalise) factor *= reciprocal_approx(warp_sum(activation) + 1e-20f);
  if (chosen) {
    const i64 place = static_cast<i64>(token) * kTopK + lane_id();
    ids[place] = expert;
    weights[place] = __fmul_rn(activation, factor);
  }
}
