// Router of a mixture of experts for some hundred tokens on Hopper, in one launch: the product of
// prefill_wgmma.cu with the hidden dimension split over blocks that need not be of one cluster, so
// that all SMs have work.
//
// prefill_wgmma.cu adds up and chooses within a cluster of at most 8 blocks: 256 tokens are 32
// blocks for it, and at 1024 tokens its clusters of 8 find room for 96. Here blocks hand their sums
// to those that choose through L2, as the decode variants do (sum_slots.cuh), and clusters are
// there for the reading of operands alone. 256 tokens take a third less on an H200, 1024 tokens a
// fifth.
//
// Algorithm:
//   1. a block multiplies 64*TOKEN_GROUPS tokens by 1/EXPERT_SPLIT of the experts over 1/SPLITS of
//      the hidden dimension (prefill_product.cuh), and stores whole rows of its sums;
//   2. the blocks that begin last choose for MERGE_TOKENS tokens each. A warp reads the sums of a
//      token, as many vectors as registers hold at once, and chooses for it. A warp of the producer
//      warpgroup has gone through that code during the product, on invented logits, so that it is
//      in caches.
//
// Bound: SMs receive operands at 14 TB/s together, 58 bytes a clock each, from L2 or by multicast
// alike. 1024 tokens in tiles of 64 x 96 are 147 MB, 10.5 us; larger tiles receive less, and hand
// on more sums. The course of these tiles on an H200, in us after the first instruction, medians of
// the blocks (and the latest): 1.4 (1.8) the first stage is there, 12.7 (13.9) the product, 13.5
// (14.7) stored, 14.6 (15.9) gathered.
//
// Each warp stores its sums as it has them, and a block reads those of others only after that:
// other orders were slower (NOTES.md).
//
// Tunables:
//   TOKEN_GROUPS  64 tokens each; two use the experts twice
//   EXPERT_SPLIT  parts of the experts, in different blocks
//   SPLITS        parts of the hidden dimension, in different blocks
//   SHARE         blocks of a cluster with the same tokens, which share the copies of these
//   TOKEN_TILES   tiles of tokens of a cluster, which share the experts' copies
//   STAGES        of the ring
//   MERGE_TOKENS  for which a block chooses
//
// Requires: sm_90a; room for all blocks at once, since some wait for all others.
#include "cluster.cuh"
#include "defaults.cuh"
#include "expert_route.cuh"
#include "prefill_product.cuh"
#include "problem.cuh"
#include "quick_choice.cuh"
#include "roles.cuh"
#include "sum_slots.cuh"

constexpr int kExpertSplit = EXPERT_SPLIT, kSplits = SPLITS, kMergeTokens = MERGE_TOKENS;
constexpr int kShare = SHARE, kTokenTiles = TOKEN_TILES;
constexpr int kPart = kExperts / kExpertSplit, kAllSteps = HIDDEN / 64;
using Product = PrefillProduct<TOKEN_GROUPS, kPart, kShare, kTokenTiles, STAGES>;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, 4, kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;

using Quick = QuickChoice<Router, Select, 1, Select::kVectors>;

constexpr int kRows = Product::kRows, kWarps = 4 * (1 + TOKEN_GROUPS);
constexpr int kThreads = kWarps * kWarpSize, kClusterBlocks = kShare * kTokenTiles;
constexpr int kVectors = Select::kVectors;
constexpr int kRehearser = 1;  // a warp of the producer warpgroup
// Vectors of four experts that a lane adds up at once: 96 registers of parts.
constexpr int kBatch = kVectors * kSplits <= 24 ? kVectors : 24 / kSplits;
// Whether a warp reads all sums of the tokens for which it chooses.
constexpr bool kOwnTokens = kBatch == kVectors;
static_assert(kPart * kExpertSplit == kExperts && kExpertSplit % kShare == 0);
static_assert(kAllSteps * 64 == HIDDEN && kSplits <= 24);

struct alignas(1024) Shared {
  Product::Shared product;
  alignas(16) float logits[kMergeTokens][kExperts];
  Quick::Lists lists[kWarps];
  Router::Scratch scratch[kWarps];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) <= WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

enum { kProductDone = 2, kMerged = 3 };  // barriers

