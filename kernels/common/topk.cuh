// Exact top-k building blocks: keys that order (value descending, index ascending), sorted lists in
// registers, and selection over the keys that a block holds.
//
// Ranking is done on 64-bit integer keys because a comparison of keys settles ties, NaN and signed
// zeros at once, the same way everywhere. The larger key wins. Key 0 is below every element and
// means "none".
#pragma once

#include "types.cuh"
#include "warp.cuh"

// The bits of a float as an unsigned integer of the same order. NaN ranks as -inf and -0.0 as +0.0:
// both would otherwise break the order (the raw bits of -0.0 are below those of +0.0 although the
// numbers are equal).
__device__ __forceinline__ u32 ordered_bits(float x) {
  x = x != x ? -kInfinity : x + 0.0f;  // -0.0 + 0.0 is +0.0
  const u32 bits = __float_as_uint(x);
  return bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
}

constexpr u32 kOrderedNegativeInfinity = 0x007fffffu;  // the smallest result of ordered_bits()

__device__ __forceinline__ float from_ordered_bits(u32 ordered) {
  return __uint_as_float(ordered ^ ((ordered >> 31) != 0 ? 0x80000000u : 0xffffffffu));
}

// Upper half: the value. Lower half: the complement of the index, so that among equal values the
// lower index wins.
__device__ __forceinline__ u64 make_key(float value, int index) {
  return (static_cast<u64>(ordered_bits(value)) << 32) | ~static_cast<u32>(index);
}

__device__ __forceinline__ float key_value(u64 key) {
  return from_ordered_bits(static_cast<u32>(key >> 32));
}
__device__ __forceinline__ int key_index(u64 key) {
  return static_cast<int>(~static_cast<u32>(key));
}

// The largest key of the warp, in all lanes: two integer reductions in hardware instead of ten
// shuffles.
__device__ __forceinline__ u64 warp_max_key(u64 key) {
  const u32 high = __reduce_max_sync(kFullMask, static_cast<u32>(key >> 32));
  const u32 low = __reduce_max_sync(
      kFullMask, static_cast<u32>(key >> 32) == high ? static_cast<u32>(key) : 0u);
  return (static_cast<u64>(high) << 32) | low;
}

__device__ constexpr int next_power_of_two(int n) {
  int power = 1;
  while (power < n) power *= 2;
  return power;
}

// A thread's kSize best keys in descending order, in registers. Every loop is unrolled: a register
// array that is indexed at run time would live in slow local memory.
template <int kSize>
struct LocalList {
  u64 keys[kSize];

  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int i = 0; i < kSize; ++i) keys[i] = 0;
  }

  __device__ __forceinline__ u64 best() const { return keys[0]; }
  __device__ __forceinline__ u64 worst() const { return keys[kSize - 1]; }

  // Keeps the kSize best: each place takes the better of what it holds and what was pushed out of
  // the place before it.
  __device__ __forceinline__ void insert(u64 key) {
#pragma unroll
    for (int i = 0; i < kSize; ++i) {
      const u64 held = keys[i];
      keys[i] = held > key ? held : key;
      key = held > key ? key : held;
    }
  }

  __device__ __forceinline__ void pop() {
#pragma unroll
    for (int i = 0; i + 1 < kSize; ++i) keys[i] = keys[i + 1];
    keys[kSize - 1] = 0;
  }
};

struct SelectScratch {
  u32 minima[kMaxWarps];
  u32 maxima[kMaxWarps];
  int counts[2][kMaxWarps];
};

// The upper half decides an order of u64 keys; a u32 key is its own upper half.
__device__ __forceinline__ u32 upper_half(u64 key) { return static_cast<u32>(key >> 32); }
__device__ __forceinline__ u32 upper_half(u32 key) { return key; }

