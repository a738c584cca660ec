// How blocks that multiplied hand their sums to blocks that choose (sum_slots.cuh), and the warps
// that choose.
#pragma once

#include "quick_choice.cuh"
#include "roles.cuh"
#include "sum_slots.cuh"

// Barriers: among the warps of the product, among those that choose, and, from kProductDone on,
// between the two.
enum ExchangeBarrier { kSummed = 1, kMerged = 2, kProductDone = 3, kAsked = 4, kGathered = 5 };

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
        if (least_word(parts) != 0 || rehearsal) break;
        __nanosleep(20);
      }
    } else {
      uint4 next[kSplits];
      read(parts);
      __nanosleep(100);
#pragma unroll 1
      while (true) {
        read(next);
        if (least_word(parts) != 0 || rehearsal) break;
        read(parts);
        if (least_word(next) != 0) {
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
  // They would wait during the product anyhow, and use the time to rehearse: they run the whole
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
        Quick::list({logits}, {own_bias}, warp, column, scratch.lists[0]);
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
