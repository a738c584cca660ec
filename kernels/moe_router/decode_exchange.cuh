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

// Barriers: among the warps of the product, among those that choose, and between the two.
enum ExchangeBarrier { kSummed = 1, kMerged = 2, kProductDone = 3 };

// Relaxed: every word stands for itself, and is one access in the model of memory.
__device__ __forceinline__ uint4 load_slots(const float* from) {
  uint4 value;
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(__cvta_generic_to_global(from))
               : "memory");
  return value;
}
__device__ __forceinline__ void store_slots(float* to, const uint4& value) {
  asm volatile(
      "st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)),
      "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
      : "memory");
}

__device__ __forceinline__ u32 filled(float sum) {
  const u32 bits = __float_as_uint(sum);
  return bits == 0 ? 0x80000000u : bits;
}
__device__ __forceinline__ void fill_slots(float* to, const float4& sum) {
  store_slots(to, make_uint4(filled(sum.x), filled(sum.y), filled(sum.z), filled(sum.w)));
}
__device__ __forceinline__ void fill_slots(float* to, float first, float second) {
  asm volatile("st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)),
               "r"(filled(first)), "r"(filled(second))
               : "memory");
}

// kSplits sums of each token and expert, of kProductWarps warps in each block; kMergeTokens tokens
// for a block that chooses. It has kWarps warps more, each lane of which has four experts. A
// rehearsal reads kTouched of the splits.
template <class Router, class Select, int kSplits, int kProductWarps, int kMergeTokens,
          int kTouched>
struct Exchange {
  static constexpr int kExperts = Select::kCount, kTopK = Select::kBest;
  static constexpr int kWarps = (kExperts + 127) / 128, kThreads = kWarps * kWarpSize;
  static constexpr int kAllThreads = kThreads + kProductWarps * kWarpSize;
  using Scratch = typename Router::Scratch;
  using Logits = float[kMergeTokens][kExperts];  // in shared memory, aligned to 16

  const float* __restrict__ bias;
  int* __restrict__ ids;
  float* __restrict__ weights;
  float* slots;
  int tokens;
  float scale;

  // Four experts' logits, when all splits have come; a rehearsal takes what is there.
  static __device__ __forceinline__ float4 gather(float* from, i64 split_stride, bool rehearsal) {
    uint4 parts[kSplits];
    while (true) {
      u32 least = 0xffffffffu;
#pragma unroll
      for (int s = 0; s < kSplits; ++s) {
        parts[s] = make_uint4(0, 0, 0, 0);
        if (s < kTouched || !rehearsal) parts[s] = load_slots(from + s * split_stride);
      }
#pragma unroll
      for (int s = 0; s < kSplits; ++s)
        least = min(least, min(min(parts[s].x, parts[s].y), min(parts[s].z, parts[s].w)));
      if (least != 0 || rehearsal) break;
      __nanosleep(20);
    }
    float4 sum{};
#pragma unroll
    for (int s = 0; s < kSplits; ++s) {
      if (!rehearsal) store_slots(from + s * split_stride, make_uint4(0, 0, 0, 0));
      sum = make_float4(sum.x + __uint_as_float(parts[s].x), sum.y + __uint_as_float(parts[s].y),
                        sum.z + __uint_as_float(parts[s].z), sum.w + __uint_as_float(parts[s].w));
    }
    return sum;
  }

  // Run by the warps that choose, from warp kProductWarps on, for `count` tokens.
  //
  // They would wait beside the product anyhow, and use the time to rehearse: they run the whole
  // choice once on invented logits, and read slots and bias. After L2 has been used by others, the
  // first pass through some hundred instructions waits for DRAM every few lines of code; the second
  // finds all of it, the bias and the translations of addresses in caches. Their second reading
  // begins when the own product is done, so that it does not take L2's bandwidth from others'.
  __device__ __forceinline__ void merge(Logits& all_logits, Scratch* all_scratch, int first,
                                        int count) const {
    const int warp = uniform_warp_id() - kProductWarps, lane = lane_id();
    const int column = (warp * kWarpSize + lane) * 4;
    Scratch& scratch = all_scratch[warp];
    Router router;
    router.load_bias(bias);
    const i64 split_stride = static_cast<i64>(tokens) * kExperts;
#pragma unroll 1
    for (int pass = 0; pass < 2; ++pass) {
      const bool rehearsal = pass == 0;
      const int now = rehearsal ? 1 : count;
      if (!rehearsal) named_barrier_sync<kAllThreads>(kProductDone);
      if (column < kExperts) {
#pragma unroll 1
        for (int token = 0; token < now; ++token) {
          float4 sum = gather(slots + static_cast<i64>(first + token) * kExperts + column,
                              split_stride, rehearsal);
          // Logits of an ordinary token: one good one in each lane.
          if (rehearsal)
            sum = make_float4(static_cast<float>(lane) * 0.1f - static_cast<float>(warp), -8, -9,
                              -10);
          *reinterpret_cast<float4*>(&all_logits[token][column]) = sum;
        }
      }
      named_barrier_sync<kThreads>(kMerged);
#pragma unroll 1
      for (int token = rehearsal ? 0 : warp; token < now; token += kWarps) {
        const float* const row = all_logits[token];
        float logits[Select::kPerLane];
#pragma unroll
        for (int i = 0; i < Select::kPerLane; ++i) {
          const int expert = Select::expert(lane, i);
          logits[i] = expert < kExperts ? row[expert] : -kInfinity;
        }
        router.collect(logits, 0, scratch);
        __syncwarp();
        Router::finish(
            1, bias, scale, scratch, [&](int, int expert) { return row[expert]; },
            [&](int, int place, int expert, float weight) {
              if (rehearsal) return;
              const i64 at = static_cast<i64>(first + token) * kTopK + place;
              ids[at] = expert;
              weights[at] = weight;
            });
      }
      if (rehearsal) named_barrier_sync<kThreads>(kMerged);  // the invented logits were read
    }
  }
};

// Which blocks choose for a tile of tokens: those that begin last. They are fewer than SMs
// (kernel.yaml), so that blocks which have not begun find room: nobody waits for ever.
template <int kMergeTokens>
struct Merger {
  int number, first, count;  // among the tile's, less than 0 for none; of its tokens
  __device__ __forceinline__ explicit Merger(int tile_tokens) {
    const int mergers = (tile_tokens + kMergeTokens - 1) / kMergeTokens;
    const int blocks = static_cast<int>(gridDim.x * gridDim.y);
    number = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x) - (blocks - mergers);
    first = number * kMergeTokens;
    count = min(tile_tokens - first, kMergeTokens);
  }
};
