// Softmax + top-k for few long rows: SPLITS blocks share a row, a second launch merges their parts.
//
// With one block per row, 64 rows leave half of an H200's 132 multiprocessors idle, and a single
// row leaves 131 idle. Here every block streams one part of a row exactly as the variant
// `threshold` does (streaming_topk.cuh) and stores what that part contributes: its softmax sum and
// its k best keys. Both merge in any grouping, so the second launch has little to do.
//
//   launch 1, softmax_topk_parts: grid [SPLITS, rows]; part s of a row covers the elements s*length
//                                 to (s+1)*length.
//   launch 2, softmax_topk_merge: grid [rows]; reads SPLITS sums and SPLITS*k keys, selects and
//                                 ranks.
//
// The workspace holds, for part p = row*SPLITS + s, 2k + 2 floats: k keys of 8 bytes (0 for none,
// in no particular order), then maximum and sum.
//
// Tunables:
//   SPLITS         blocks per row. More: shorter parts, but each still pays for its first threshold
//                  and its selection, and the merge grows with SPLITS*k. Whole waves (rows*SPLITS
//                  close under a multiple of 132 * blocks per multiprocessor) leave no stragglers.
//   THREADS, UNROLL, CAPACITY   as in threshold.cu, per part; a part shorter than a tile leaves
//                               threads idle.
//   MERGE_THREADS  threads of the merge: each holds up to 16 keys in registers.
//
// Requires what threshold.cu requires, SPLITS*k <= 16*MERGE_THREADS, SPLITS <= MERGE_THREADS and a
// workspace of rows*SPLITS*(2k + 2) floats.
//
// Next idea: the last block of a row to finish merges it, which saves the second launch but needs a
// zeroed counter; a cluster per row with the merge through distributed shared memory, which needs
// neither.
#include "defaults.cuh"
#include "streaming_topk.cuh"

using Logit = DTYPE;
constexpr int kTopK = TOP_K;
constexpr int kSplits = SPLITS;
constexpr int kThreads = THREADS;
constexpr int kMergeThreads = MERGE_THREADS;
constexpr int kPartFloats = 2 * kTopK + 2;
using Stream = StreamingTopK<Logit, kTopK, kThreads, UNROLL, CAPACITY, false>;

// Shared memory of the first launch; the second has none.
#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(Stream::kKeyBytes == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   logits     [rows, V] of dtype
//   workspace  [rows, row_space] of f32, scratch
//   rows       rows of logits
//   V          vocabulary size
extern "C" __global__ void __launch_bounds__(kThreads)
    softmax_topk_parts(const Logit* __restrict__ logits, float* __restrict__ workspace, int rows,
                       int V) {
  extern __shared__ __align__(16) u64 keys[];  // CAPACITY
  __shared__ StreamScratch scratch;
  const int split = static_cast<int>(blockIdx.x);
  const int row = static_cast<int>(blockIdx.y);
  if (row >= rows) return;

  // Lengths are a multiple of 32 elements so that parts meet on sector boundaries where the row
  // itself starts on one. The last parts of a short row may be empty.
  const int length = ((V + kSplits - 1) / kSplits + 31) / 32 * 32;
  const int first = min(split * length, V);
  const int count = min(length, V - first);

  Stream stream(keys, scratch);
  stream.scan(logits + static_cast<i64>(row) * V + first, count, first);
  const int found = stream.reduce_to(kTopK);
  const SoftmaxSum part = stream.softmax();

  float* const out = workspace + (static_cast<i64>(row) * kSplits + split) * kPartFloats;
  const int place = static_cast<int>(threadIdx.x);
  if (place < kTopK) reinterpret_cast<u64*>(out)[place] = place < found ? keys[place] : 0;
  if (place == 0) {
    out[2 * kTopK] = part.maximum;
    out[2 * kTopK + 1] = part.sum;
  }
}

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   workspace  [rows, row_space] of f32, scratch
//   probs      [rows, K] of f32, written
//   indices    [rows, K] of i32, written
//   rows       rows of logits
extern "C" __global__ void __launch_bounds__(kMergeThreads)
    softmax_topk_merge(const float* __restrict__ workspace, float* __restrict__ probs,
                       int* __restrict__ indices, int rows) {
  constexpr int kKeys = kSplits * kTopK;
  constexpr int kKeysPerThread = (kKeys + kMergeThreads - 1) / kMergeThreads;
  constexpr int kPlaces = kTopK > 256 ? 512 : 256;
  constexpr int kFinal = kMergeThreads < kPlaces ? kMergeThreads : kPlaces;  // keys to rank
  static_assert(kSplits <= kMergeThreads && kTopK <= kFinal);
  __shared__ __align__(16) u64 best[kFinal];
  __shared__ StreamScratch scratch;
  const int row = static_cast<int>(blockIdx.x);
  if (row >= rows) return;
  const int thread = static_cast<int>(threadIdx.x);
  const float* const parts = workspace + static_cast<i64>(row) * kSplits * kPartFloats;

  SoftmaxSum mine;
  if (thread < kSplits) {
    mine.maximum = parts[thread * kPartFloats + 2 * kTopK];
    mine.sum = parts[thread * kPartFloats + 2 * kTopK + 1];
  }
  u64 held[kKeysPerThread];
  int valid = 0;
#pragma unroll
  for (int j = 0; j < kKeysPerThread; ++j) {
    const int place = thread + j * kMergeThreads;
    held[j] = place < kKeys
                  ? reinterpret_cast<const u64*>(parts + place / kTopK * kPartFloats)[place % kTopK]
                  : 0;
    valid += held[j] != 0 ? 1 : 0;
  }
  if (thread == 0) scratch.count = 0;
  const SoftmaxSum total = block_merge<kMergeThreads>(mine, scratch.sums);
  // Fewer keys than places only when the row is shorter than SPLITS * k.
  valid = block_sum<kMergeThreads>(valid, scratch.select.counts[0]);
  __syncthreads();

  // The k best of all parts are among the k best of each.
  const u64 bar = block_select<kMergeThreads>(held, valid, kTopK, kFinal, scratch.select);
#pragma unroll
  for (int j = 0; j < kKeysPerThread; ++j)
    if (held[j] != 0 && held[j] >= bar) best[atomicAdd(&scratch.count, 1)] = held[j];
  __syncthreads();

  const i64 first_output = static_cast<i64>(row) * kTopK;
  rank_by_counting<kMergeThreads, kFinal>(best, scratch.count, kTopK, [&](int rank, u64 key) {
    probs[first_output + rank] = total.probability(key_value(key));
    indices[first_output + rank] = key_index(key);
  });
}
