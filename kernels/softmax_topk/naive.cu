// Softmax + top-k the obvious way: write the whole softmax to memory, then search it. The baseline
// of the other variants.
//
//   launch 1, softmax_rows: a block per row reads the logits three times (maximum, sum, result) and
//             writes all V probabilities to the workspace.
//   launch 2, topk_rows: a block per row takes the best remaining element k times. Each thread
//             remembers the best element of its own share, so a round is one reduction over the
//             block and one rescan by the winner.
//
// Cost: three reads and one write of rows*V elements in launch 1 and one more read in launch 2,
// where one read would do; and k serial rounds of a rescan each. Launch 2 ranks by logits: two
// different logits may round to the same probability, and then ranking by probability would order
// them by index alone.
//
// Tunables:
//   THREADS  threads per block. More shortens the passes and the rescan, and lengthens the k
//            reductions.
//
// Requires nothing of V or of alignment: all accesses are of single elements.
//
// Next idea: block_row.cu keeps the k candidates of a pass instead of searching again, and writes
// no softmax at all.
#include "defaults.cuh"
#include "softmax_sum.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "warp.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits     [rows, V] of dtype
//   workspace  [rows, row_space] of f32, scratch
//   rows       rows of logits
//   V          vocabulary size
extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_rows(const Logit* __restrict__ logits, float* __restrict__ workspace, int rows, int V) {
  __shared__ float scratch[kMaxWarps];
  const int row = static_cast<int>(blockIdx.x);
  if (row >= rows) return;
  const int thread = static_cast<int>(threadIdx.x);
  const Logit* const in = logits + static_cast<i64>(row) * V;
  float* const out = workspace + static_cast<i64>(row) * V;

  SoftmaxSum total;
  for (int v = thread; v < V; v += kThreads) total.maximum = fmaxf(total.maximum, to_float(in[v]));
  total.maximum = block_max<kThreads>(total.maximum, scratch);

  for (int v = thread; v < V; v += kThreads)
    total.sum += softmax_term(to_float(in[v]), total.maximum);
  total.sum = block_sum<kThreads>(total.sum, scratch);

  for (int v = thread; v < V; v += kThreads) out[v] = total.probability(to_float(in[v]));
}

// The best key of this thread's share that is worse than `than`.
__device__ __forceinline__ u64 best_below(const Logit* in, int V, u64 than) {
  u64 best = 0;
  for (int v = static_cast<int>(threadIdx.x); v < V; v += kThreads) {
    const u64 key = make_key(to_float(in[v]), v);
    if (key < than && key > best) best = key;
  }
  return best;
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits     [rows, V] of dtype
//   workspace  [rows, row_space] of f32, scratch
//   probs      [rows, K] of f32, written
//   indices    [rows, K] of i32, written
//   rows       rows of logits
//   V          vocabulary size
extern "C" __global__ void __launch_bounds__(kThreads)
    topk_rows(const Logit* __restrict__ logits, const float* __restrict__ workspace,
              float* __restrict__ probs, int* __restrict__ indices, int rows, int V) {
  __shared__ u64 scratch[kMaxWarps];
  const int row = static_cast<int>(blockIdx.x);
  if (row >= rows) return;
  const Logit* const in = logits + static_cast<i64>(row) * V;
  const i64 first_output = static_cast<i64>(row) * kTopK;

  u64 mine = best_below(in, V, ~0ull);
  for (int rank = 0; rank < kTopK; ++rank) {
    const u64 best = block_reduce<kThreads>(mine, u64{0}, scratch, Max{});
    if (threadIdx.x == 0) {
      indices[first_output + rank] = key_index(best);
      probs[first_output + rank] = workspace[static_cast<i64>(row) * V + key_index(best)];
    }
    if (mine == best) mine = best_below(in, V, best);  // keys are distinct: one thread
  }
}
