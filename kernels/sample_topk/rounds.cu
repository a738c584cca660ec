// A token from the best K logits of a row, the obvious way: K searches of the row, then the draw.
// The baseline.
//
// Algorithm: a block per row. Each thread remembers the best element of its own share that has not
// been taken; a round is one reduction over the block, after which the winner searches its share
// again. draw.cuh draws from the K keys that this leaves in shared memory.
//
// Cost: the row is read 1 + K/THREADS times, and K rounds follow each other.
//
// Tunables:
//   THREADS  threads per block. More shortens a search, and lengthens the K reductions.
//
// Requires nothing of V or of alignment: all accesses are of single elements.
//
// Next idea: read the row once and keep what can be among the best: threshold.cu.
#include "defaults.cuh"
#include "draw.cuh"
#include "philox.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "warp.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;

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
//   logits       [rows, V] of dtype
//   temperature  [rows] of f32
//   top_p        [rows] of f32
//   tokens       [rows] of i32, written
//   probs        [rows] of f32, written
//   V            vocabulary size
//   seed, step   of the random numbers
extern "C" __global__ void __launch_bounds__(kThreads)
    sample_topk(const Logit* __restrict__ logits, const float* __restrict__ temperature,
                const float* __restrict__ top_p, int* __restrict__ tokens,
                float* __restrict__ probs, int V, u64 seed, u64 step) {
  __shared__ u64 scratch[kMaxWarps];
  __shared__ u64 keys[kTopK];
  __shared__ u64 weights[kTopK];
  const u32 row = blockIdx.x;
  const Logit* const in = logits + static_cast<i64>(row) * V;

  u64 mine = best_below(in, V, ~0ull);
  for (int rank = 0; rank < kTopK; ++rank) {
    const u64 best = block_reduce<kThreads>(mine, u64{0}, scratch, Max{});
    if (threadIdx.x == 0) keys[rank] = best;
    if (mine == best) mine = best_below(in, V, best);  // keys are distinct: one thread
  }
  __syncthreads();
  draw_token<kThreads, kTopK>(keys, weights, temperature[row], top_p[row],
                              philox_bits(seed, row, step), tokens + row, probs + row);
}
