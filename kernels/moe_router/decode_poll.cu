// Router of a mixture of experts for few tokens, in one launch, the blocks' sums exchanged in one
// trip: decode.cu is the same with three.
//
// A block that counts itself and a block that waits for the count pay for three trips through L2,
// each of 0.6 us or more: the writer's fence until its sums have arrived, the counter, and the read
// of the sums. Here the sums say themselves that they are there:
//   1. Between launches all places of `slots` hold zero bits. A block writes its sums to its own
//      places, +0 as -0, which no later operation can tell apart. So a word that is not zero is a
//      sum, whatever order words arrive in: no fence, no counter.
//   2. The block that chooses for a token reads all of its sums again until none is missing, and
//      leaves zeros for the next launch.
// Such a block has warps of their own for that, which would wait beside the product anyhow, and
// use the time to rehearse: they run the whole choice once on invented logits, and read the slots
// and the bias. After L2 has been used by others, the first pass through some hundred instructions
// waits for DRAM every few lines of code; the second finds all of it, the bias and the
// translations of addresses in caches.
//
// Blocks that choose begin last and are fewer than SMs (kernel.yaml), so that blocks which have not
// begun find room: nobody waits for ever. Their reads begin when their own product is done, so that
// they do not take L2's bandwidth from others' products.
//
// Tunables: those of decode.cu. SPLITS is at most 16: a lane holds four experts of all of them.
//   MERGE_TOKENS  tokens of a block that chooses; 1 spreads them over as many blocks as there are
//                 tokens
//
// Requires: compute capability 8.0; rows of whole units of 32 elements; experts in fours.
//
// Next idea: operands of many tokens through shared memory, so that warps need not add up.
#include "decode_product.cuh"
#include "expert_route.cuh"
#include "roles.cuh"

#ifndef EXPERTS
#define EXPERTS 384
#endif
#ifndef HIDDEN
#define HIDDEN 7168
#endif
#ifndef TOP_K
#define TOP_K 6
#endif
#ifndef SCORING
#define SCORING sqrt_softplus
#endif
#ifndef GROUPS
#define GROUPS 1
#endif
#ifndef KEPT_GROUPS
#define KEPT_GROUPS 1
#endif
#ifndef NORMALISE
#define NORMALISE 1
#endif
#ifndef TILE_EXPERTS
#define TILE_EXPERTS 48
#endif
#ifndef TILE_TOKENS
#define TILE_TOKENS 32
#endif
#ifndef SPLITS
#define SPLITS 8
#endif
#ifndef WARPS
#define WARPS 8
#endif
#ifndef TOKEN_WARPS
#define TOKEN_WARPS 1
#endif
#ifndef AHEAD
#define AHEAD 2
#endif
#ifndef MERGE_TOKENS
#define MERGE_TOKENS 32
#endif

constexpr int kExperts = EXPERTS, kHidden = HIDDEN, kTopK = TOP_K;
constexpr int kTileExperts = TILE_EXPERTS, kTileTokens = TILE_TOKENS, kSplits = SPLITS;
constexpr int kWarps = WARPS, kTokenWarps = TOKEN_WARPS, kSumWarps = kWarps / kTokenWarps;
constexpr int kMergeTokens = MERGE_TOKENS;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Product = DecodeProduct<kExperts, kHidden, kTileExperts, kTileTokens, kSplits, kSumWarps,
                              kTokenWarps, AHEAD>;

constexpr int kMergeWarps = (kExperts + 127) / 128;  // a lane has four experts
constexpr int kProductThreads = kWarps * kWarpSize, kMergeThreads = kMergeWarps * kWarpSize;
constexpr int kThreads = kProductThreads + kMergeThreads;

struct alignas(16) Shared {
  Product::Sums sums;
  float logits[kMergeTokens][kExperts];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Barriers: among the warps of the product, among those that choose, and between the two.
enum Barrier { kSummed = 1, kMerged = 2, kProductDone = 3 };

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
  asm volatile("st.relaxed.gpu.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(
                   __cvta_generic_to_global(to)),
               "r"(value.x), "r"(value.y), "r"(value.z), "r"(value.w)
               : "memory");
}

__device__ __forceinline__ u32 filled(float sum) {
  const u32 bits = __float_as_uint(sum);
  return bits == 0 ? 0x80000000u : bits;
}
__device__ __forceinline__ u32 least_word(const uint4& slots) {
  return min(min(slots.x, slots.y), min(slots.z, slots.w));
}

