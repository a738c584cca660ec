// How blocks that multiplied hand their sums to blocks that choose, in one trip through L2, and the
// warps that choose.
//
// Between launches all places of `slots` hold zero bits. A block writes its sums to its own places,
// +0 as -0, which no later operation can tell apart. So a word that is not zero is a sum, whatever
// order words arrive in: no fence, no counter. Who chooses for a token reads all of its sums again
// until none is missing, and leaves zeros for the next launch.
#pragma once

#include "expert_route.cuh"
#include "roles.cuh"

// Barriers: among the warps of the product, among those that choose, and, from kProductDone on,
// between the two.
enum ExchangeBarrier { kSummed = 1, kMerged = 2, kProductDone = 3, kAsked = 4, kGathered = 5 };

// Relaxed: every word stands for itself, and is one access in the model of memory.
__device__ __forceinline__ uint4 load_slots(const float* from) {
  uint4 value;
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(__cvta_generic_to_global(from))
               : "memory");
  return value;
}
// Where `really` is false nothing is stored, by the same instructions: a rehearsal must go through
// the code that it is to fetch, and a branch would pass it by.
__device__ __forceinline__ void store_slots(float* to, const uint4& value, bool really = true) {
  asm volatile(
      "{\n\t.reg .pred really;\n\tsetp.ne.b32 really, %5, 0;\n\t"
      "@really st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};\n\t}" ::"l"(
          __cvta_generic_to_global(to)),
      "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w), "r"(static_cast<int>(really))
      : "memory");
}

__device__ __forceinline__ u32 filled(float sum) {
  const u32 bits = __float_as_uint(sum);
  return bits == 0 ? 0x80000000u : bits;
}
__device__ __forceinline__ void fill_slots(float* to, const float4& sum, bool really = true) {
  store_slots(to, make_uint4(filled(sum.x), filled(sum.y), filled(sum.z), filled(sum.w)), really);
}
__device__ __forceinline__ void fill_slots(float* to, float first, float second) {
  asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)),
               "r"(filled(first)), "r"(filled(second))
               : "memory");
}

// The parameters of a router.
template <class Router>
struct RouterTraits;
template <class Select, Scoring kChosenScoring, int kAllGroups, int kKept, bool kIsNormalised>
struct RouterTraits<Route<Select, kChosenScoring, kAllGroups, kKept, kIsNormalised>> {
  static constexpr Scoring kScoring = kChosenScoring;
  static constexpr int kGroups = kAllGroups;
  static constexpr bool kNormalise = kIsNormalised;
};

