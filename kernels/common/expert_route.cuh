// From the logits of a token to its experts and their weights, as routers of mixtures of experts
// define it:
//   activation = sqrt(softplus(x)), logistic(x), or the softmax over the token's experts
//   score      = activation + bias[expert]              decides, and is not seen afterwards
//   experts    = the k best scores; with groups, of the best groups alone. A group's score is the
//                sum of its two best
//   weight     = activation, divided by the sum over the chosen if normalised, times scale
//
// A logit of NaN makes a score that counts as -inf and a weight of 0. -inf is an ordinary logit of
// activation 0 (for the softmax: unless the whole row is).
//
// Errors, relative, of the activation (u = 2^-24): ex2.approx has 4 u, and the rounding of its
// argument makes |x| u more; softplus adds 4 u for the polynomial and its roundings, sqrt.approx 2
// u. A square root halves what it is given: below 7 u + |x| u/2 for sqrt(softplus), below 8 u + |x|
// u for the others. An activation below 2^-63 (x < -87) is 0, since softplus would be subnormal.
#pragma once

#include "expert_select.cuh"
#include "types.cuh"
#include "warp.cuh"

enum class Scoring { sqrt_softplus, sigmoid, softmax };

__device__ __forceinline__ float sqrt_approx(float x) {
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
}

// max(x, 0) + log1p(e^-|x|). The logarithm is t * p(t) for t in [0, 1], p of degree 7 with minimal
// relative error (2.0e-7): eight instructions of the ordinary pipe, where lg2(1 + t) would have no
// digits left for small t, which the square root then turns into errors of 1e-4.
__device__ __forceinline__ float softplus(float x) {
  const float t = exp2_approx(__fmul_rn(fabsf(x), -kLog2E));
  float p = -0.008539179584130559f;
  p = __fmaf_rn(p, t, 0.04408952685675154f);
  p = __fmaf_rn(p, t, -0.10768156291512074f);
  p = __fmaf_rn(p, t, 0.17745230722714217f);
  p = __fmaf_rn(p, t, -0.24495458857122065f);
  p = __fmaf_rn(p, t, 0.33275479068540526f);
  p = __fmaf_rn(p, t, -0.49997405350834845f);
  p = __fmaf_rn(p, t, 0.9999998056705708f);
  return __fmaf_rn(p, t, fmaxf(x, 0.0f));
}

// sqrt(softplus(x)) to within 6e-4 + 2e-6 of it, in five instructions instead of thirteen, to find
// who may be among the best. For small x a sum 1 + 2^(x log2 e) has lost digits, 1.2e-7 of softplus
// for its rounding and 1.2e-7 for the error of lg2, of which the root makes 4.9e-4; for large x the
// rounding of the argument is |x| 2^-24 of softplus, half of which is left. From x = 88.8 on it is
// +inf.
__device__ __forceinline__ float rough_sqrt_softplus(float x) {
  float logarithm;
  asm("lg2.approx.ftz.f32 %0, %1;"
      : "=f"(logarithm)
      : "f"(__fadd_rn(1.0f, exp2_approx(__fmul_rn(x, kLog2E)))));
  return sqrt_approx(logarithm);  // times the root of ln 2
}
constexpr float kRootOfLn2 = 0.83255461115769776f;

// The figures of a row that a softmax needs.
struct RowScale {
  float maximum;
  float inverse;  // of the sum
};

// Contractions are written out: the same logit must give the same bits wherever this is inlined.
template <Scoring kScoring>
__device__ __forceinline__ float expert_activation(float x, const RowScale& row) {
  if constexpr (kScoring == Scoring::sqrt_softplus)
    return sqrt_approx(softplus(x));
  else if constexpr (kScoring == Scoring::sigmoid)
    return reciprocal_approx(__fadd_rn(1.0f, exp2_approx(__fmul_rn(x, -kLog2E))));
  else
    return __fmul_rn(exp2_approx(__fmul_rn(__fsub_rn(x, row.maximum), kLog2E)), row.inverse);
}

