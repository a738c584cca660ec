// Router of a mixture of experts for many tokens on Hopper: logits = hidden * gate^T by wgmma, then
// the choice of expert_route.cuh, without the logits leaving the SMs.
//
// A block multiplies 64*TOKEN_GROUPS tokens by 1/EXPERT_SPLIT of the experts over 1/K_SPLIT of the
// hidden dimension. The blocks that share tokens form a cluster, so that they can put their logits
// together through distributed shared memory; each then chooses for its part of the tokens.
//
// Why not all 384 experts in one block: 64 tokens x 384 experts take 56 KB of operands for every
// 384 x 64 x 64 products, that is 822 MB from L2 for 8192 tokens, and 128 tokens x 384 leave half
// of the SMs idle. 128 tokens x 192 experts have 64 products to a byte instead of 43, and there are
// 128 such blocks. What blocks of a cluster have in common comes once for all of them, by
// multicast: the tokens for EXPERT_SPLIT blocks, the experts for TOKEN_TILES blocks of different
// tokens. With both 2 a block reads 20 KB of the 40 KB that it uses, 293 MB in all. Shared memory
// then bounds: products read 85 bytes a clock and copies write 53, of 128.
//
// Algorithm: a producer warpgroup, of which one thread starts copies of 64 columns into a ring of
// STAGES; one consumer warpgroup for each 64 tokens, with all sums in registers. A stage is free
// when the consumers of all blocks that get their data from this one have read it, so consumers
// arrive at the barriers of all of those.
//
// Tunables:
//   TOKEN_GROUPS  64 tokens each; two use the experts twice
//   EXPERT_SPLIT  blocks that share the experts of a tile of tokens
//   TOKEN_TILES   tiles of tokens of a cluster, which share the experts' copies
//   K_SPLIT       of the hidden dimension: more blocks for fewer tokens, and sums to add up
//   STAGES        of the ring
//   SLOTS         of the lists (expert_select.cuh): fewer rank more tokens at once
//
// Requires: sm_90a; rows of whole stages of 64 columns for each part; at most 256 experts a block.
//
// Next idea: persistent clusters whose producers load the next tile while the choice is made.
#include "cluster.cuh"
#include "expert_route.cuh"
#include "pipeline.cuh"
#include "problem.cuh"
#include "roles.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

#ifndef TOKEN_GROUPS
#define TOKEN_GROUPS 2
#endif
#ifndef EXPERT_SPLIT
#define EXPERT_SPLIT 2
#endif
#ifndef TOKEN_TILES
#define TOKEN_TILES 2
#endif
#ifndef K_SPLIT
#define K_SPLIT 1
#endif
#ifndef STAGES
#define STAGES 4
#endif
#ifndef SLOTS
#define SLOTS 16
#endif

constexpr int kTokenGroups = TOKEN_GROUPS, kExpertSplit = EXPERT_SPLIT, kTokenTiles = TOKEN_TILES;
constexpr int kKSplit = K_SPLIT, kStages = STAGES;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), SLOTS>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;

constexpr int kSteps = HIDDEN / 64 / kKSplit;  // stages of a block
constexpr int kRows = 64 * kTokenGroups;       // tokens of a tile
constexpr int kPart = kExperts / kExpertSplit;
constexpr int kThreads = 128 * (1 + kTokenGroups), kWarps = kThreads / kWarpSize;
constexpr int kSharers = kExpertSplit * kKSplit;  // blocks with the same tokens
constexpr int kClusterBlocks = kSharers * kTokenTiles;
constexpr int kOwnTokens = kRows / kSharers;  // for which a block chooses
constexpr u32 kRowBytes = 128, kStageBytes = (kRows + kPart) * kRowBytes;
// Rows that a block copies, for itself and others; whole repetitions of the swizzle.
constexpr int kRowSlice = kRows / kExpertSplit, kPartSlice = kPart / kTokenTiles;
// Of a stage in a block: warps that read it, in this block and those that share its copies.
constexpr u32 kReaders = 4 * kTokenGroups * (kExpertSplit + kTokenTiles - 1);
// Rows of sums, of which a quad holds 8 neighbours of 4 rows at once, are 8 banks apart.
constexpr int kLogitStride = kPart + (40 - kPart % 32) % 32;
static_assert(kPart * kExpertSplit == kExperts && kPart % 16 == 0 && kPart <= 256);
static_assert(kSteps * 64 * kKSplit == HIDDEN && kOwnTokens * kSharers == kRows);
static_assert(kRowSlice % 8 == 0 && kPartSlice % 8 == 0 && kPart % 4 == 0);

