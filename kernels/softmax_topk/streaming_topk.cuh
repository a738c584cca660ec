// One pass of a block over a row (or a part of one): the softmax sum and a small set of candidates
// that is certain to contain the top k. Shared by the variants `threshold` and `split`.
//
// The idea. Somewhere in the first tile there are k elements that are >= some value t; from then on
// only elements > t matter (an equal one comes later in the row and loses the tie), and those are
// rare: about k*ln(V/tile) in a random row. So the hot loop compares one maximum per thread and
// tile with t. Survivors go to a buffer in shared memory. When the buffer is full it is cut back to
// its k best, which raises t.
//
// Why it is exact. An element is dropped only when k elements are known that beat it. One that
// finds the buffer full is not dropped: its thread keeps it marked, the block cuts the buffer back,
// and it tries again. A row in ascending order therefore costs time, never correctness, and no
// second algorithm is needed for adversarial rows.
#pragma once

#include "softmax_sum.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "vector_io.cuh"
#include "warp.cuh"

struct StreamScratch {
  SelectScratch select;
  float2 sums[kMaxWarps];
  int count;  // keys appended; above the capacity while the buffer overflows
};

// kThreads: of the block. kUnroll: 16-byte loads of a thread in flight, at most 32 elements.
// kCapacity: keys in the buffer, a multiple of kThreads. kPrefetch: load the next tile before
// working on this one.
template <typename T, int kTopK, int kThreads, int kUnroll, int kCapacity, bool kPrefetch>
class StreamingTopK {
 public:
  // The most candidates that the finish may have to rank. Their number squared is its cost, but
  // bisecting down to fewer costs more than ranking a hundred.
  static constexpr int kPlaces = kTopK > 128 ? 512 : 256;
  static constexpr int kFinal = kThreads < kPlaces ? kThreads : kPlaces;
  static constexpr int kElements = kVectorElements<T>;
  static constexpr int kBatch = kUnroll * kElements;  // elements of a thread in a tile
  static constexpr int kTileVectors = kThreads * kUnroll;
  static constexpr int kKeysPerThread = kCapacity / kThreads;
  static_assert(kTopK <= kThreads, "the first threshold is the k-th of the threads' maxima");
  static_assert(kFinal >= kTopK && kFinal <= kThreads,
                "the finish ranks at most one candidate per thread");
  static_assert(kBatch <= 32, "a thread marks its survivors in one 32-bit word");
  static_assert(kCapacity % kThreads == 0 && kCapacity >= 2 * kTopK);

  // `keys`: kCapacity of them, in shared memory as `scratch`.
  __device__ __forceinline__ StreamingTopK(u64* keys, StreamScratch& scratch)
      : keys_(keys), scratch_(scratch) {
    if (threadIdx.x == 0) scratch_.count = 0;
    __syncthreads();
  }

  // Element i of the `count` elements at `first` has index `first_index + i`. Called once, by all
  // threads.
  __device__ __forceinline__ void scan(const T* first, int count, int first_index) {
    const AlignedSpan<T> span(first, count);
    const int vectors = span.vectors();
    const int origin = first_index - span.skip;  // the index of position 0
    float threshold = -kInfinity;
    Tile tile;
    if constexpr (kPrefetch) tile = load(span, 0);
    for (int first_vector = 0; first_vector < vectors; first_vector += kTileVectors) {
      Tile next;
      if constexpr (kPrefetch) {
        if (first_vector + kTileVectors < vectors) next = load(span, first_vector + kTileVectors);
      } else {
        tile = load(span, first_vector);
      }
      float x[kBatch];
#pragma unroll
      for (int i = 0; i < kBatch; ++i) x[i] = to_float(tile.vectors[i / kElements][i % kElements]);
      const float largest = largest_of(x);
      softmax_.add(x, largest);

      u32 survivors = 0;  // bit i: element i of the batch may be among the best
      if (first_vector == 0) {
        const Opening opening = open(span, largest, scratch_);
        threshold = opening.threshold;
        survivors = opening.survivors;
      } else if (largest > threshold) {  // false for padding, which is -inf, and for NaN
#pragma unroll
        for (int i = 0; i < kBatch; ++i) survivors |= x[i] > threshold ? 1u << i : 0u;
      }
      survivors = append(span.aligned, origin, first_vector, survivors, 0, keys_, scratch_);

      // The barrier doubles as the vote whether anybody found the buffer full. Reading the counter
      // instead would race with fast warps that already append the next tile's survivors.
      if (__syncthreads_or(static_cast<int>(survivors)) != 0)
        threshold = overflow(span.aligned, origin, first_vector, survivors, keys_, scratch_);
      if constexpr (kPrefetch) tile = next;
    }
  }

  [[nodiscard]] __device__ __forceinline__ SoftmaxSum softmax() {
    return block_merge<kThreads>(softmax_, scratch_.sums);
  }

  // Cuts the buffer back to `limit` keys or fewer, kTopK <= limit, if it holds more; returns how
  // many it holds. They are its first, and all threads see them.
  [[nodiscard]] __device__ __forceinline__ int reduce_to(int limit) {
    if (scratch_.count > limit) cut(keys_, scratch_, limit);
    return scratch_.count;
  }

  // What reduces the candidates for the finish: a little slack ends the bisection early when k is
  // large.
  [[nodiscard]] __device__ __forceinline__ int reduce_to_final() {
    if (scratch_.count > kFinal) cut(keys_, scratch_, kTopK + 32 < kFinal ? kTopK + 32 : kFinal);
    return scratch_.count;
  }

 private:
  struct Tile {
    Vector<T> vectors[kUnroll];
  };

