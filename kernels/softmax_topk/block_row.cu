// Softmax + top-k with one block per row that writes no softmax: each thread keeps the best few
// elements of its share.
//
// Algorithm:
//   1. Thread t reads elements t, t + THREADS, ... and keeps the LOCAL_K best in a sorted list in
//      registers. It also builds its softmax sum: online in the same pass, or in a second pass once
//      the row's maximum is known.
//   2. k rounds: the block's best list head is the next result, and its owner pops it.
//
// Exactness. A list of LOCAL_K is too short when one thread's share holds more than LOCAL_K of the
// k winners (all winners at v % THREADS == 0, say). The sign of that is a list that has run empty
// while rounds remain: every list that is not empty still shows its owner's best. So a thread whose
// list runs empty reads its share again and collects the LOCAL_K best below the last one it gave
// away. Nothing is lost whatever LOCAL_K is; it only decides how often that happens.
//
// Tunables:
//   THREADS  threads per block. More threads have fewer winners each, so shorter lists do, but each
//            of the k rounds reduces over more warps.
//   LOCAL_K  places of a thread's list. An insertion costs five instructions per place, and in a
//            warp of 32 nearly always some lane inserts; a rescan costs V/THREADS loads in sequence
//            while the block waits.
//   ONLINE   1: one pass, an exp2 and a rescale per element. 0: maximum first, then a second pass
//            for the sum, which finds the row in L2 when few enough blocks are running.
//
// Requires nothing of V or of alignment.
//
// Next idea: 16-byte loads and a merge inside each warp before the block merges (vectorized.cu).
#include "defaults.cuh"
#include "softmax_sum.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "warp.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;
constexpr bool kOnline = ONLINE != 0;
using List = LocalList<LOCAL_K>;

// Fills an empty list with the best of this thread's share that are worse than `than`. Equal logits
// need no care: a later element has a higher index and therefore a smaller key.
__device__ __forceinline__ void refill(List& list, const Logit* in, int V, u64 than) {
  for (int v = static_cast<int>(threadIdx.x); v < V; v += kThreads) {
    const u64 key = make_key(to_float(in[v]), v);
    if (key < than && key > list.worst()) list.insert(key);
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits   [rows, V] of dtype
//   probs    [rows, K] of f32, written
//   indices  [rows, K] of i32, written
//   rows     rows of logits
//   V        vocabulary size
extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_topk(const Logit* __restrict__ logits, float* __restrict__ probs,
                 int* __restrict__ indices, int rows, int V) {
  __shared__ float scratch[kMaxWarps];
  __shared__ float2 sum_scratch[kMaxWarps];
  __shared__ u64 key_scratch[kMaxWarps];
  const int row = static_cast<int>(blockIdx.x);
  if (row >= rows) return;
  const int thread = static_cast<int>(threadIdx.x);
  const Logit* const in = logits + static_cast<i64>(row) * V;

  List list;
  list.clear();
  SoftmaxSum sum;
  for (int v = thread; v < V; v += kThreads) {
    const float x = to_float(in[v]);
    const u64 key = make_key(x, v);
    if (key > list.worst()) list.insert(key);
    if constexpr (kOnline) {
      const float batch[1] = {x};
      sum.add(batch, x);
    } else {
      sum.maximum = fmaxf(sum.maximum, x);
    }
  }
  if constexpr (!kOnline) {
    sum.maximum = block_max<kThreads>(sum.maximum, scratch);
    for (int v = thread; v < V; v += kThreads)
      sum.sum += softmax_term(to_float(in[v]), sum.maximum);
  }
  const SoftmaxSum total = block_merge<kThreads>(sum, sum_scratch);

  const i64 first_output = static_cast<i64>(row) * kTopK;
  for (int rank = 0; rank < kTopK; ++rank) {
    const u64 best = block_reduce<kThreads>(list.best(), u64{0}, key_scratch, Max{});
    if (list.best() == best) {  // keys are distinct: one thread
      probs[first_output + rank] = total.probability(key_value(best));
      indices[first_output + rank] = key_index(best);
      list.pop();
      // A thread whose share is used up would search in vain, but only if it won, which it no
      // longer does.
      if (list.best() == 0 && rank + 1 < kTopK) refill(list, in, V, best);
    }
  }
}