// A threshold t so that `k` to `limit` of the block's keys are >= t. Every thread brings kPerThread
// keys (0 for none); all get t. `count` is the number of keys that are not none; requires k <=
// count. When keys repeat, more than `limit` may be >= t; distinct keys always end within [k,
// limit]. Two calls need a barrier between them.
//
// Bisection on the integers between the smallest and largest key: one barrier a step. A wide [k,
// limit] ends after a few steps, an exact one after as many as it takes to tell two neighbours
// apart.
template <int kThreads, typename Key, int kPerThread>
__device__ __forceinline__ Key block_select(const Key (&keys)[kPerThread], int count, int k,
                                            int limit, SelectScratch& scratch) {
  constexpr int kWarps = kThreads / kWarpSize;
  constexpr int kShift = static_cast<int>(sizeof(Key) - sizeof(u32)) * 8;
  u32 smallest = 0xffffffffu, largest = 0;
#pragma unroll
  for (int i = 0; i < kPerThread; ++i) {
    if (keys[i] == 0) continue;
    smallest = min(smallest, upper_half(keys[i]));
    largest = max(largest, upper_half(keys[i]));
  }
  smallest = __reduce_min_sync(kFullMask, smallest);
  largest = __reduce_max_sync(kFullMask, largest);
  if (lane_id() == 0) {
    scratch.minima[warp_id()] = smallest;
    scratch.maxima[warp_id()] = largest;
  }
  __syncthreads();
  smallest = __reduce_min_sync(kFullMask, scratch.minima[lane_id() % kWarps]);
  largest = __reduce_max_sync(kFullMask, scratch.maxima[lane_id() % kWarps]);

  // Invariant: at least k keys are >= low, fewer than k are > high.
  Key low = static_cast<Key>(smallest) << kShift;
  Key high = (static_cast<Key>(largest) << kShift) | ((static_cast<Key>(1) << kShift) - 1);
  for (int step = 0; count > limit && low < high; ++step) {
    const Key middle = high - (high - low) / 2;
    int mine = 0;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) mine += keys[i] >= middle ? 1 : 0;
    mine = static_cast<int>(__reduce_add_sync(kFullMask, static_cast<u32>(mine)));
    // Alternating between two rows lets this step's writes start while slow warps still read the
    // last step's.
    int* const counts = scratch.counts[step % 2];
    if (lane_id() == 0) counts[warp_id()] = mine;
    __syncthreads();
    const int above = static_cast<int>(__reduce_add_sync(
        kFullMask, lane_id() < kWarps ? static_cast<u32>(counts[lane_id()]) : 0u));
    if (above >= k) {
      low = middle;
      count = above;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// Ranks the first `count` of `keys` by counting, for each, the keys that beat it, and calls
// emit(rank, key) once for every rank below `k`. At most kPlaces keys, which is at most kThreads.
// The count * count comparisons need no barrier, which makes them cheaper than the log2(count)^2 /
// 2 barriers of a sorting network up to a few hundred keys. The keys must be visible to all threads
// (a barrier before the call) and start on 16 bytes, since two are loaded at a time.
template <int kThreads, int kPlaces, typename Emit>
__device__ __forceinline__ void rank_by_counting(const u64* keys, int count, int k, Emit emit) {
  static_assert(kPlaces <= kThreads);
  // Spare threads help: kHelpers neighbouring lanes share the comparisons of one key.
  constexpr int kSpare = next_power_of_two(kThreads / kPlaces + 1) / 2;
  constexpr int kHelpers = kSpare < kWarpSize ? kSpare : kWarpSize;
  const int candidate = static_cast<int>(threadIdx.x) / kHelpers;
  const int helper = static_cast<int>(threadIdx.x) % kHelpers;
  if (candidate / (kWarpSize / kHelpers) * (kWarpSize / kHelpers) >= count)
    return;  // the whole warp has none
  const u64 key = candidate < count ? keys[candidate] : 0;
  int rank = 0;
  const ulonglong2* const pairs = reinterpret_cast<const ulonglong2*>(keys);
#pragma unroll 4
  for (int i = helper; i < count / 2; i += kHelpers) {
    const ulonglong2 pair = pairs[i];
    rank += (pair.x > key ? 1 : 0) + (pair.y > key ? 1 : 0);
  }
  if (helper == 0 && count % 2 != 0) rank += keys[count - 1] > key ? 1 : 0;
  rank = warp_reduce<kHelpers>(rank, Sum{});
  if (helper == 0 && candidate < count && rank < k) emit(rank, key);
}