// One token's best experts by kWarps warps, each lane of which has the logits of four: half of the
// time that Route needs, where the best are easily told apart.
//   1. Each warp scores its experts, exactly, and lists those that reach the k-th best of its
//      lanes' maxima: k, and often one more.
//   2. One warp ranks the lists by counting. A list that is too long, equal scores and scores that
//      are no numbers show there, and are left to Route.
template <class Router, class Select, int kWarps>
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

  // The list of warp `warp`, of four experts a lane from `expert` on, or none.
  static __device__ __forceinline__ void list(const float4& logits, const float4& bias, bool exists,
                                              int warp, int expert, Lists& lists) {
    const float all_logits[4] = {logits.x, logits.y, logits.z, logits.w};
    const float all_bias[4] = {bias.x, bias.y, bias.z, bias.w};
    float activations[4], scores[4], best = -kInfinity;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      activations[i] = expert_activation<Traits::kScoring>(all_logits[i], RowScale{});
      scores[i] = fmaxf(__fadd_rn(activations[i], all_bias[i]), -kInfinity);  // never NaN
      best = fmaxf(best, scores[i]);
    }
    // Maxima that fewer than k others are above, of which the least is the threshold. Some may
    // count for less: a lower threshold and a longer list at worst.
    if (!exists) best = -kInfinity;
    lists.maxima[warp][lane_id()] = best;
    __syncwarp();
    const bool among = above(best, lists.maxima[warp]) < static_cast<float>(kTopK) - 0.5f;
    const float threshold =
        from_ordered_int(__reduce_min_sync(kFullMask, ordered_int(among ? best : kInfinity)));
    bool listed[4];
    int place = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      listed[i] = exists && !(scores[i] < threshold);
      place += __popc(__ballot_sync(kFullMask, listed[i]) & lanes_below());
    }
    float* const own_scores = &lists.scores[warp * kPlaces];
    int2* const own_others = &lists.others[warp * kPlaces];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (listed[i] && place < kPlaces) {
        own_scores[place] = scores[i];
        own_others[place] = make_int2(__float_as_int(activations[i]), expert + i);
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

// kSplits sums of each token and expert, of kProductWarps warps in each block; kMergeTokens tokens
// for a block that chooses. It has kWarps warps more, each lane of which has four experts. A
// rehearsal reads kTouched of the splits. With kReadings 2 the next reading of slots is asked for
// half a trip behind the one before: sums are seen sooner, in twice the registers. Those who choose
// wait for kPatience cycles behind their own block's product: who reads a little too early waits
// for two trips. With kProductClears the warps of the product clear, by clear_slots().
template <class Router, class Select, int kSplits, int kProductWarps, int kMergeTokens,
          int kTouched, int kReadings = 1, int kPatience = 0, bool kProductClears = false>
struct Exchange {
  static constexpr int kExperts = Select::kCount, kTopK = Select::kBest;
  static constexpr int kWarps = (kExperts + 127) / 128, kThreads = kWarps * kWarpSize;
  static constexpr int kAllThreads = kThreads + kProductWarps * kWarpSize;
  using Logits = float[kMergeTokens][kExperts];  // in shared memory, aligned to 16
  using Quick = QuickChoice<Router, Select, kWarps>;
  static constexpr bool kQuick = kMergeTokens == 1 && Quick::kPossible;

  struct Scratch {
    typename Router::Scratch routes[kWarps];
    typename Quick::Lists lists[2];  // the second one for rehearsals
  };

  const float* __restrict__ bias;
  int* __restrict__ ids;
  float* __restrict__ weights;
  float* slots;
  int tokens;
  float scale;

  static __device__ __forceinline__ u32 least(const uint4 (&parts)[kSplits]) {
    u32 all = 0xffffffffu;
#pragma unroll
    for (int s = 0; s < kSplits; ++s)
      all = min(all, min(min(parts[s].x, parts[s].y), min(parts[s].z, parts[s].w)));
    return all;
  }

  // Four experts' logits, when all splits have come. A rehearsal takes what is there, by the same
  // instructions, which it fetches so: beyond the first kTouched splits it reads the first again.
  static __device__ __forceinline__ float4 gather(const float* from, i64 split_stride,
                                                  bool rehearsal) {
    const i64 untouched_stride = rehearsal ? 0 : split_stride;
    uint4 parts[kSplits];
    const auto read = [&](uint4(&to)[kSplits]) {
#pragma unroll
      for (int s = 0; s < kSplits; ++s)
        to[s] = load_slots(from + s * (s < kTouched ? split_stride : untouched_stride));
    };
    if constexpr (kReadings == 1) {
#pragma unroll 1
      while (true) {
        read(parts);
        if (least(parts) != 0 || rehearsal) break;
        __nanosleep(20);
      }
    } else {
      uint4 next[kSplits];
      read(parts);
      __nanosleep(100);
#pragma unroll 1
      while (true) {
        read(next);
        if (least(parts) != 0 || rehearsal) break;
        read(parts);
        if (least(next) != 0) {
#pragma unroll
          for (int s = 0; s < kSplits; ++s) parts[s] = next[s];
          break;
        }
      }
    }
    float4 sum{};
#pragma unroll
    for (int s = 0; s < kSplits; ++s)
      sum = make_float4(sum.x + __uint_as_float(parts[s].x), sum.y + __uint_as_float(parts[s].y),
                        sum.z + __uint_as_float(parts[s].z), sum.w + __uint_as_float(parts[s].w));
    return sum;
  }

  // Until sums of all blocks should be there.
  static __device__ __forceinline__ void wait_for_product() {
    named_barrier_sync<kAllThreads>(kProductDone);
    if constexpr (kPatience > 0) {
      const long long begin = clock64();
      while (clock64() - begin < kPatience) {
      }
    }
  }

  // Leaves the places ready for the next launch.
  static __device__ __forceinline__ void clear(float* from, i64 split_stride) {
#pragma unroll
    for (int s = 0; s < kSplits; ++s) store_slots(from + s * split_stride, make_uint4(0, 0, 0, 0));
  }

  // Run by the warps that choose, from warp kProductWarps on, for `count` tokens.
  //
  // They would wait beside the product anyhow, and use the time to rehearse: they run the whole
  // choice once on invented logits, and read slots and bias. After L2 has been used by others, the
  // first pass through some hundred instructions waits for DRAM every few lines of code; the second
  // finds all of it, the bias and the translations of addresses in caches. Their second reading
  // begins when the own product is done, so that it does not take L2's bandwidth from others'.
  __device__ __forceinline__ void merge(Logits& all_logits, Scratch& scratch, int first,
                                        int count) const {
    if constexpr (kQuick)
      merge_one(all_logits, scratch, first);
    else
      merge_all(all_logits, scratch, first, count);
  }

  // By the warps of the product of a block that chooses for `count` tokens: waits until these have
  // been read, and leaves their places ready for the next launch. Those who choose are spared it.
  __device__ __forceinline__ void clear_slots(int first, int count) const {
    static_assert(kProductClears);
    named_barrier_sync<kAllThreads>(kGathered);
    float* const to = slots + static_cast<i64>(first) * kExperts;
#pragma unroll 1
    for (int s = uniform_warp_id(); s < kSplits; s += kProductWarps)
      for (int i = lane_id() * 4; i < count * kExperts; i += kWarpSize * 4)
        store_slots(to + static_cast<i64>(s) * tokens * kExperts + i, uint4{});
  }

 private:
  // One token, by all warps together. The rehearsal has two parts at the same time: the last warp
  // goes through the ranking, the others through everything before, so that they wait for different
  // lines of code.
  __device__ __forceinline__ void merge_one(Logits& all_logits, Scratch& scratch, int token) const {
    const int warp = uniform_warp_id() - kProductWarps, lane = lane_id();
    const int column = (warp * kWarpSize + lane) * 4;
    const bool exists = column < kExperts;
    const float4 own_bias =
        exists ? __ldg(reinterpret_cast<const float4*>(bias + column)) : float4{};
    const i64 split_stride = static_cast<i64>(tokens) * kExperts;
    float* const from = slots + static_cast<i64>(token) * kExperts + column;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
      const bool rehearsal = pass == 0;
      if (!rehearsal) {
        __syncwarp();
        scratch.lists[0].clear(warp);
        wait_for_product();
      }
      if (!rehearsal || kWarps == 1 || warp != kWarps - 1) {
        float4 logits{};
        if (exists) logits = gather(from, split_stride, rehearsal);
        if (kProductClears && !rehearsal) named_barrier_arrive<kAllThreads>(kGathered);
        if (rehearsal) logits = make_float4(static_cast<float>(lane) * 0.1f, -8, -9, -10);
        Quick::list(logits, own_bias, exists, warp, column, scratch.lists[0]);
        if (!rehearsal && exists) *reinterpret_cast<float4*>(&all_logits[0][column]) = logits;
      } else if (exists) {
#pragma unroll
        for (int s = 0; s < min(kSplits, kTouched); ++s) load_slots(from + s * split_stride);
      }
      if (!rehearsal && warp != 0) named_barrier_arrive<kThreads>(kMerged);
      if (!kProductClears && !rehearsal && exists) clear(from, split_stride);
      if (!rehearsal && warp != 0) return;
      if (!rehearsal || warp == kWarps - 1) {
        if (rehearsal) {
          for (int i = 0; i < kWarps; ++i) scratch.lists[1].clear(i);
          __syncwarp();
          scratch.lists[1].scores[lane] = static_cast<float>(lane);
          __syncwarp();
        } else {
          named_barrier_sync<kThreads>(kMerged);
        }
        const bool done = Quick::rank(scratch.lists[pass ^ 1], scale,
                                      [&](int place, int expert, float weight, bool really) {
                                        store(token, place, expert, weight, really && !rehearsal);
                                      });
        if (!done && !rehearsal) {
          Router router;
          router.load_bias(bias);
          choose(router, all_logits[0], scratch.routes[0],
                 [&](int place, int expert, float weight) {
                   store(token, place, expert, weight, true);
                 });
        }
      }
    }
  }

  // One choice, or none by the same instructions.
  __device__ __forceinline__ void store(int token, int place, int expert, float weight,
                                        bool really) const {
    const i64 at = static_cast<i64>(token) * kTopK + place;
    asm volatile(
        "{\n\t.reg .pred really;\n\tsetp.ne.b32 really, %4, 0;\n\t"
        "@really st.global.u32 [%0], %1;\n\t@really st.global.f32 [%2], %3;\n\t}" ::"l"(
            __cvta_generic_to_global(ids + at)),
        "r"(expert), "l"(__cvta_generic_to_global(weights + at)), "f"(weight),
        "r"(static_cast<int>(really))
        : "memory");
  }

  // By one warp, for any token.
  template <class Store>
  __device__ __forceinline__ void choose(const Router& router, const float (&row)[kExperts],
                                         typename Router::Scratch& scratch, Store store) const {
    float logits[Select::kPerLane];
#pragma unroll
    for (int i = 0; i < Select::kPerLane; ++i) {
      const int expert = Select::expert(lane_id(), i);
      logits[i] = expert < kExperts ? row[expert] : -kInfinity;
    }
    router.collect(logits, 0, scratch);
    __syncwarp();
    Router::finish(
        1, bias, scale, scratch, [&](int, int expert) { return row[expert]; },
        [&](int, int place, int expert, float weight) { store(place, expert, weight); });
  }

  __device__ __forceinline__ void merge_all(Logits& all_logits, Scratch& scratch, int first,
                                            int count) const {
    const int warp = uniform_warp_id() - kProductWarps, lane = lane_id();
    const int column = (warp * kWarpSize + lane) * 4;
    Router router;
    router.load_bias(bias);
    const i64 split_stride = static_cast<i64>(tokens) * kExperts;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
      const bool rehearsal = pass == 0;
      const int now = rehearsal ? 1 : count;
      if (!rehearsal) wait_for_product();
      if (column < kExperts) {
#pragma unroll 1
        for (int token = 0; token < now; ++token) {
          float* const from = slots + static_cast<i64>(first + token) * kExperts + column;
          float4 sum = gather(from, split_stride, rehearsal);
          if (!kProductClears && !rehearsal) clear(from, split_stride);
          // Logits of an ordinary token: one good one in each lane.
          if (rehearsal)
            sum = make_float4(static_cast<float>(lane) * 0.1f - static_cast<float>(warp), -8, -9,
                              -10);
          *reinterpret_cast<float4*>(&all_logits[token][column]) = sum;
        }
      }
      if (kProductClears && !rehearsal) named_barrier_arrive<kAllThreads>(kGathered);
      named_barrier_sync<kThreads>(kMerged);
#pragma unroll 1
      for (int token = rehearsal ? 0 : warp; token < now; token += kWarps)
        choose(router, all_logits[token], scratch.routes[warp],
               [&](int place, int expert, float weight) {
                 if (rehearsal) return;
                 const i64 at = static_cast<i64>(first + token) * kTopK + place;
                 ids[at] = expert;
                 weights[at] = weight;
               });
      if (rehearsal) named_barrier_sync<kThreads>(kMerged);  // the invented logits were read
    }
  }
};

// Which blocks choose for a tile of tokens: those that begin last. They are fewer than SMs
// (kernel.yaml), so that blocks which have not begun find room: nobody waits for ever.
template <int kMergeTokens>
struct Merger {
  int number, first, count;  // among the tile's, less than 0 for none; of its tokens
  __device__ __forceinline__ explicit Merger(int tile_tokens)
      : Merger(tile_tokens, static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x)) {}
  // `block` counts the tile's blocks in the order in which they begin.
  __device__ __forceinline__ Merger(int tile_tokens, int block) {
    const int mergers = (tile_tokens + kMergeTokens - 1) / kMergeTokens;
    const int blocks = static_cast<int>(gridDim.x * gridDim.y);
    number = block - (blocks - mergers);
    first = number * kMergeTokens;
    count = min(tile_tokens - first, kMergeTokens);
  }
};
