// Experts by a table: ids = table[token], weights equal or from the gate. A lane per expert chosen.
//
// Algorithm: LANES neighbouring lanes share a token; lane i reads entry i of the table's row, then
// its gate value, and the activations are added up by a butterfly. The lanes of a warp store whole
// runs, and a token's loads are spread over lanes: of 64 tokens no thread does more than one.
// Lanes beyond k only help in the butterfly.
//
// Tunables:
//   THREADS  of a block: few spread few tokens over more SMs
//   TOKENS   of a lane, all loads of a kind issued together: more in flight for many tokens
//
// Next idea: none; what is left is three loads that need each other.
#include "defaults.cuh"
#include "expert_route.cuh"

enum class Weights { uniform, gate };

constexpr int kTopK = TOP_K;
constexpr Weights kWeights = Weights::WEIGHTS;
constexpr int kThreads = THREADS;
constexpr int kTokens = TOKENS;
constexpr int kLanes = next_power_of_two(kTopK);
constexpr int kShares = kThreads / kLanes;  // tokens of a block at once

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   tokens   [count] of i32
//   table    [vocab, k] of i32
//   gate     [count, experts] of dtype
//   ids      [count, k] of i32, written
//   weights  [count, k] of f32, written
//   count    tokens
//   experts  values of a row of the gate
//   scale    factor of weights from the gate
extern "C" __global__ void __launch_bounds__(kThreads)
    hash_router(const int* __restrict__ tokens, const int* __restrict__ table,
                const float* __restrict__ gate, int* __restrict__ ids, float* __restrict__ weights,
                int count, int experts, float scale) {
  const int slot = static_cast<int>(threadIdx.x) % kLanes;
  const int first =
      static_cast<int>(blockIdx.x) * (kShares * kTokens) + static_cast<int>(threadIdx.x) / kLanes;
  int expert[kTokens];
  bool exists[kTokens];
#pragma unroll
  for (int t = 0; t < kTokens; ++t) {
    exists[t] = first + t * kShares < count && slot < kTopK;
    expert[t] = exists[t] ? __ldg(tokens + first + t * kShares) : 0;
  }
#pragma unroll
  for (int t = 0; t < kTokens; ++t)
    if (exists[t]) expert[t] = __ldg(table + static_cast<i64>(expert[t]) * kTopK + slot);

  float weight[kTokens];
  if constexpr (kWeights == Weights::gate) {
#pragma unroll
    for (int t = 0; t < kTokens; ++t)
      weight[t] = exists[t]
                      ? __ldg(gate + static_cast<i64>(first + t * kShares) * experts + expert[t])
                      : -kInfinity;  // of activation 0
#pragma unroll
    for (int t = 0; t < kTokens; ++t) {  // NaN becomes 0
      weight[t] = fmaxf(expert_activation<Scoring::sqrt_softplus>(weight[t], {}), 0.0f);
      weight[t] *= scale * reciprocal_approx(warp_reduce<kLanes>(weight[t], Sum{}) + 1e-20f);
    }
  } else {
#pragma unroll
    for (int t = 0; t < kTokens; ++t) weight[t] = 1.0f / kTopK;
  }
#pragma unroll
  for (int t = 0; t < kTokens; ++t) {
    if (!exists[t]) continue;
    const i64 place = static_cast<i64>(first + t * kShares) * kTopK + slot;
    ids[place] = expert[t];
    weights[place] = weight[t];
  }
}
