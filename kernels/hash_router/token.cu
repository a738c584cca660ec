// Experts by a table: ids = table[token], weights equal or from the gate. A thread per token.
//
// Algorithm: a thread reads its token, then the row of the table in words of 8 bytes where rows are
// a multiple of those, then with WEIGHTS=gate the k gate values of its experts, all before it uses
// the first. The time is that of three dependent loads: 64 tokens are done when the third has come.
//
// Tunables:
//   THREADS  of a block: few spread few tokens over more SMs
//
// Next idea: neighbouring lanes that share a token store whole runs of the results: slot.cu.
#include "defaults.cuh"
#include "expert_route.cuh"
#include "packet.cuh"

enum class Weights { uniform, gate };

constexpr int kTopK = TOP_K;
constexpr Weights kWeights = Weights::WEIGHTS;
constexpr int kThreads = THREADS;
constexpr int kVector = row_vector(kTopK, 4);
using Words = Packet<float, 4 * kVector>;  // of either type: they are only moved

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
  const int n = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (n >= count) return;
  const float* const row =
      reinterpret_cast<const float*>(table + static_cast<i64>(tokens[n]) * kTopK);

  float chosen[kTopK], weight[kTopK];
#pragma unroll
  for (int i = 0; i < kTopK / kVector; ++i) {
    float words[kVector];
    Words::load(row, i).unpack(words);
#pragma unroll
    for (int j = 0; j < kVector; ++j) chosen[i * kVector + j] = words[j];
  }
  if constexpr (kWeights == Weights::gate) {
    const float* const logits = gate + static_cast<i64>(n) * experts;
#pragma unroll
    for (int i = 0; i < kTopK; ++i) weight[i] = logits[__float_as_int(chosen[i])];
    float sum = 0;
#pragma unroll
    for (int i = 0; i < kTopK; ++i) {  // NaN becomes 0
      weight[i] = fmaxf(expert_activation<Scoring::sqrt_softplus>(weight[i], {}), 0.0f);
      sum += weight[i];
    }
    const float factor = scale * reciprocal_approx(sum + 1e-20f);
#pragma unroll
    for (int i = 0; i < kTopK; ++i) weight[i] *= factor;
  } else {
#pragma unroll
    for (int i = 0; i < kTopK; ++i) weight[i] = 1.0f / kTopK;
  }

  float* const out = reinterpret_cast<float*>(ids) + static_cast<i64>(n) * kTopK;
  float* const out_weights = weights + static_cast<i64>(n) * kTopK;
#pragma unroll
  for (int i = 0; i < kTopK / kVector; ++i) {
    float words[kVector], values[kVector];
#pragma unroll
    for (int j = 0; j < kVector; ++j) {
      words[j] = chosen[i * kVector + j];
      values[j] = weight[i * kVector + j];
    }
    Words::pack(words).store(out, i);
    Words::pack(values).store(out_weights, i);
  }
}
