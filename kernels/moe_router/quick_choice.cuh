// One token's best experts by a warp, or by several at once, for launches in which each chooses for
// one token or two, and somebody waits for it.
#pragma once

#include "expert_route.cuh"

// The parameters of a router.
template <class Router>
struct RouterTraits;
template <class Select, Scoring kChosenScoring, int kAllGroups, int kKept, bool kIsNormalised>
struct RouterTraits<Route<Select, kChosenScoring, kAllGroups, kKept, kIsNormalised>> {
  static constexpr Scoring kScoring = kChosenScoring;
  static constexpr int kGroups = kAllGroups;
  static constexpr bool kNormalise = kIsNormalised;
};

// One token's best experts by kWarps warps, each lane of which has the logits of kVectors times
// four, 128 experts apart: half of the time that Route needs, where the best are easily told apart.
//   1. Each warp scores its experts, exactly, and lists those that reach the k-th best of its
//      lanes' maxima: k, and often one more.
//   2. One warp ranks the lists by counting. A list that is too long, equal scores and scores that
//      are NaN show there, and are left to Route.
template <class Router, class Select, int kWarps, int kVectors = 1>
struct QuickChoice {
  using Traits = RouterTraits<Router>;
  static constexpr int kTopK = Select::kBest;
  static constexpr int kPlaces = kWarpSize / kWarps;  // of a warp's list
  static constexpr bool kPossible = Traits::kScoring != Scoring::softmax && Traits::kGroups == 1 &&
                                    kWarps <= 4 && kTopK + 2 <= kPlaces;

  struct alignas(16) Lists {
    float scores[kWarpSize];  // -inf in places that are free
    int2 others[kWarpSize];   // the activation's bits, and the expert
    int too_long[4];          // of each warp
    float maxima[kWarps][kWarpSize];
    float chosen[kWarpSize];  // their activations, where they are among the best k

    // The places of warp `warp` are free. No lane of it may be behind list().
    __device__ __forceinline__ void clear(int warp) {
      const int place = warp * kPlaces + lane_id();
      if (place < (warp == kWarps - 1 ? kWarpSize : (warp + 1) * kPlaces)) {
        scores[place] = -kInfinity;
        others[place] = make_int2(0, 0);
      }
      if (lane_id() == 0) too_long[warp] = 0;
      if (warp == 0 && lane_id() >= kWarps && lane_id() < 4) too_long[lane_id()] = 0;
    }
  };

  static __device__ __forceinline__ bool exists(int expert, int vector) {
    return expert + vector * (4 * kWarpSize) < Select::kCount;
  }

  // How many of the scores, which are in shared memory, are above `score`. Each counts 1: its
  // distance, times more than enough, cut off at 1. One that is above by less than that counts for
  // less, but never for more than one that is better. Half the instructions of comparisons, and
  // those of the faster pipe.
  static __device__ __forceinline__ float above(float score, const float (&scores)[kWarpSize]) {
    constexpr float kFar = 0x1p60f;
    const float own = score * kFar;
    float counts[4] = {};
#pragma unroll
    for (int i = 0; i < kWarpSize; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(&scores[i]);
      counts[0] += __saturatef(__fmaf_rn(four.x, kFar, -own));
      counts[1] += __saturatef(__fmaf_rn(four.y, kFar, -own));
      counts[2] += __saturatef(__fmaf_rn(four.z, kFar, -own));
      counts[3] += __saturatef(__fmaf_rn(four.w, kFar, -own));
    }
    return (counts[0] + counts[1]) + (counts[2] + counts[3]);
  }

  // The list of warp `warp`, of vectors of four experts a lane from `expert` on, where they exist.
  static __device__ __forceinline__ void list(const float4 (&logits)[kVectors],
                                              const float4 (&bias)[kVectors], int warp, int expert,
                                              Lists& lists) {
    float activations[4 * kVectors], scores[4 * kVectors], best = -kInfinity;
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      const float all_logits[4] = {logits[v].x, logits[v].y, logits[v].z, logits[v].w};
      const float all_bias[4] = {bias[v].x, bias[v].y, bias[v].z, bias[v].w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int at = 4 * v + i;
        activations[at] = expert_activation<Traits::kScoring>(all_logits[i], RowScale{});
        scores[at] = fmaxf(__fadd_rn(activations[at], all_bias[i]), -kInfinity);  // never NaN
        if (exists(expert, v)) best = fmaxf(best, scores[at]);
      }
    }
    // Maxima that fewer than k others are above, of which the least is the threshold. Some may
    // count for less: a lower threshold and a longer list at worst.
    lists.maxima[warp][lane_id()] = best;
    __syncwarp();
    const bool among = above(best, lists.maxima[warp]) < static_cast<float>(kTopK) - 0.5f;
    const float threshold =
        from_ordered_int(__reduce_min_sync(kFullMask, ordered_int(among ? best : kInfinity)));
    bool listed[4 * kVectors];
    int place = 0;
#pragma unroll
    for (int i = 0; i < 4 * kVectors; ++i) {
      listed[i] = exists(expert, i / 4) && !(scores[i] < threshold);
      place += __popc(__ballot_sync(kFullMask, listed[i]) & lanes_below());
    }
    float* const own_scores = &lists.scores[warp * kPlaces];
    int2* const own_others = &lists.others[warp * kPlaces];
#pragma unroll
    for (int i = 0; i < 4 * kVectors; ++i) {
      if (listed[i] && place < kPlaces) {
        own_scores[place] = scores[i];
        own_others[place] =
            make_int2(__float_as_int(activations[i]), expert + i / 4 * (4 * kWarpSize) + i % 4);
      }
      place += listed[i] ? 1 : 0;
    }
    if (lane_id() == kWarpSize - 1 && place > kPlaces) lists.too_long[warp] = 1;
  }

  // Calls store(place, expert, weight, really), by all lanes: really by those that have one of the
  // best k; by none, and false, if these take more to tell.
  template <class Store>
  static __device__ __forceinline__ bool rank(Lists& lists, float scale, Store store) {
    const int lane = lane_id();
    const float score = lists.scores[lane];
    const int2 other = lists.others[lane];
    const int4 too_long = *reinterpret_cast<const int4*>(lists.too_long);
    const int place = __float2int_rn(above(score, lists.scores));
    const bool chosen = place < kTopK && score > -kInfinity;
    const float activation = fmaxf(__int_as_float(other.x), 0.0f);  // NaN becomes 0
    lists.chosen[lane] = chosen ? activation : 0.0f;
    // What does not make k different places is left to Route.
    u32 places = chosen ? 1u << place : 0u;
    if ((too_long.x | too_long.y | too_long.z | too_long.w) != 0) places = ~0u;
    const u32 all = __reduce_or_sync(kFullMask, places);
    const u32 votes = __ballot_sync(kFullMask, chosen);
    const bool done = all == (1u << kTopK) - 1u && __popc(votes) == kTopK;
    float factor = scale;
    if constexpr (Traits::kNormalise) {
      __syncwarp();
      float sums[4] = {1e-20f, 0, 0, 0};
#pragma unroll
      for (int i = 0; i < kWarpSize; i += 4) {
        const float4 four = *reinterpret_cast<const float4*>(&lists.chosen[i]);
        sums[0] += four.x;
        sums[1] += four.y;
        sums[2] += four.z;
        sums[3] += four.w;
      }
      factor *= reciprocal_approx((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }
    store(place, other.y, __fmul_rn(activation, factor), chosen && done);
    return done;
  }
};
