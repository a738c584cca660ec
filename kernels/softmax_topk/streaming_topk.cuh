// One pass of a block over a row (or a part of one): the softmax sum and a small set of candidates
// that is certain to contain the top k. Shared by the variants `threshold` and `split`.
//
// The idea. Somewhere in the first tile there are k elements that are >= some value t; from then on
// only elements > t matter (an equal one comes later in the row and loses the tie), and those are
// rare: about k*V/tile in a random row. So the hot loop compares one maximum per thread and tile
// with t. Survivors go straight from registers to a buffer in shared memory, and warps do not wait
// for one another. Every few tiles the block looks at the buffer, and if it holds much more than k
// keys, cuts it back to about k: that raises t.
//
// Why it is exact. An element is dropped only when k elements are known that beat it, or when it
// finds the buffer full. The latter is noticed, and the row is then read again by a scan that
// retries such an element after a cut. A row in ascending order therefore costs time, never
// correctness.
#pragma once

#include "softmax_sum.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "unaligned_row.cuh"
#include "warp.cuh"

struct StreamScratch {
  SelectScratch select;
  float2 sums[kMaxWarps];
  int count;  // keys appended; above the capacity while the buffer overflows
};

template <bool kPairs>
struct TopOf {
  using Type = float;
};
template <>
struct TopOf<true> {
  using Type = u32;
};

// The larger of two 16-bit floats in either half, NaN ignored.
template <typename T>
__device__ __forceinline__ u32 max_pair(u32 a, u32 b);
template <>
__device__ __forceinline__ u32 max_pair<bf16>(u32 a, u32 b) {
  u32 larger;
  asm("max.bf16x2 %0, %1, %2;" : "=r"(larger) : "r"(a), "r"(b));
  return larger;
}
template <>
__device__ __forceinline__ u32 max_pair<f16>(u32 a, u32 b) {
  u32 larger;
  asm("max.f16x2 %0, %1, %2;" : "=r"(larger) : "r"(a), "r"(b));
  return larger;
}

// kThreads: of the block. kUnroll: 16-byte loads of a thread in flight, at most 32 elements.
// kCapacity: keys in the buffer, a multiple of kThreads. kPrefetch: load the next tile before
// working on this one.
template <typename T, int kTopK, int kThreads, int kUnroll, int kCapacity, bool kPrefetch>
class StreamingTopK {
 public:
  // The most candidates that the finish may have to rank. Their number squared is its cost, but
  // bisecting down to fewer costs more than ranking a hundred.
  static constexpr int kPlaces = kTopK > 256 ? 1024 : kTopK > 128 ? 512 : 256;
  static constexpr int kFinal = kThreads < kPlaces ? kThreads : kPlaces;
  static constexpr int kElements = RowPacket<T>::kElements;
  static constexpr int kBatch = kUnroll * kElements;  // elements of a thread in a tile
  static constexpr int kTileVectors = kThreads * kUnroll;
  static constexpr int kKeysPerThread = kCapacity / kThreads;
  static constexpr u64 kKeyBytes = sizeof(u64) * kCapacity;  // of the buffer
  // Between two checks of the buffer warps run freely. A cut costs more than a few hundred
  // survivors do, so it comes only when there are many: for the capacity, or for so small a k.
  static constexpr int kTilesPerCheck = 3;
  static constexpr int kFull = kCapacity / 4 * 3;
  static constexpr int kCutAt = 8 * kTopK < kFull ? 8 * kTopK : kFull;
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
    const int vectors = span.packets();
    const int origin = first_index - span.skip;  // the index of position 0
    float bar = 0.0f;                            // elements >= bar survive; never -inf
    bool lost = false;                           // an element of this thread found no room
    Tile tile;
    if constexpr (kPrefetch) tile = load(span, 0);
    int tiles_to_check = kTilesPerCheck;
    for (int first_vector = 0; first_vector < vectors; first_vector += kTileVectors) {
      Tile next;
      if constexpr (kPrefetch) {
        if (first_vector + kTileVectors < vectors) next = load(span, first_vector + kTileVectors);
      } else {
        tile = load(span, first_vector);
      }
      float x[kBatch];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) {
        float values[kElements];
        tile.vectors[u].unpack(values);
#pragma unroll
        for (int e = 0; e < kElements; ++e) x[u * kElements + e] = values[e];
      }
      VectorTop vector_tops[kUnroll];
#pragma unroll
      for (int u = 0; u < kUnroll; ++u) vector_tops[u] = top_of(tile.vectors[u], x + u * kElements);
      const float largest = largest_top(vector_tops);
      softmax_.add(x, largest);

