// Softmax + top-k in one read of the row: a block per row streams it once, with a running threshold
// in front of a small candidate buffer. This is the variant to use for many rows; its floor is the
// time to read the logits.
//
// Algorithm (streaming_topk.cuh has the loop and the argument for exactness):
//   1. First tile: the k-th largest of the threads' maxima becomes the threshold.
//   2. Every tile: one maximum and one exp2 per element against the thread's running maximum (a
//      rescale per tile, not per element); elements above the threshold are appended to a buffer in
//      shared memory.
//   3. Every few tiles: a buffer with many candidates is cut back to little more than k by
//      bisection, which raises the threshold. If it overflowed in between, a slower scan starts
//      over.
//   4. At the end: a last cut if many candidates are left, rank by counting, probabilities from the
//      block's sum.
//
// Tunables:
//   THREADS     threads of a block. More: fewer tiles and a better first threshold, but a longer
//               wait at each barrier.
//   UNROLL      16-byte loads in flight per thread. More hides memory latency with fewer warps, for
//               4 (f32) or 8 (16 bits) registers each; a tile is THREADS * UNROLL vectors, and a
//               row's last tile is partly idle.
//   CAPACITY    keys in the buffer, at 8 bytes of shared memory each. Too few, and rows are scanned
//               again, slowly; but every thread of a cut works on CAPACITY/THREADS places.
//   MIN_BLOCKS  blocks that must fit on a multiprocessor: a register limit. While one block
//               finishes its row, others must keep the memory busy.
//   PREFETCH    1: the next tile is loaded before this one is worked on: twice the registers, and
//               loads in flight during the work. 0: other warps cover the gap.
//
// Requires k <= THREADS; UNROLL * 16 bytes hold at most 32 elements; CAPACITY is a multiple of
// THREADS, at most 16 times THREADS, and at least 2k. Rows may start at any element: the vectors at
// the two ends are read by element.
//
// Next idea: persistent blocks that load the next row's first tile while they finish this one; bf16
// maxima on packed pairs.
#include "defaults.cuh"
#include "streaming_topk.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;
constexpr int kMinBlocks = MIN_BLOCKS;
using Stream = StreamingTopK<Logit, kTopK, kThreads, UNROLL, CAPACITY, PREFETCH != 0>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(Stream::kKeyBytes == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits   [rows, V] of dtype
//   probs    [rows, K] of f32, written
//   indices  [rows, K] of i32, written
//   rows     rows of logits
//   V        vocabulary size
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    softmax_topk(const Logit* __restrict__ logits, float* __restrict__ probs,
                 int* __restrict__ indices, int rows, int V) {
  extern __shared__ __align__(16) u64 keys[];  // CAPACITY
  __shared__ StreamScratch scratch;
  const int row = static_cast<int>(blockIdx.x);
  if (row >= rows) return;

  Stream stream(keys, scratch);
  stream.scan(logits + static_cast<i64>(row) * V, V, 0);
  const int count = stream.reduce_to_final();
  const SoftmaxSum total = stream.softmax();

  const i64 first_output = static_cast<i64>(row) * kTopK;
  rank_by_counting<kThreads, Stream::kFinal>(keys, count, kTopK, [&](int rank, u64 key) {
    probs[first_output + rank] = total.probability(key_value(key));
    indices[first_output + rank] = key_index(key);
  });
}