// A warp's 16 tokens, of which `count` exist, to the places of its block.
__device__ __forceinline__ void hand_on(const float (*rows)[Product::kLogitStride], float* to,
                                        int count) {
  constexpr int kRowLanes = kPart / 4, kPieces = 16 * kRowLanes / kWarpSize;
  static_assert(kPieces * kWarpSize == 16 * kRowLanes);
#pragma unroll 8
  for (int piece = 0; piece < kPieces; ++piece) {
    const int i = piece * kWarpSize + lane_id(), row = i / kRowLanes, column = i % kRowLanes * 4;
    const float4 sum = *reinterpret_cast<const float4*>(&rows[row][column]);
    if (row < count) fill_slots(to + static_cast<i64>(row) * kExperts + column, sum);
  }
}

// Reads vectors first, first + 1, ... of tokens from `from` on, of `count` in all, until all parts
// of each are there. A vector is four experts of every lane; vectors of a token are neighbours.
struct Gather {
  float* from;
  i64 split_stride;
  int first, count;

  __device__ __forceinline__ int column(int vector) const {
    return vector % kVectors * (kWarpSize * 4) + lane_id() * 4;
  }
  __device__ __forceinline__ bool exists(int i) const {
    return first + i < count && column(first + i) < kExperts;
  }
  __device__ __forceinline__ float* place(int i) const {
    return from + static_cast<i64>((first + i) / kVectors) * kExperts + column(first + i);
  }
  // A rehearsal takes what is there.
  __device__ __forceinline__ void read(float4 (&sums)[kBatch], bool rehearsal) const {
    uint4 parts[kBatch * kSplits];
#pragma unroll 1
    while (true) {
#pragma unroll
      for (int i = 0; i < kBatch; ++i) {
#pragma unroll
        for (int s = 0; s < kSplits; ++s) {
          parts[i * kSplits + s] = make_uint4(1, 1, 1, 1);
          if (exists(i)) parts[i * kSplits + s] = load_slots(place(i) + s * split_stride);
        }
      }
      if (least_word(parts) != 0 || rehearsal) break;
      __nanosleep(20);
    }
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      float4 sum{};
#pragma unroll
      for (int s = 0; s < kSplits; ++s) {
        const uint4 part = parts[i * kSplits + s];
        sum = make_float4(sum.x + __uint_as_float(part.x), sum.y + __uint_as_float(part.y),
                          sum.z + __uint_as_float(part.z), sum.w + __uint_as_float(part.w));
      }
      sums[i] = sum;
    }
  }
  // Leaves the places ready for the next launch.
  __device__ __forceinline__ void clear() const {
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
#pragma unroll
      for (int s = 0; s < kSplits; ++s)
        if (exists(i)) store_slots(place(i) + s * split_stride, uint4{});
    }
  }
};

// A warp's choice for one token, whose logits are `row`.
template <class Store>
__device__ __forceinline__ void choose(const Router& router, const float (&row)[kExperts],
                                       Quick::Lists& lists, Router::Scratch& scratch,
                                       const float* __restrict__ bias, float scale, Store store) {
  const int first = lane_id() * 4;
  if constexpr (Quick::kPossible) {
    float4 logits[kVectors], biases[kVectors];
#pragma unroll
    for (int v = 0; v < kVectors; ++v) {
      logits[v] = Quick::exists(first, v)
                      ? *reinterpret_cast<const float4*>(&row[first + v * 4 * kWarpSize])
                      : float4{};
      biases[v] = make_float4(router.bias[4 * v], router.bias[4 * v + 1], router.bias[4 * v + 2],
                              router.bias[4 * v + 3]);
    }
    __syncwarp();  // of the token before, places have been read
    lists.clear(0);
    Quick::list(logits, biases, 0, first, lists);
    __syncwarp();
    if (Quick::rank(lists, scale, store)) return;
  }
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
      [&](int, int place, int expert, float weight) { store(place, expert, weight, true); });
}

