// A token from the best K logits of a row in one read of the row. The variant for all sizes.
//
// Algorithm: a block per row streams it once, as softmax_topk does (streaming_topk.cuh, with the
// argument for exactness): a running threshold stands in front of a small buffer of candidates.
// These are ranked by counting, and draw.cuh draws from the best K. The softmax sum of the stream
// is not used, and the compiler leaves it out: a draw needs the K best alone.
//
// Tunables:
//   THREADS     threads of a block. More: fewer tiles and a better first threshold, but a longer
//               wait at each barrier.
//   UNROLL      16-byte loads in flight per thread, for 4 (f32) or 8 (16 bits) registers each.
//   CAPACITY    keys in the buffer, at 8 bytes of shared memory each. Too few, and rows are scanned
//               again, slowly.
//   MIN_BLOCKS  blocks that must fit on a multiprocessor: a register limit.
//   PREFETCH    1: the next tile is loaded before this one is worked on.
//
// Requires K <= THREADS; UNROLL * 16 bytes hold at most 32 elements; CAPACITY is a multiple of
// THREADS, at most 16 times THREADS, and at least 2K. Rows may start at any element.
//
// Next idea: a cluster for each row where rows are few, as cluster_row of softmax_topk.
#include "defaults.cuh"
#include "draw.cuh"
#include "philox.cuh"
#include "streaming_topk.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kThreads = THREADS;
constexpr int kMinBlocks = MIN_BLOCKS;
using Stream = StreamingTopK<Logit, kTopK, kThreads, UNROLL, CAPACITY, PREFETCH != 0>;

struct alignas(16) Shared {
  u64 keys[CAPACITY];  // candidates; weights once these are ranked
  u64 best[kTopK];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits       [rows, V] of dtype
//   temperature  [rows] of f32
//   top_p        [rows] of f32
//   tokens       [rows] of i32, written
//   probs        [rows] of f32, written
//   V            vocabulary size
//   seed, step   of the random numbers
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    sample_topk(const Logit* __restrict__ logits, const float* __restrict__ temperature,
                const float* __restrict__ top_p, int* __restrict__ tokens,
                float* __restrict__ probs, int V, u64 seed, u64 step) {
  extern __shared__ uint4 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  __shared__ StreamScratch scratch;
  const u32 row = blockIdx.x;

  Stream stream(shared.keys, scratch);
  stream.scan(logits + static_cast<i64>(row) * V, V, 0);
  const int count = stream.reduce_to_final();
  rank_by_counting<kThreads, Stream::kFinal>(shared.keys, count, kTopK,
                                             [&](int rank, u64 key) { shared.best[rank] = key; });
  __syncthreads();
  draw_token<kThreads, kTopK>(shared.best, shared.keys, temperature[row], top_p[row],
                              philox_bits(seed, row, step), tokens + row, probs + row);
}
