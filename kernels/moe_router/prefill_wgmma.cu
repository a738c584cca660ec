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
// 128 such blocks. Operands that blocks of a cluster have in common come once for all of them, by
// multicast: the tokens for EXPERT_SPLIT blocks, the experts for TOKEN_TILES blocks of different
// tokens. With both 2 a block reads 20 KB of the 40 KB that it uses, 293 MB in all. Shared memory
// then bounds: products read 85 bytes a clock and copies write 53, of 128.
//
// The product is prefill_product.cuh's: a producer, a ring, and a consumer warpgroup for each 64
// tokens.
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
#include "defaults.cuh"
#include "expert_route.cuh"
#include "prefill_product.cuh"
#include "problem.cuh"
#include "roles.cuh"

constexpr int kTokenGroups = TOKEN_GROUPS, kExpertSplit = EXPERT_SPLIT, kTokenTiles = TOKEN_TILES;
constexpr int kKSplit = K_SPLIT, kStages = STAGES;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), SLOTS>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;

constexpr int kSteps = HIDDEN / 64 / kKSplit;  // stages of a block
constexpr int kPart = kExperts / kExpertSplit;
using Product = PrefillProduct<kTokenGroups, kPart, kExpertSplit, kTokenTiles, kStages>;
using Seat = Product::Seat;
constexpr int kRows = Product::kRows;
constexpr int kThreads = 128 * (1 + kTokenGroups), kWarps = kThreads / kWarpSize;
constexpr int kSharers = kExpertSplit * kKSplit;  // blocks with the same tokens
constexpr int kClusterBlocks = kSharers * kTokenTiles;
constexpr int kOwnTokens = kRows / kSharers;  // for which a block chooses
static_assert(kPart * kExpertSplit == kExperts);
static_assert(kSteps * 64 * kKSplit == HIDDEN && kOwnTokens * kSharers == kRows);

struct alignas(1024) Shared {
  Product::Shared product;
  Router::Scratch scratch[kWarps];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) <= WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// The logits of a token, of all experts, wherever in the cluster they are.
struct TokenLogits {
  const Shared& shared;
  const Seat& seat;
  int row;
  __device__ __forceinline__ u32 address(int expert, int k) const {
    return remote_address(&shared.product.logits[row][expert % kPart],
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

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden_map  tensor map of hidden as [1, 1, tokens, hidden_size], boxes of [1, 1,
//               64*TOKEN_GROUPS/EXPERT_SPLIT, 64], swizzle 128
//   gate_map    tensor map of gate as [1, 1, experts, hidden_size], boxes of [1, 1,
//               experts/EXPERT_SPLIT/TOKEN_TILES, 64], swizzle 128
//   bias        [experts] of f32
//   ids         [tokens, k] of i32, written
//   weights     [tokens, k] of f32, written
//   tokens      rows of hidden states
//   scale       factor of the weights
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
    shared.product.init();
  }
  cluster_sync_relaxed();
  if (warp < 4) {
    if (threadIdx.x == 0)
      Product::produce(shared.product, seat, hidden_map, first_token, gate_map,
                       seat.expert_part * kPart, seat.k_part * kSteps * 64, kSteps);
    __syncwarp();
  } else {
    Product::consume(shared.product, seat, warp / 4 - 1, kSteps);
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
