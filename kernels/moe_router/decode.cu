// Router of a mixture of experts for few tokens, in one launch: logits = hidden * gate^T, then the
// choice of expert_route.cuh.
//
// The time is not that of the 5.5 MB of a gate of 384 x 7168, 1.3 us, but of steps that wait for
// each other: a launch, a read of DRAM, an exchange between blocks, a selection. So everything is
// read at once, and there is one exchange:
//   1. A block multiplies TILE_EXPERTS experts (the rows of mma's first operand) by TILE_TOKENS
//      tokens (its columns) over one of SPLITS parts of the hidden dimension, of which each warp
//      has a part again, of which the first AHEAD units are in flight together
//      (decode_product.cuh).
//   2. The warps' sums meet in shared memory, the blocks' in `partials`, both added in a fixed
//      order.
//   3. A block that has written its sums counts itself. As many blocks of a tile as it takes at
//      MERGE_TOKENS tokens each wait until all have, and then add up and choose for their tokens.
//      They do so after their own part of the product, and there are fewer of them than SMs
//      (kernel.yaml), so that blocks which have not begun find room: no wait is endless. A tile for
//      which one block chooses leaves that to the last that counts itself, and no block waits.
//
// Tunables:
//   TILE_EXPERTS  more read the hidden states fewer times (experts / TILE_EXPERTS), but leave more
//                 partial sums for the same number of blocks
//   SPLITS        of the hidden dimension: blocks = experts / TILE_EXPERTS * SPLITS for each tile
//                 of tokens, 96 to 132 of them for one
//   TILE_TOKENS   8 to 64; more than there are cost time for nothing
//   WARPS         of a block
//   TOKEN_WARPS   parts of the tokens, in different warps; the other warps divide the hidden
//                 dimension. Fewer sums a thread, and less to add up, but the gate is read that
//                 many times from L1
//   AHEAD         units that a warp has in flight
//   MERGE_TOKENS  tokens of a block that chooses
//
// Requires: compute capability 8.0; rows of whole units of 32 elements; experts in fours.
//
// Next idea: an exchange of one trip instead of three: decode_poll.cu.
#include "decode_product.cuh"
#include "defaults.cuh"
#include "expert_route.cuh"
#include "problem.cuh"

constexpr int kTileExperts = TILE_EXPERTS, kTileTokens = TILE_TOKENS, kSplits = SPLITS;
constexpr int kWarps = WARPS, kTokenWarps = TOKEN_WARPS, kSumWarps = kWarps / kTokenWarps;
constexpr int kMergeTokens = MERGE_TOKENS;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;

using Product = DecodeProduct<kExperts, kHidden, kTileExperts, kTileTokens, kSplits, kSumWarps,
                              kTokenWarps, AHEAD>;
constexpr int kThreads = kWarps * kWarpSize;

union alignas(16) Shared {
  Product::Sums sums;
  float logits[kMergeTokens][kExperts];  // once the sums have left
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

__device__ __forceinline__ u32 load_acquire(const u32* from) {
  u32 value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(__cvta_generic_to_global(from))
               : "memory");
  return value;
}

// Counters of a tile of tokens: blocks whose sums are written, and mergers that are done. Both are
// 0 again when the launch ends.
//
// The writes of a block's threads are handed on by the barrier, then by the thread that counts: a
// fence of its own, or of the scope of the whole device in each thread, would wait longer.
__device__ __forceinline__ u32 count_release(u32* counter) {
  u32 before;
  asm volatile("fence.acq_rel.gpu;\n\tatom.add.relaxed.gpu.global.u32 %0, [%1], 1;"
               : "=r"(before)
               : "l"(__cvta_generic_to_global(counter))
               : "memory");
  return before;
}

// The number of the mergers that this block is, once the tile's sums are complete, or -1. One
// merger is the last block that counts itself. Several are those that begin last, and poll: the
// number that would tell a block that it is among the last to end would take another round trip.
__device__ __forceinline__ int wait_for_sums(u32* counters, int block, int blocks, int mergers) {
  __shared__ int is_last;
  __syncthreads();  // this block's sums are written
  if (mergers == 1) {
    if (threadIdx.x == 0) {
      is_last = count_release(&counters[0]) == static_cast<u32>(blocks - 1) ? 1 : 0;
      asm volatile("fence.acq_rel.gpu;" ::: "memory");
    }
    __syncthreads();
    return is_last - 1;
  }
  if (threadIdx.x == 0) {
    count_release(&counters[0]);
    if (block >= blocks - mergers) {
      while (load_acquire(&counters[0]) < static_cast<u32>(blocks)) __nanosleep(20);
    }
  }
  __syncthreads();
  return max(block - (blocks - mergers), -1);
}