      u32 threshold = 0;
      if (first_vector == 0) {
        threshold = open(vectors, largest, scratch_);
        // Without K numbers in the first tile padding, -inf and NaN would have to be distinguished
        // here: the careful scan below does that.
        lost = threshold == kOrderedNegativeInfinity;
        if (lost) break;
        bar = from_ordered_bits(threshold);
      }
      // False for padding, which is -inf, and for NaN.
      if (largest >= bar) lost = !append_fast(x, vector_tops, bar, origin, first_vector) || lost;
      if (first_vector == 0) bar = from_ordered_bits(threshold + 1);  // now an equal one loses

      // Every few tiles the block votes on whether a higher threshold is due. A fast warp may read
      // an older count than a slow one, but all act on the same vote.
      if (--tiles_to_check == 0) {
        tiles_to_check = kTilesPerCheck;
        const bool filling = *const_cast<const volatile int*>(&scratch_.count) > kCutAt;
        if (__syncthreads_or(filling) != 0) {
          if (__syncthreads_or(lost) != 0) break;  // the buffer has holes
          const u64 key = cut(keys_, scratch_, kTopK + kTopK / 4);
          bar = fmaxf(bar, from_ordered_bits(upper_half(key) + 1));
        }
      }
      if constexpr (kPrefetch) tile = next;
    }
    if (__syncthreads_or(lost) != 0) softmax_ = scan_carefully(span, origin, keys_, scratch_);
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

  // Cuts the candidates down for the finish. A little slack ends the bisection early when k is
  // large.
  [[nodiscard]] __device__ __forceinline__ int reduce_to_final() {
    if (scratch_.count > kFinal) cut(keys_, scratch_, kTopK + 32 < kFinal ? kTopK + 32 : kFinal);
    return scratch_.count;
  }

 private:
  // The largest of a vector, NaN ignored. For 16 bits it stays a pair, the larger of which it is:
  // one instruction finds the larger of two elements twice, where floats take two.
  static constexpr bool kPairs = sizeof(T) == 2;
  using VectorTop = typename TopOf<kPairs>::Type;

  __device__ __forceinline__ static VectorTop top_of(const RowPacket<T>& vector, const float* x) {
    if constexpr (kPairs) {
      const uint4& words = vector.storage;
      return max_pair<T>(max_pair<T>(words.x, words.y), max_pair<T>(words.z, words.w));
    } else {
      float top = x[0];
#pragma unroll
      for (int e = 1; e < kElements; ++e) top = fmaxf(top, x[e]);
      return top;
    }
  }
  __device__ __forceinline__ static float to_largest(float top) { return top; }
  __device__ __forceinline__ static float to_largest(u32 top) {
    float low, high;
    unpack_pair<T>(top, low, high);
    return fmaxf(low, high);
  }
  __device__ __forceinline__ static float largest_top(const VectorTop (&tops)[kUnroll]) {
    if constexpr (kPairs) {
      u32 top = tops[0];
#pragma unroll
      for (int u = 1; u < kUnroll; ++u) top = max_pair<T>(top, tops[u]);
      return to_largest(top);
    } else {
      return largest_of(tops);
    }
  }

  // Packed: elements of 16 bits would be taken apart once when they are loaded and once more when
  // they become floats.
  struct Tile {
    RowPacket<T> vectors[kUnroll];
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
        tile.vectors[u] = RowPacket<T>::template load<Hint::streaming>(address, u * kThreads);
    } else {
#pragma unroll
      for (int u = 0; u < kUnroll; ++u)
        tile.vectors[u].storage =
            __builtin_bit_cast(typename RowPacket<T>::Storage,
                               span.load_padded(mine + u * kThreads, from_float<T>(-kInfinity)));
    }
    return tile;
  }

  // The position of element i of this thread's batch.
  __device__ __forceinline__ static int position(int first_vector, int i) {
    const u32 element = static_cast<u32>(i);  // signed division takes more instructions
    const u32 vector =
        static_cast<u32>(first_vector) + threadIdx.x + element / kElements * kThreads;
    return static_cast<int>(vector * kElements + element % kElements);
  }

  // The first tile sets the threshold t: the k-th largest of the threads' maxima, because k threads
  // that each hold an element >= t are k such elements. In this tile elements that equal t survive
  // too: which k it was is unknown. -inf if fewer than k threads have a number.
  //
  // Not inlined, like everything rare below: in the loop, its registers would be paid for by every
  // tile.
  __device__ __noinline__ static u32 open(int vectors, float largest, StreamScratch& scratch) {
    const int busy_threads = vectors < kThreads ? vectors : kThreads;
    if (busy_threads < kTopK) return kOrderedNegativeInfinity;
    const u32 mine[1] = {static_cast<int>(threadIdx.x) < busy_threads ? ordered_bits(largest) : 0u};
    return block_select<kThreads>(mine, busy_threads, kTopK, kTopK + kTopK / 8, scratch.select);
  }

  // Appends this thread's elements >= bar from the registers they are in; false, with nothing
  // stored, if the buffer has no room for all of them. One atomic makes room for them, so that the
  // stores do not wait for one another. Vectors without a survivor are skipped as a whole. The
  // order in the buffer differs from run to run; the set and the result do not.
  __device__ __forceinline__ bool append_fast(const float (&x)[kBatch],
                                              const VectorTop (&vector_tops)[kUnroll], float bar,
                                              int origin, int first_vector) {
    u32 survivors = 0;  // bit i: element i of the batch
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (to_largest(vector_tops[u]) >= bar) {
#pragma unroll
        for (int i = u * kElements; i < (u + 1) * kElements; ++i)
          survivors |= x[i] >= bar ? 1u << i : 0u;
      }
    }
    const int wanted = __popc(survivors);
    const int slot = atomicAdd(&scratch_.count, wanted);
    if (slot + wanted > kCapacity) return false;
    u64* place = keys_ + slot;
    const u32 base = ~static_cast<u32>(origin + position(first_vector, 0));
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      if (to_largest(vector_tops[u]) >= bar) {
#pragma unroll
        for (int i = u * kElements; i < (u + 1) * kElements; ++i) {
          // make_key() of a number: the NaN case is out.
          const u32 bits = __float_as_uint(x[i] + 0.0f);
          const u32 ordered = bits ^ (static_cast<u32>(static_cast<int>(bits) >> 31) | 0x80000000u);
          const u32 offset = i / kElements * (kThreads * kElements) + i % kElements;
          if (x[i] >= bar) *place++ = (static_cast<u64>(ordered) << 32) | (base - offset);
        }
      }
    }
    return true;
  }

  // The scan for rows that the fast one gave up on: too short for a threshold, hardly any numbers,
  // or more survivors between two checks than the buffer holds (ascending rows, ties). It starts
  // over with an empty buffer, reads element by element, compares whole keys, and asks after every
  // tile whether the buffer is full. Slow, but exact for anything.
  __device__ __noinline__ static SoftmaxSum scan_carefully(const AlignedSpan<T> span, int origin,
                                                           u64* keys, StreamScratch& scratch) {
    SoftmaxSum softmax;
    if (threadIdx.x == 0) scratch.count = 0;
    __syncthreads();
    u64 bar = 0;
    const int vectors = span.packets();
    for (int first_vector = 0; first_vector < vectors; first_vector += kTileVectors) {
      u32 survivors = 0;
      for (int i = 0; i < kBatch; ++i) {
        const int at = position(first_vector, i);
        if (at < span.skip || at >= span.end) continue;
        const float x[1] = {to_float(span.aligned[at])};
        softmax.add(x, x[0]);
        if (make_key(x[0], origin + at) > bar) survivors |= 1u << i;
      }
      survivors = append(span.aligned, origin, first_vector, survivors, bar, keys, scratch);
      // The barrier doubles as the vote. Reading the counter instead would race with fast warps
      // that already append the next tile's survivors.
      if (__syncthreads_or(static_cast<int>(survivors)) != 0)
        bar = overflow(span.aligned, origin, first_vector, survivors, bar, keys, scratch);
    }
    return softmax;
  }

  // Appends the marked elements whose key is above `bar` as long as there is room; returns the
  // marks of those that found none. One atomic per warp makes room for one element of each lane
  // that has any.
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
  // left; returns the new threshold.
  __device__ __forceinline__ static u64 overflow(const T* aligned, int origin, int first_vector,
                                                 u32 survivors, u64 bar, u64* keys,
                                                 StreamScratch& scratch) {
    do {
      bar = cut(keys, scratch, kTopK + kTopK / 4);
      survivors = append(aligned, origin, first_vector, survivors, bar, keys, scratch);
    } while (__syncthreads_or(static_cast<int>(survivors)) != 0);
    return bar;
  }

  u64* const keys_;
  StreamScratch& scratch_;
  SoftmaxSum softmax_;
};