  // Thread t takes vectors t, t + kThreads, ... of a tile, so that a warp's load is one run of 512
  // bytes. All loads are issued before any is used; they share one address, to which each adds a
  // constant. Only the first and last tiles of a row pay for bounds checks.
  __device__ __forceinline__ static Tile load(const AlignedSpan<T>& span, int first_vector) {
    Tile tile;
    const int mine = first_vector + static_cast<int>(threadIdx.x);
    if (span.inside(first_vector, kTileVectors)) {
      const T* const address = span.address(mine);
#pragma unroll
      for (int u = 0; u < kUnroll; ++u)
        tile.vectors[u] = load_vector_once(address + u * (kThreads * kElements));
    } else {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u)
        tile.vectors[u] = span.load_padded(mine + u * kThreads, from_float<T>(-kInfinity));
    }
    return tile;
  }

  // Where element i of this thread's batch lies; i is a constant wherever this is unrolled.
  __device__ __forceinline__ static int position(int first_vector, int i) {
    const int vector = first_vector + static_cast<int>(threadIdx.x) + i / kElements * kThreads;
    return vector * kElements + i % kElements;
  }

  struct Opening {
    float threshold;
    u32 survivors;
  };

  // The first tile sets the threshold t: the k-th largest of the threads' maxima, because k threads
  // that each hold an element >= t are k such elements. In this tile elements that equal t survive
  // too: which k it was is unknown. If fewer than k threads have an element, the tile is the whole
  // row and everything survives.
  //
  // Not inlined, like everything rare below: in the loop, its registers would be paid for by every
  // tile. For the same reason rare code reads elements again instead of keeping them; they are
  // still in L2.
  __device__ __noinline__ static Opening open(const AlignedSpan<T> span, float largest,
                                              StreamScratch& scratch) {
    const int vectors = span.vectors();
    const int busy_threads = vectors < kThreads ? vectors : kThreads;
    const u32 mine[1] = {static_cast<int>(threadIdx.x) < busy_threads ? ordered_bits(largest) : 0u};
    u32 bar = kOrderedNegativeInfinity;
    if (busy_threads >= kTopK)
      bar = block_select<kThreads>(mine, busy_threads, kTopK, kTopK + kTopK / 8, scratch.select);
    Opening opening{from_ordered_bits(bar), 0};
    if (mine[0] >= bar) {
      for (int i = 0; i < kBatch; ++i) {
        const int at = position(0, i);
        if (at >= span.skip && at < span.end && ordered_bits(to_float(span.aligned[at])) >= bar)
          opening.survivors |= 1u << i;
      }
    }
    return opening;
  }

  // Appends the marked elements whose key is above `bar`, while there is room; returns the marks of
  // those that found none. One atomic of a warp makes room for one element of each of its lanes
  // that has any. The order in the buffer differs from run to run; the set and the result do not.
  __device__ __forceinline__ static u32 append(const T* aligned, int origin, int first_vector,
                                               u32 survivors, u64 bar, u64* keys,
                                               StreamScratch& scratch) {
    u32 left = survivors;
    while (__any_sync(kFullMask, left != 0)) {
      const int i = __ffs(static_cast<int>(left)) - 1;
      u64 key = 0;
      if (left != 0) {
        const int at = position(first_vector, i);
        key = make_key(to_float(aligned[at]), origin + at);
      }
      const u32 takers = __ballot_sync(kFullMask, key > bar);
      int base = 0;
      if (lane_id() == 0 && takers != 0) base = atomicAdd(&scratch.count, __popc(takers));
      const int slot = __shfl_sync(kFullMask, base, 0) + __popc(takers & lanes_below());
      if (key > bar && slot < kCapacity) keys[slot] = key;
      if (left != 0 && (key <= bar || slot < kCapacity)) survivors &= ~(1u << i);
      left &= left - 1;
    }
    return survivors;
  }

  // Keeps kTopK to `limit` of the best keys, at the front of the buffer, and returns a key that
  // kTopK of them reach.
  __device__ __noinline__ static u64 cut(u64* keys, StreamScratch& scratch, int limit) {
    const int count = scratch.count < kCapacity ? scratch.count : kCapacity;
    u64 held[kKeysPerThread];
#pragma unroll
    for (int j = 0; j < kKeysPerThread; ++j) {
      const int place = static_cast<int>(threadIdx.x) + j * kThreads;
      held[j] = place < count ? keys[place] : 0;
    }
    const u64 bar = block_select<kThreads>(held, count, kTopK, limit, scratch.select);
    __syncthreads();
    if (threadIdx.x == 0) scratch.count = 0;
    __syncthreads();
#pragma unroll
    for (int j = 0; j < kKeysPerThread; ++j)
      if (held[j] >= bar) keys[atomicAdd(&scratch.count, 1)] = held[j];
    // Without this, new survivors of fast warps could take the places of the keys that slow warps
    // still hold.
    __syncthreads();
    return bar;
  }

  // Makes room and appends the marked elements that can still be among the best, until none is
  // left; returns the new threshold. Within a tile the order of the row is unknown, so ties are
  // settled by the whole key.
  __device__ __noinline__ static float overflow(const T* aligned, int origin, int first_vector,
                                                u32 survivors, u64* keys, StreamScratch& scratch) {
    u64 bar;
    do {
      bar = cut(keys, scratch, kTopK + kTopK / 4);
      survivors = append(aligned, origin, first_vector, survivors, bar, keys, scratch);
    } while (__syncthreads_or(static_cast<int>(survivors)) != 0);
    return key_value(bar);
  }

  u64* const keys_;
  StreamScratch& scratch_;
  SoftmaxSum softmax_;
};
