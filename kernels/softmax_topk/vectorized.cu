// Softmax + top-k with one block per row, 16-byte loads, and a merge inside each warp that needs no
// barrier.
//
// Algorithm:
//   1. A thread reads UNROLL vectors of 16 bytes at a time, adds them to its softmax sum with one
//      rescale, and enters into its sorted list of LOCAL_K only vectors whose maximum can still
//      enter.
//   2. Each warp turns its 32 lists into its k best in descending order: k rounds of "best head
//      wins, its lane pops". A lane whose list runs empty reads its share again (see block_row.cu
//      on why that is exact).
//   3. The first warp merges the warps' sorted lists the same way, one lane per list.
//
// A row of odd length V starts at any element, so 16-byte loads fit only between a scalar head of
// up to 16 bytes and a scalar tail. A kernel that tests `V % 4 == 0` instead and falls back to
// scalar loads is four times slower for the vocabulary of 50257.
//
// Tunables:
//   THREADS  threads per block; the shared lists take THREADS/32 * k * 8 bytes.
//   UNROLL   vectors loaded before the first is used: memory parallelism against registers.
//   LOCAL_K  places of a thread's list: insertion cost against rescans.
//
// Requires THREADS/32 * k * 8 bytes of shared memory.
//
// Next idea: most insertions are of elements that lose later. A threshold shared by the block
// (threshold.cu) rejects them with one comparison.
#include "defaults.cuh"
#include "softmax_sum.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "unaligned_row.cuh"
#include "warp.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;
constexpr int kWarps = kThreads / kWarpSize;
constexpr int kUnroll = UNROLL;
constexpr int kElements = RowPacket<Logit>::kElements;
using List = LocalList<LOCAL_K>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(u64) * kWarps * kTopK == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// A row cut into head, aligned body and tail. Thread t owns element t of head and tail, and vectors
// t, t + THREADS, ...
struct Row {
  const Logit* in;
  int V;
  int head;     // elements before the first 16-byte boundary, all of them in a very short row
  int vectors;  // in the body

  __device__ __forceinline__ Row(const Logit* row, int length)
      : in(row),
        V(length),
        head(min(elements_before_alignment(row), length)),
        vectors((length - head) / kElements) {}

  __device__ __forceinline__ int body_index(int vector) const { return head + vector * kElements; }

  // This thread's element of the head, and of the tail; V or more when there is none.
  __device__ __forceinline__ int head_index() const {
    return static_cast<int>(threadIdx.x) < head ? static_cast<int>(threadIdx.x) : V;
  }
  __device__ __forceinline__ int tail_index() const {
    return body_index(vectors) + static_cast<int>(threadIdx.x);
  }
};

__device__ __forceinline__ void consider(List& list, float x, int index, u64 than) {
  const u64 key = make_key(x, index);
  if (key < than && key > list.worst()) list.insert(key);
}

// Fills an empty list with the best of this thread's share that are worse than `than`.
__device__ __noinline__ List refill(Row row, u64 than) {
  List list;
  list.clear();
  const int head = row.head_index(), tail = row.tail_index();
  if (head < row.V) consider(list, to_float(row.in[head]), head, than);
  if (tail < row.V) consider(list, to_float(row.in[tail]), tail, than);
  for (int vector = static_cast<int>(threadIdx.x); vector < row.vectors; vector += kThreads) {
    const RowElements<Logit> loaded =
        RowPacket<Logit>::load(row.in + row.body_index(vector), 0).elements();
#pragma unroll
    for (int e = 0; e < kElements; ++e)
      consider(list, to_float(loaded[e]), row.body_index(vector) + e, than);
  }
  return list;
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
  extern __shared__ __align__(16) u64 warp_lists[];  // [kWarps][kTopK], descending
  __shared__ float2 scratch[kMaxWarps];
  const int row_number = static_cast<int>(blockIdx.x);
  if (row_number >= rows) return;
  const Row row(logits + static_cast<i64>(row_number) * V, V);
  const int thread = static_cast<int>(threadIdx.x);

  List list;
  list.clear();
  SoftmaxSum sum;
  const int ends[2] = {row.head_index(), row.tail_index()};
#pragma unroll
  for (const int index : ends) {
    if (index >= V) continue;
    const float x[1] = {to_float(row.in[index])};
    sum.add(x, x[0]);
    consider(list, x[0], index, ~0ull);
  }
  for (int first = thread; first < row.vectors; first += kThreads * kUnroll) {
    RowElements<Logit> loaded[kUnroll];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int vector = first + u * kThreads;
      if (vector < row.vectors)
        loaded[u] =
            RowPacket<Logit>::load<Hint::streaming>(row.in + row.body_index(vector), 0).elements();
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int vector = first + u * kThreads;
      if (vector >= row.vectors) continue;
      float x[kElements];
#pragma unroll
      for (int e = 0; e < kElements; ++e) x[e] = to_float(loaded[u][e]);
      const float largest = largest_of(x);
      sum.add(x, largest);
      // The best key this vector could contain has its maximum and its first index.
      if (make_key(largest, row.body_index(vector)) > list.worst()) {
#pragma unroll
        for (int e = 0; e < kElements; ++e) consider(list, x[e], row.body_index(vector) + e, ~0ull);
      }
    }
  }

  // Best of the warp, k times. Warps with fewer than k elements fill up with 0.
  u64* const mine = warp_lists + warp_id() * kTopK;
  for (int rank = 0; rank < kTopK; ++rank) {
    const u64 best = warp_max_key(list.best());
    if (lane_id() == 0) mine[rank] = best;
    if (best != 0 && list.best() == best) {
      list.pop();
      if (list.best() == 0 && rank + 1 < kTopK) list = refill(row, best);
    }
  }
  const SoftmaxSum total = block_merge<kThreads>(sum, scratch);
  __syncthreads();

  // One lane per list; the lane whose head wins writes the result and moves on.
  if (warp_id() == 0) {
    int next = 0;
    u64 head = lane_id() < kWarps ? warp_lists[lane_id() * kTopK] : 0;
    const i64 first_output = static_cast<i64>(row_number) * kTopK;
    for (int rank = 0; rank < kTopK; ++rank) {
      const u64 best = warp_max_key(head);
      if (head == best && lane_id() < kWarps) {
        probs[first_output + rank] = total.probability(key_value(best));
        indices[first_output + rank] = key_index(best);
        ++next;
        head = next < kTopK ? warp_lists[lane_id() * kTopK + next] : 0;
      }
    }
  }
}
