// Router of a mixture of experts: logits to experts and weights, every score looked at twice.
//
// Algorithm (expert_route.cuh, expert_select.cuh): LANES lanes share a token and hold its logits,
// activations and scores in registers. The experts that reach a threshold of the lanes' maxima go
// to a list in shared memory, of which each lane ranks one: it reads that logit again, from L1, and
// calculates its activation once more, which is cheaper than to carry 256 activations along.
//
// With many tokens the issue of instructions is the bound, not memory: 65536 tokens of 256 experts
// are 16.3 us of reading and 124 tokens for each of the 528 schedulers of 132 SMs. An activation
// costs 14 instructions, hence 112 per token and warp; threshold, list and ranking cost about the
// same, and SLOTS 16 shares the ranking between two tokens and SLOTS 8 among four.
//
// Tunables:
//   WARPS   of a block. They do not cooperate: few spread few tokens over more SMs
//   LANES   that share a token. 32 find the threshold by reductions in hardware; with 16 or 8 a
//           warp works on 2 or 4 tokens at once, which pays where a token has few experts
//   SLOTS   places of a list. Fewer share the ranking among more tokens; a list that is too short
//           is filled again by k rounds, exact and slow
//   PASSES  times 32/SLOTS tokens of a warp, one after the other: the bias is read once for them
//   MIN_WARPS_PER_SM  bounds the registers, so that others calculate while one warp waits
//
// Requires: k <= SLOTS <= LANES, at most 32 experts a lane; groups as expert_route.cuh says.
//
// bounded.cu goes on from here: a bound by which most activations are never needed.
#include "defaults.cuh"
#include "expert_route.cuh"

constexpr int kExperts = EXPERTS;
constexpr int kRow = ROW_STRIDE == 0 ? kExperts : ROW_STRIDE;  // elements from token to token
constexpr int kTopK = TOP_K;
constexpr int kWarps = WARPS;
constexpr int kPasses = PASSES;
constexpr int kBlocksPerSm = MIN_WARPS_PER_SM / WARPS;
using Select = ExpertSelect<kExperts, kTopK, LANES, row_vector(kExperts | kRow, 4), SLOTS>;
using Router = Route<Select, Scoring::SCORING, GROUPS, KEPT_GROUPS, NORMALISE != 0>;
constexpr int kLists = Select::kLists;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits   [tokens, row] of dtype, of which the first `experts` of a row are read
//   bias     [experts] of f32
//   ids      [tokens, k] of i32, written
//   weights  [tokens, k] of f32, written
//   tokens   rows of logits
//   scale    factor of the weights
extern "C" __global__ void __launch_bounds__(kWarps* kWarpSize, kBlocksPerSm)
    activation_topk(const float* __restrict__ logits, const float* __restrict__ bias,
                    int* __restrict__ ids, float* __restrict__ weights, int tokens, float scale) {
  __shared__ Router::Scratch scratch[kWarps];
  Router::Scratch& mine = scratch[warp_id()];
  const int first = (static_cast<int>(blockIdx.x) * kWarps + warp_id()) * (kPasses * kLists);
  if (first >= tokens) return;  // a whole warp, and nothing here waits for other warps

  Router router;
  const int share =
      static_cast<int>(static_cast<u32>(lane_id()) / Select::kShare);  // of the tokens of a turn
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const int base = first + pass * kLists;
    if (base >= tokens) return;
    ScoreVectors<float, Select> vectors[Router::kTurns];
#pragma unroll
    for (int turn = 0; turn < Router::kTurns; ++turn) {
      // Beyond the end the last token is routed again, and not stored.
      const int token = min(base + turn * Select::kTokens + share, tokens - 1);
      vectors[turn].load(logits + static_cast<i64>(token) * kRow);
    }
    if (pass == 0) router.load_bias(bias);  // behind the first logits, which take longer
#pragma unroll
    for (int turn = 0; turn < Router::kTurns; ++turn) {
      float row[Select::kPerLane];
      vectors[turn].unpack(row);
      router.collect(row, turn * Select::kTokens + share, mine);
    }
    __syncwarp();
    Router::finish(
        tokens - base, bias, scale, mine,
        [&](int list, int expert) { return logits[static_cast<i64>(base + list) * kRow + expert]; },
        [&](int list, int place, int expert, float weight) {
          const i64 at = static_cast<i64>(base + list) * kTopK + place;
          ids[at] = expert;
          weights[at] = weight;
        });
  }
}