struct Stage {
  u8 tokens[kRows * kRowBytes];
  u8 experts[kPart * kRowBytes];
};

struct alignas(1024) Shared {
  union {
    Stage stages[kStages];
    float logits[kRows][kLogitStride];  // once all products are done
  };
  Mbarrier full[kStages];
  Mbarrier empty[kStages];
  Router::Scratch scratch[kWarps];
};
static_assert(sizeof(Stage) % 1024 == 0);

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) <= WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Where a block stands in its cluster. Neighbouring ranks share tokens.
struct Seat {
  int expert_part, token_tile, k_part;
  __device__ __forceinline__ explicit Seat(int rank)
      : expert_part(rank % kExpertSplit),
        token_tile(rank / kExpertSplit % kTokenTiles),
        k_part(rank / (kExpertSplit * kTokenTiles)) {}
  __device__ __forceinline__ u32 rank(int part, int tile, int k) const {
    return static_cast<u32>((k * kTokenTiles + tile) * kExpertSplit + part);
  }
  // Blocks that get this one's slice of tokens, and of experts.
  __device__ __forceinline__ u32 token_ranks() const {
    return ((1u << kExpertSplit) - 1u) << rank(0, token_tile, k_part);
  }
  __device__ __forceinline__ u32 expert_ranks() const {
    u32 ranks = 0;
#pragma unroll
    for (int tile = 0; tile < kTokenTiles; ++tile) ranks |= 1u << rank(expert_part, tile, k_part);
    return ranks;
  }
  // The i-th of the blocks that share copies with this one, itself among them.
  __device__ __forceinline__ u32 partner(int i) const {
    if (i < kExpertSplit) return rank(i, token_tile, k_part);
    const int tile = i - kExpertSplit;
    return rank(expert_part, tile + (tile >= token_tile ? 1 : 0), k_part);
  }
};

// Run by one thread.
__device__ __forceinline__ void produce(Shared& shared, const Seat& seat, int first_token,
                                        const TensorMap& hidden_map, const TensorMap& gate_map) {
  const int token_row = seat.expert_part * kRowSlice, expert_row = seat.token_tile * kPartSlice;
  const int first_column = seat.k_part * kSteps * 64;
  Place<kStages> place;
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    Stage& stage = shared.stages[place.stage];
    Mbarrier& full = shared.full[place.stage];
    mbarrier_wait(shared.empty[place.stage], place.parity ^ 1);
    mbarrier_expect(full, kStageBytes);
    const int column = first_column + step * 64;
    u8* const tokens = stage.tokens + token_row * static_cast<int>(kRowBytes);
    u8* const experts = stage.experts + expert_row * static_cast<int>(kRowBytes);
    const int gate_row = seat.expert_part * kPart + expert_row;
    if constexpr (kExpertSplit > 1)
      tma_multicast_4d(tokens, hidden_map, column, first_token + token_row, 0, 0, full,
                       seat.token_ranks());
    else
      tma_load_4d(tokens, hidden_map, column, first_token + token_row, 0, 0, full);
    if constexpr (kTokenTiles > 1)
      tma_multicast_4d(experts, gate_map, column, gate_row, 0, 0, full, seat.expert_ranks());
    else
      tma_load_4d(experts, gate_map, column, gate_row, 0, 0, full);
    ++place;
  }
}

// The logits of 64 tokens and this block's experts, to shared memory.
__device__ __forceinline__ void consume(Shared& shared, const Seat& seat, int group) {
  const int lane = lane_id(), warp = warp_id() % 4;
  float sums[kPart / 2] = {};
  wgmma_settle(sums);
  const auto release = [&](int stage) {
    if (lane < kExpertSplit + kTokenTiles - 1)
      mbarrier_arrive_remote(shared.empty[stage], seat.partner(lane));
  };
  Place<kStages> place;
  int before = 0;
#pragma unroll 1
  for (int step = 0; step < kSteps; ++step) {
    mbarrier_wait(shared.full[place.stage], place.parity);
    const u32 tokens = shared_address(shared.stages[place.stage].tokens) +
                       static_cast<u32>(group) * 64u * kRowBytes;
    const u32 experts = shared_address(shared.stages[place.stage].experts);
    wgmma_fence();
#pragma unroll
    for (int k = 0; k < 4; ++k)
      wgmma_ss<Operand::bf16, kPart, true>(sums, tile_descriptor(tokens, kRows, k),
                                           tile_descriptor(experts, kPart, k));
    wgmma_commit();
    // The products of the step before are done: one step is in flight while the next is issued.
    wgmma_wait<1>();
    if (step > 0) release(before);
    before = place.stage;
    ++place;
  }
  wgmma_wait<0>();
  wgmma_settle(sums);
  // The logits take the place of stages that the other warpgroups may still multiply.
  named_barrier_sync<128 * kTokenGroups>(1);
  float* const corner = &shared.logits[group * 64 + warp * 16 + lane / 4][lane % 4 * 2];
#pragma unroll
  for (int i = 0; i < kPart / 2; i += 2)
    *reinterpret_cast<float2*>(corner + i / 2 % 2 * 8 * kLogitStride + i / 4 * 8) =
        make_float2(sums[i], sums[i + 1]);
}

