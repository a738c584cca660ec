// Router of a mixture of experts: logits to experts and weights, hardly an activation calculated
// that is not needed.
//
// Algorithm: a warp takes 32/SLOTS tokens at a time.
//   1. score_bound.cuh lists the experts that may be among the best, by a bound that is linear in
//      logit and bias: no activation of the others, nor of these yet.
//   2. rank_numbers.cuh calculates the scores of the listed ones, one expert a lane, ranks them by
//      comparing each with all, and makes the weights. Logits are read again, from L1.
//   3. Without a bound (fewer than k numbers, biases far apart, the best logits below about 1 or
//      above 80), with a list that is too short, or with equal scores, the tokens are routed once
//      more as list.cu does it.
//
// With many tokens list.cu is bound by the special functions: 24 per token and lane for 256
// experts, and 12 reductions in hardware for two tokens, which leave that pipe no pause. Two
// tokens are now 462 instructions of a warp instead of 573, of which 35 instead of 84 go to it.
//
// Tunables:
//   WARPS   of a block. They do not cooperate: few spread few tokens over more SMs
//   SLOTS   places of a list, 16 or 32: with 16 two tokens share bound, ranking and latencies
//   PASSES  times 32/SLOTS tokens of a warp, one after the other: the biases are read, and their
//           range is found, once for them
//   MIN_WARPS_PER_SM  bounds the registers, so that others calculate while one warp waits
//
// Requires: k <= SLOTS, at most 32 experts a lane, sqrt_softplus without groups.
//
// Next ideas: the k-th of 16 maxima of either token by a sorting network instead of k reductions;
// p and its maxima in pairs of f16, whose error the bound can bear.
#include "defaults.cuh"
#include "expert_route.cuh"
#include "rank_numbers.cuh"
#include "score_bound.cuh"

constexpr int kExperts = EXPERTS;
constexpr int kRow = ROW_STRIDE == 0 ? kExperts : ROW_STRIDE;  // elements from token to token
constexpr int kTopK = TOP_K;
constexpr int kWarps = WARPS;
constexpr int kPasses = PASSES;
constexpr int kBlocksPerSm = MIN_WARPS_PER_SM / WARPS;
constexpr bool kNormalise = NORMALISE != 0;
static_assert(Scoring::SCORING == Scoring::sqrt_softplus, "the bound is of that");
using Select = ExpertSelect<kExperts, kTopK, kWarpSize, row_vector(kExperts | kRow, 4), SLOTS>;
using Bound = ScoreBound<Select, Select::kLists>;
using Router = Route<Select, Scoring::sqrt_softplus, 1, 1, kNormalise>;
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

  Bound bound;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const int base = first + pass * kLists;
    if (base >= tokens) return;
    // Beyond the end the last token is routed again, and not stored.
    const auto load = [&](int list, float(&row)[Select::kPerLane]) {
      ScoreVectors<float, Select> vectors;
      vectors.load(logits + static_cast<i64>(min(base + list, tokens - 1)) * kRow);
      vectors.unpack(row);
    };
    float rows[kLists][Select::kPerLane];
#pragma unroll
    for (int list = 0; list < kLists; ++list) load(list, rows[list]);
    if (pass == 0) bound.load_bias(bias);  // behind the first logits, which take longer
    int lengths[kLists];
    const auto logit = [&](int list, u32 expert) {
      return (logits + static_cast<i64>(base + list) * kRow)[expert];
    };
    const auto store = [&](int list, u32 place, u32 expert, float weight) {
      const i64 row = static_cast<i64>(base + list) * kTopK;
      (ids + row)[place] = static_cast<int>(expert);
      (weights + row)[place] = weight;
    };
    bool done = bound.collect(rows, mine.entries, lengths);
    __syncwarp();
    if (done)
      done = rank_numbers<Select, Scoring::sqrt_softplus, kNormalise>(
          tokens - base, lengths, mine.entries, bias, scale, reinterpret_cast<float*>(mine.keys),
          logit, store);
    __syncwarp();
    if (done) continue;

    Router router;
    router.load_bias(bias);
#pragma unroll 1
    for (int list = 0; list < kLists; ++list) {
      load(list, rows[0]);
      router.collect(rows[0], list, mine);
    }
    __syncwarp();
    Router::finish(tokens - base, bias, scale, mine, logit, store);
  }
}