// A warp adds up the splits of some vectors of logits, or invents them, and stores them in shared
// memory.
__device__ __forceinline__ void gather_logits(Shared& shared, const Gather& gather, int first,
                                              bool rehearsal) {
  float4 sums[kBatch];
  gather.read(sums, rehearsal);
#pragma unroll
  for (int i = 0; i < kBatch; ++i) {
    // An ordinary token has one good expert in a lane at most.
    if (rehearsal) sums[i] = make_float4(static_cast<float>(lane_id() - first) * 0.1f, -8, -9, -10);
    if (gather.exists(i))
      *reinterpret_cast<float4*>(&shared.logits[(first + i) / kVectors][gather.column(first + i)]) =
          sums[i];
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden_share_map  tensor map of hidden as [1, 1, tokens, hidden_size], boxes of [1, 1,
//                     64*TOKEN_GROUPS/SHARE, 64], swizzle 128
//   gate_map          tensor map of gate as [1, 1, experts, hidden_size], boxes of [1, 1,
//                     experts/EXPERT_SPLIT/TOKEN_TILES, 64], swizzle 128
//   bias              [experts] of f32
//   ids               [tokens, k] of i32, written
//   weights           [tokens, k] of f32, written
//   slots             [SPLITS, tokens, experts] of f32, scratch, zeros before the first launch:
//                     sums of the parts of the hidden dimension; a launch leaves them at 0
//   tokens            rows of hidden states
//   scale             factor of the weights
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    moe_router_split(const __grid_constant__ TensorMap hidden_share_map,
                     const __grid_constant__ TensorMap gate_map, const float* __restrict__ bias,
                     int* __restrict__ ids, float* __restrict__ weights, float* slots, int tokens,
                     float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Product::Seat seat(kClusterBlocks > 1 ? static_cast<int>(cluster_rank()) : 0);
  const int cluster = static_cast<int>(blockIdx.x) / kClusterBlocks;
  constexpr int kExpertClusters = kExpertSplit / kShare;
  const int split = cluster % kSplits, tile_cluster = cluster / kSplits / kExpertClusters;
  const int expert_part = cluster / kSplits % kExpertClusters * kShare + seat.expert_part;
  const int first_token = (tile_cluster * kTokenTiles + seat.token_tile) * kRows;
  const int first_step = split * kAllSteps / kSplits;
  const int steps = (split + 1) * kAllSteps / kSplits - first_step;
  const int warp = uniform_warp_id();

  if (threadIdx.x == 0) {
    tma_prefetch(hidden_share_map);
    tma_prefetch(gate_map);
    shared.product.init();
  }
  if constexpr (kClusterBlocks > 1)
    cluster_sync_relaxed();
  else
    __syncthreads();
  if (threadIdx.x == 0)
    Product::produce(shared.product, seat, hidden_share_map, first_token, gate_map,
                     expert_part * kPart, first_step * 64, steps);
  __syncwarp();
  const i64 split_stride = static_cast<i64>(tokens) * kExperts;
  if (warp >= 4) {
    Product::consume(shared.product, seat, warp / 4 - 1, steps);
    __syncwarp();
    const int row = (warp - 4) * 16, token = first_token + row;
    hand_on(&shared.product.logits[row],
            slots + split * split_stride + static_cast<i64>(token) * kExperts + expert_part * kPart,
            tokens - token);
  }

  if (const Merger<kMergeTokens> own(tokens); own.number >= 0) {
    float* const from = slots + static_cast<i64>(own.first) * kExperts;
    Router router;
    router.load_bias(bias);
#pragma unroll 1
    for (int pass = warp == kRehearser ? 0 : 1; pass < 2; ++pass) {
      const bool rehearsal = pass == 0;
      if (!rehearsal) named_barrier_sync<kThreads>(kProductDone);
      const int count = rehearsal ? 1 : own.count, vectors = count * kVectors;
      const int begin = rehearsal ? 0 : warp * kBatch, stride = (rehearsal ? 1 : kWarps) * kBatch;
#pragma unroll 1
      for (int first = begin; first < vectors; first += stride)
        gather_logits(shared, Gather{from, split_stride, first, vectors}, first, rehearsal);
      if (rehearsal || kOwnTokens)
        __syncwarp();
      else
        named_barrier_sync<kThreads>(kMerged);
#pragma unroll 1
      for (int token = rehearsal ? 0 : warp; token < count; token += kWarps) {
        choose(router, shared.logits[token], shared.lists[warp], shared.scratch[warp], bias, scale,
               [&](int place, int expert, float weight, bool really) {
                 if (!really || rehearsal) return;
                 const i64 at = static_cast<i64>(own.first + token) * kTopK + place;
                 ids[at] = expert;
                 weights[at] = weight;
               });
      }
      if (rehearsal) continue;
#pragma unroll 1
      for (int first = begin; first < vectors; first += stride)
        Gather{from, split_stride, first, vectors}.clear();
    }
  }
  if constexpr (kClusterBlocks > 1) cluster_sync_relaxed();  // others may still arrive here
}