// Shared memory of a warp that routes.
template <class Select, int kGroups>
struct alignas(16) RouteScratch {
  u64 keys[kWarpSize];
  int entries[kWarpSize];
  int lengths[Select::kLists];
  RowScale rows[Select::kLists];
  float2 pairs[kGroups > 1 ? kWarpSize* Select::kVectors : 1];  // the best two of each vector
};

// Groups are kGroups equal runs of experts, of which kKept are kept; 1 and 1 for none. Vectors of
// Select must not straddle groups.
template <class Select, Scoring kScoring, int kGroups, int kKept, bool kNormalise>
struct Route {
  using Scratch = RouteScratch<Select, kGroups>;
  static constexpr int kPerLane = Select::kPerLane, kVector = Select::kWidth;
  static constexpr int kTurns = Select::kLists / Select::kTokens;
  static constexpr int kGroupExperts = Select::kCount / kGroups;
  static_assert(kGroups == 1 || (kGroupExperts % kVector == 0 && kGroups <= Select::kShare &&
                                 kGroups * kGroupExperts == Select::kCount));
  static_assert(kKept * kGroupExperts >= Select::kBest);

  float bias[kPerLane];  // of this lane's experts, -inf where there is none

  __device__ __forceinline__ void load_bias(const float* __restrict__ from) {
    ScoreVectors<float, Select> vectors;
    vectors.load(from);
    vectors.unpack(bias);
  }

  static __device__ __forceinline__ void insert(float score, float& first, float& second) {
    second = fmaxf(second, fminf(first, score));
    first = fmaxf(first, score);
  }

