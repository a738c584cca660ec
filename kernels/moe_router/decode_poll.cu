// Router of a mixture of experts for few tokens, in one launch, the blocks' sums exchanged in one
// trip: decode.cu is the same with three.
//
// A block that counts itself and a block that waits for the count pay for three trips through L2,
// each of 0.6 us or more: the writer's fence until its sums have arrived, the counter, and the read
// of the sums. Here the sums say themselves that they are there, and warps of their own wait for
// them and have rehearsed the choice in the meantime (decode_exchange.cuh).
//
// Tunables: those of decode.cu. SPLITS is at most 16: a lane holds four experts of all of them.
//   MERGE_TOKENS  tokens of a block that chooses; 1 spreads them over as many blocks as there are
//                 tokens
//   TOUCH         parts of the sums that a rehearsal reads, so that stores of the other blocks find
//                 their lines in L2; it is 24 KB of DRAM for a token of 384 experts and 16 parts
//
// A warp more that runs the product's code on nothing, so that what comes after the loads need not
// be fetched when the data is there, made no difference: loads take longer than code.
//
// Requires: compute capability 8.0; rows of whole units of 32 elements; experts in fours.
//
// Next idea: operands of many tokens through shared memory, so that warps need not add up:
// decode_stage.cu.
#include "decode_exchange.cuh"
#include "decode_product.cuh"
#include "defaults.cuh"
#include "problem.cuh"

constexpr int kTileExperts = TILE_EXPERTS, kTileTokens = TILE_TOKENS, kSplits = SPLITS;
constexpr int kWarps = WARPS, kTokenWarps = TOKEN_WARPS, kSumWarps = kWarps / kTokenWarps;
constexpr int kMergeTokens = MERGE_TOKENS;
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts, 4), kWarpSize>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
using Product = DecodeProduct<kExperts, kHidden, kTileExperts, kTileTokens, kSplits, kSumWarps,
                              kTokenWarps, AHEAD>;

using Choice = Exchange<Router, Select, kSplits, kWarps, kMergeTokens, TOUCH>;

struct alignas(16) Shared {
  Product::Sums sums;
  Choice::Logits logits;
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   hidden   [tokens, hidden_size] of dtype
//   gate     [experts, hidden_size] of dtype, as linear layers hold it
//   bias     [experts] of f32
//   ids      [tokens, k] of i32, written
//   weights  [tokens, k] of f32, written
//   slots    [SPLITS, tokens, experts] of f32, scratch, zeros before the first launch: sums of the
//            parts of the hidden dimension; a launch leaves them at 0
//   tokens   rows of hidden states
//   scale    factor of the weights
extern "C" __global__ void __launch_bounds__(Choice::kAllThreads, 1)
    moe_router_decode_poll(const bf16* __restrict__ hidden, const bf16* __restrict__ gate,
                           const float* __restrict__ bias, int* __restrict__ ids,
                           float* __restrict__ weights, float* slots, int tokens, float scale) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ Choice::Scratch scratch;
  const int warp = uniform_warp_id();
  const int first_expert = static_cast<int>(blockIdx.x) * kTileExperts;
  const int split = static_cast<int>(blockIdx.y);
  const int tile = static_cast<int>(blockIdx.z) * kTileTokens;
  const int tile_tokens = min(tokens - tile, kTileTokens);
  const Merger<kMergeTokens> merger(tile_tokens);

  if (warp >= kWarps) {
    if (merger.number >= 0)
      Choice{bias, ids, weights, slots, tokens, scale}.merge(shared.logits, scratch,
                                                             tile + merger.first, merger.count);
    return;
  }
  const int sum_warp = warp / kTokenWarps, token_warp = warp % kTokenWarps;
  const Product product{hidden, gate, first_expert, tile + token_warp * Product::kWarpTokens,
                        tokens};
  product.run(split, sum_warp, token_warp, shared.sums);
  named_barrier_sync<Product::kThreads>(kSummed);
  Product::finish(shared.sums, tile_tokens, [&](int token, int column, const float4& sum) {
    const i64 row = static_cast<i64>(split) * tokens + tile + token;
    if (first_expert + column < kExperts)
      fill_slots(slots + row * kExperts + first_expert + column, sum);
  });
  if (merger.number >= 0) named_barrier_arrive<Choice::kAllThreads>(kProductDone);
}