// Four experts' logits, when all splits have come; `rehearsal` takes what is there.
__device__ __forceinline__ float4 gather(float* slots, i64 split_stride, bool rehearsal) {
  uint4 parts[kSplits];
  while (true) {
    u32 least = 0xffffffffu;
#pragma unroll
    for (int s = 0; s < kSplits; ++s) parts[s] = load_slots(slots + s * split_stride);
#pragma unroll
    for (int s = 0; s < kSplits; ++s) least = min(least, least_word(parts[s]));
    if (least != 0 || rehearsal) break;
    __nanosleep(20);
  }
  float4 sum{};
#pragma unroll
  for (int s = 0; s < kSplits; ++s) {
    if (!rehearsal) store_slots(slots + s * split_stride, make_uint4(0, 0, 0, 0));
    sum = make_float4(sum.x + __uint_as_float(parts[s].x), sum.y + __uint_as_float(parts[s].y),
                      sum.z + __uint_as_float(parts[s].z), sum.w + __uint_as_float(parts[s].w));
  }
  return sum;
}

// Run by the warps that choose. `first`: of `count` tokens.
__device__ __forceinline__ void merge(Shared& shared, Router::Scratch* all_scratch,
                                      const float* __restrict__ bias, int* __restrict__ ids,
                                      float* __restrict__ weights, float* slots, int tokens,
                                      float scale, int first, int count) {
  const int warp = uniform_warp_id() - kWarps, lane = lane_id();
  const int column = (warp * kWarpSize + lane) * 4;
  Router::Scratch& scratch = all_scratch[warp];
  Router router;
  router.load_bias(bias);
  const i64 split_stride = static_cast<i64>(tokens) * kExperts;
#pragma unroll 1
  for (int pass = 0; pass < 2; ++pass) {
    const bool rehearsal = pass == 0;
    const int now = rehearsal ? 1 : count;
    if (!rehearsal) named_barrier_sync<kThreads>(kProductDone);
    if (column < kExperts) {
#pragma unroll 1
      for (int token = 0; token < now; ++token) {
        float4 sum = gather(slots + static_cast<i64>(first + token) * kExperts + column,
                            split_stride, rehearsal);
        // Logits of an ordinary token: one good one in each lane.
        if (rehearsal) sum = make_float4(static_cast<float>(lane) * 0.1f - warp, -8, -9, -10);
        *reinterpret_cast<float4*>(&shared.logits[token][column]) = sum;
      }
    }
    named_barrier_sync<kMergeThreads>(kMerged);
#pragma unroll 1
    for (int token = rehearsal ? 0 : warp; token < now; token += kMergeWarps) {
      const float* const row = shared.logits[token];
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
    if (rehearsal) named_barrier_sync<kMergeThreads>(kMerged);  // the invented logits were read
  }
}

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    moe_router_decode(const bf16* __restrict__ hidden, const bf16* __restrict__ gate,
                      const float* __restrict__ bias, int* __restrict__ ids,
                      float* __restrict__ weights, float* slots, int tokens, float scale) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ Router::Scratch scratch[kMergeWarps];
  const int warp = uniform_warp_id();
  const int first_expert = static_cast<int>(blockIdx.x) * kTileExperts;
  const int split = static_cast<int>(blockIdx.y);
  const int tile = static_cast<int>(blockIdx.z) * kTileTokens;
  const int tile_tokens = min(tokens - tile, kTileTokens);

  // Which of the tile's mergers this block is, or less than 0.
  const int mergers = (tile_tokens + kMergeTokens - 1) / kMergeTokens;
  const int blocks = static_cast<int>(gridDim.x * gridDim.y);
  const int merger = static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x) - (blocks - mergers);

  if (warp >= kWarps) {
    if (merger < 0) return;
    const int first = merger * kMergeTokens;
    merge(shared, scratch, bias, ids, weights, slots, tokens, scale, tile + first,
          min(tile_tokens - first, kMergeTokens));
    return;
  }
  const int sum_warp = warp / kTokenWarps, token_warp = warp % kTokenWarps;
  const Product product{hidden, gate, first_expert, tile + token_warp * Product::kWarpTokens,
                        tokens};
  product.run(split, sum_warp, token_warp, shared.sums);
  named_barrier_sync<kProductThreads>(kSummed);
  Product::finish(shared.sums, tile_tokens, [&](int token, int column, const float4& sum) {
    const i64 row = static_cast<i64>(split) * tokens + tile + token;
    if (first_expert + column < kExperts)
      store_slots(slots + row * kExperts + first_expert + column,
                  make_uint4(filled(sum.x), filled(sum.y), filled(sum.z), filled(sum.w)));
  });
  if (merger >= 0) named_barrier_arrive<kThreads>(kProductDone);
}