  // The bits of the scores whose groups are kept; the others become -inf.
  static __device__ __forceinline__ u32 keep_groups(float (&scores)[kPerLane], float2* all_pairs) {
    constexpr int kGroupVectors = kGroupExperts / kVector;
    const int sub = Select::sub_lane();
    float2* const pairs =
        all_pairs + lane_id() / Select::kShare * Select::kShare * Select::kVectors;
#pragma unroll
    for (int v = 0; v < Select::kVectors; ++v) {
      float first = -kInfinity, second = -kInfinity;
#pragma unroll
      for (int i = 0; i < kVector; ++i)
        insert(fmaxf(scores[v * kVector + i], -kInfinity), first, second);
      pairs[v * Select::kShare + sub] = make_float2(first, second);
    }
    __syncwarp();
    float first = -kInfinity, second = -kInfinity;
    if (sub < kGroups) {
#pragma unroll 4
      for (int v = 0; v < kGroupVectors; ++v) {
        const float2 pair = pairs[sub * kGroupVectors + v];
        insert(pair.x, first, second);
        insert(pair.y, first, second);
      }
    }
    const float sum = first + second;
    int better = 0;
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      const float other = __shfl_sync(kFullMask, sum, group, Select::kShare);
      better += other > sum || (other == sum && group < sub) ? 1 : 0;
    }
    const u32 kept = Select::ballot(sub < kGroups && better < kKept);
    u32 eligible = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) {
      const int expert = Select::expert(sub, i);
      const bool in = expert < Select::kCount && (kept >> expert / kGroupExperts & 1) != 0;
      eligible |= in ? 1u << i : 0u;
      scores[i] = in ? scores[i] : -kInfinity;
    }
    __syncwarp();  // the pairs are free again
    return eligible;
  }

  static __device__ __forceinline__ RowScale softmax_scale(const float (&logits)[kPerLane]) {
    float maximum = -kInfinity;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) maximum = fmaxf(maximum, logits[i]);
    RowScale row{warp_reduce<Select::kShare>(maximum, Max{}), 1.0f};
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)  // NaN counts 0
      sum += fmaxf(expert_activation<Scoring::softmax>(logits[i], row), 0.0f);
    row.inverse = reciprocal_approx(warp_reduce<Select::kShare>(sum, Sum{}));
    return row;
  }

  // An activation is most of what a logit costs, and only that of listed experts must be exact:
  // ranks and weights come from finish(). Groups are chosen by exact scores.
  static constexpr bool kRough = kScoring == Scoring::sqrt_softplus && kGroups == 1;

  __device__ __forceinline__ void score(float (&scores)[kPerLane], const float (&logits)[kPerLane],
                                        const RowScale& row) const {
    const int sub = Select::sub_lane();
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)
      scores[i] = Select::expert(sub, i) < Select::kCount
                      ? __fadd_rn(expert_activation<kScoring>(logits[i], row), bias[i])
                      : -kInfinity;
  }

  struct AreRough {
    static constexpr bool kExact = false;
    const Route& route;
    const float (&logits)[kPerLane];
    __device__ __forceinline__ void refine(float (&scores)[kPerLane]) const {
      route.score(scores, logits, RowScale{});
    }
    // Twice the error of rough_sqrt_softplus(), and of the sums with biases.
    __device__ __forceinline__ float slack(float score) const {
      return fmaf(fabsf(score), 4e-6f, 1.3e-3f);
    }
  };

  // Lists the candidates of the token whose logits the lanes of this share hold (kPerLane each;
  // -inf where there is no expert). `list`: of the warp's lists.
  __device__ __forceinline__ void collect(const float (&logits)[kPerLane], int list,
                                          Scratch& scratch) const {
    const int sub = Select::sub_lane();
    u32 eligible = Select::existing(sub);
    int* const entries = scratch.entries + list * Select::kPlaces;
    float scores[kPerLane];
    int length = 0;
    if constexpr (kRough) {
#pragma unroll
      for (int i = 0; i < kPerLane; ++i)
        scores[i] = Select::expert(sub, i) < Select::kCount
                        ? fmaf(rough_sqrt_softplus(logits[i]), kRootOfLn2, bias[i])
                        : -kInfinity;
      length = Select::collect(scores, eligible, entries, AreRough{*this, logits});
    } else {
      RowScale row{};
      if constexpr (kScoring == Scoring::softmax) row = softmax_scale(logits);
      score(scores, logits, row);
      if constexpr (kGroups > 1) eligible = keep_groups(scores, scratch.pairs);
      length = Select::collect(scores, eligible, entries);
      if constexpr (kScoring == Scoring::softmax)
        if (sub == 0) scratch.rows[list] = row;
    }
    if (sub == 0) scratch.lengths[list] = length;
  }

  // Ranks the warp's lists, after collect() of all of them and __syncwarp(). `logit(list, expert)`
  // reads a logit again; `store(list, place, expert, weight)` gets the chosen of lists below
  // `lists`. The lists are free after the __syncwarp() that follows.
  template <class Logit, class Store>
  static __device__ __forceinline__ void finish(int lists, const float* __restrict__ all_bias,
                                                float scale, Scratch& scratch, Logit logit,
                                                Store store) {
    const int list = static_cast<int>(static_cast<u32>(lane_id()) / Select::kPlaces);
    const int length = scratch.lengths[list];
    const bool exists =
        list < lists && static_cast<int>(static_cast<u32>(lane_id()) % Select::kPlaces) < length;
    const int longest = __reduce_max_sync(kFullMask, length);
    int expert = 0;
    float activation = 0, score = 0;
    if (exists) {
      expert = Select::entry_expert(scratch.entries[lane_id()]);
      RowScale row{};
      if constexpr (kScoring == Scoring::softmax) row = scratch.rows[list];
      activation = expert_activation<kScoring>(logit(list, expert), row);
      score = __fadd_rn(activation, __ldg(all_bias + expert));
    }
    const int place = Select::rank(exists, score, expert, longest, scratch.keys);
    const bool chosen = exists && place < Select::kBest;
    // NaN becomes 0. In the sum an activation stands where its lane is, which the order of the list
    // decides, and that follows from the scores.
    activation = chosen ? fmaxf(activation, 0.0f) : 0.0f;
    float factor = scale;
    if constexpr (kNormalise)
      factor *= reciprocal_approx(warp_reduce<Select::kPlaces>(activation, Sum{}) + 1e-20f);
    if (chosen) store(list, place, expert, __fmul_rn(activation, factor));
    __syncwarp();
  }
};