// The logits of a token, of all experts, wherever in the cluster they are.
struct TokenLogits {
  const Shared& shared;
  const Seat& seat;
  int row;
  __device__ __forceinline__ u32 address(int expert, int k) const {
    return remote_address(&shared.logits[row][expert % kPart],
                          seat.rank(expert / kPart, seat.token_tile, k));
  }
  __device__ __forceinline__ float at(int expert) const {
    float sum = load_remote(address(expert, 0));
#pragma unroll
    for (int k = 1; k < kKSplit; ++k) sum += load_remote(address(expert, k));
    return sum;
  }
  __device__ __forceinline__ void load(float (&logits)[Select::kPerLane]) const {
    static_assert(Select::kWidth == 4);
#pragma unroll
    for (int v = 0; v < Select::kVectors; ++v) {
      const int expert = Select::expert(lane_id(), 4 * v);
      float4 sum = make_float4(-kInfinity, -kInfinity, -kInfinity, -kInfinity);
      if (expert < kExperts) {
        sum = load_remote_4(address(expert, 0));
#pragma unroll
        for (int k = 1; k < kKSplit; ++k) {
          const float4 more = load_remote_4(address(expert, k));
          sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
        }
      }
      logits[4 * v] = sum.x;
      logits[4 * v + 1] = sum.y;
      logits[4 * v + 2] = sum.z;
      logits[4 * v + 3] = sum.w;
    }
  }
};

extern "C" __global__ void __launch_bounds__(kThreads, 1)
    moe_router_wgmma(const __grid_constant__ TensorMap hidden_map,
                     const __grid_constant__ TensorMap gate_map, const float* __restrict__ bias,
                     int* __restrict__ ids, float* __restrict__ weights, int tokens, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Seat seat(static_cast<int>(cluster_rank()));
  const int cluster = static_cast<int>(blockIdx.x) / kClusterBlocks;
  const int first_token = (cluster * kTokenTiles + seat.token_tile) * kRows;
  const int warp = uniform_warp_id();

  if (threadIdx.x == 0) {
    tma_prefetch(hidden_map);
    tma_prefetch(gate_map);
    for (int stage = 0; stage < kStages; ++stage) {
      mbarrier_init(shared.full[stage], 1);
      mbarrier_init(shared.empty[stage], kReaders);
    }
    mbarrier_publish();
  }
  cluster_sync_relaxed();
  if (warp < 4) {
    if (threadIdx.x == 0) produce(shared, seat, first_token, hidden_map, gate_map);
    __syncwarp();
  } else {
    consume(shared, seat, warp / 4 - 1);
  }
  Router router;
  router.load_bias(bias);
  cluster_sync();

  const int first_row = (seat.k_part * kExpertSplit + seat.expert_part) * kOwnTokens;
  Router::Scratch& scratch = shared.scratch[warp];
#pragma unroll 1
  for (int base = warp * Select::kLists; base < kOwnTokens; base += kWarps * Select::kLists) {
    const int row = first_row + base;
    const int lists = min(min(Select::kLists, kOwnTokens - base), tokens - first_token - row);
    if (lists <= 0) break;
#pragma unroll 1
    for (int list = 0; list < Select::kLists; ++list) {
      float logits[Select::kPerLane];
      TokenLogits{shared, seat, row + min(list, lists - 1)}.load(logits);
      router.collect(logits, list, scratch);
    }
    __syncwarp();
    Router::finish(
        lists, bias, scale, scratch,
        [&](int list, int expert) {
          return TokenLogits{shared, seat, row + list}.at(expert);
        },
        [&](int list, int place, int expert, float weight) {
          const i64 at = static_cast<i64>(first_token + row + list) * kTopK + place;
          ids[at] = expert;
          weights[at] = weight;
        });
  }
  cluster_sync_relaxed();  // others may still read this block's logits
}