// Adds up the parts of the logits of `count` tokens from `first` on, into shared memory.
__device__ __forceinline__ void add_splits(Shared& shared, const float* partials, int tokens,
                                           int first, int count) {
  for (int i = static_cast<int>(threadIdx.x); i < count * (kExperts / 4); i += kThreads) {
    const int token = i / (kExperts / 4), column = i % (kExperts / 4) * 4;
    const float* from = partials + static_cast<i64>(first + token) * kExperts + column;
    float4 sum{};
#pragma unroll
    for (int s = 0; s < kSplits; ++s) {
      // Not through L1, which does not see the writes of other blocks.
      const float4 more =
          __ldcg(reinterpret_cast<const float4*>(from + static_cast<i64>(s) * tokens * kExperts));
      sum = make_float4(sum.x + more.x, sum.y + more.y, sum.z + more.z, sum.w + more.w);
    }
    *reinterpret_cast<float4*>(&shared.logits[token][column]) = sum;
  }
}

// A lane's logits of a row in shared memory.
__device__ __forceinline__ void load_logits(float (&logits)[Select::kPerLane], const float* row,
                                            int lane) {
#pragma unroll
  for (int i = 0; i < Select::kPerLane; ++i) {
    const int expert = Select::expert(lane, i);
    logits[i] = expert < kExperts ? row[expert] : -kInfinity;
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden    [tokens, hidden_size] of dtype
//   gate      [experts, hidden_size] of dtype, as linear layers hold it
//   bias      [experts] of f32
//   ids       [tokens, k] of i32, written
//   weights   [tokens, k] of f32, written
//   partials  [SPLITS, tokens, experts] of f32, scratch: sums of the parts of the hidden dimension
//   counters  [2*tile_count] of u32, scratch, zeros before the first launch: blocks that are done;
//             a launch leaves them at 0
//   tokens    rows of hidden states
//   scale     factor of the weights
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    moe_router_decode(const bf16* __restrict__ hidden, const bf16* __restrict__ gate,
                      const float* __restrict__ bias, int* __restrict__ ids,
                      float* __restrict__ weights, float* partials, u32* counters, int tokens,
                      float scale) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ Router::Scratch scratch[kWarps];
  const int warp = uniform_warp_id(), lane = lane_id();
  const int first_expert = static_cast<int>(blockIdx.x) * kTileExperts;
  const int split = static_cast<int>(blockIdx.y);
  const int tile = static_cast<int>(blockIdx.z) * kTileTokens;
  const int sum_warp = warp / kTokenWarps, token_warp = warp % kTokenWarps;

  const Product product{hidden, gate, first_expert, tile + token_warp * Product::kWarpTokens,
                        tokens};
  product.run(split, sum_warp, token_warp, shared.sums);
  __syncthreads();
  const int tile_tokens = min(tokens - tile, kTileTokens);
  Product::finish(shared.sums, tile_tokens, [&](int token, int column, const float4& sum) {
    const i64 row = static_cast<i64>(split) * tokens + tile + token;
    if (first_expert + column < kExperts)
      __stcg(reinterpret_cast<float4*>(partials + row * kExperts + first_expert + column), sum);
  });

  const int mergers = (tile_tokens + kMergeTokens - 1) / kMergeTokens;
  u32* const tile_counters = counters + 2 * blockIdx.z;
  const int merger =
      wait_for_sums(tile_counters, static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x),
                    static_cast<int>(gridDim.x * gridDim.y), mergers);
  if (merger < 0) return;
  // Thread 0: how many mergers no longer poll. It is known long before the end, where it is needed.
  u32 others = 0;
  if (threadIdx.x == 0 && mergers > 1) others = atomicAdd(&tile_counters[1], 1u);
  // In flight with the sums. The wait has emptied L1, where finish() looks for the bias again.
  Router router;
  router.load_bias(bias);

  const int first = tile + merger * kMergeTokens;
  const int count = min(tile + tile_tokens - first, kMergeTokens);
  add_splits(shared, partials, tokens, first, count);
  __syncthreads();
#pragma unroll 1
  for (int token = warp; token < count; token += kWarps) {
    const float* const row = shared.logits[token];
    float logits[Select::kPerLane];
    load_logits(logits, row, lane);
    router.collect(logits, 0, scratch[warp]);
    __syncwarp();
    Router::finish(
        1, bias, scale, scratch[warp], [&](int, int expert) { return row[expert]; },
        [&](int, int place, int expert, float weight) {
          const i64 at = static_cast<i64>(first + token) * kTopK + place;
          ids[at] = expert;
          weights[at] = weight;
        });
  }
  if (threadIdx.x == 0 && others == static_cast<u32>(mergers - 1)) {
    atomicExch(&tile_counters[0], 0u);
    atomicExch(&tile_counters[1], 0u);
  }
}
