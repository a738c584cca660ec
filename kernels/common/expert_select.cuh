// The k best of up to 1024 scores of a token, in registers of the lanes that share the token: the
// selection of a mixture of experts.
//
// Larger scores come first, the lower expert among equal ones. NaN counts as -inf, -0.0 as +0.0.
//
// Sorting is not needed, and k rounds of "find the best, remove it" look at every score k times.
// Here each score is looked at twice:
//   1. Every lane takes the maximum of its scores. The k-th best of these 32 maxima is a threshold
//      that at least k scores reach, and hardly more: with 256 random scores and k 6 it is 6.6 of
//      them, with k 16 it is 22 (a coupon collector's numbers, 32 (H(32) - H(32 - k))).
//   2. Experts that reach it are collected in a list in shared memory, in any order.
//   3. The list is ranked by counting, one expert a lane: places follow from (score, expert) alone.
// If the list is too short for the experts that reach the threshold (rows with many ties, rows of
// NaN), exact_list() fills it by k rounds instead. That is slow, and the same result.
//
// Lane `sub` of the kLanes that share a token holds scores in vectors of kVector neighbours, as
// wide loads bring them: scores[i] is of expert(sub, i), ascending in i. A list has kSlots places,
// one for each lane that ranks it, so 32 / kSlots lists are ranked at once by a warp.
//
// All functions are called by whole warps; lists are written before and read after __syncwarp().
#pragma once

#include "packet.cuh"
#include "topk.cuh"
#include "types.cuh"
#include "warp.cuh"

// As an integer of the same order. NaN must have been replaced.
__device__ __forceinline__ int ordered_int(float x) {
  const int bits = __float_as_int(x);
  return bits ^ (bits >> 31 & 0x7fffffff);
}
__device__ __forceinline__ float from_ordered_int(int ordered) {
  return __int_as_float(ordered ^ (ordered >> 31 & 0x7fffffff));
}

template <int kExperts, int kTopK, int kLanes, int kVector, int kSlots>
struct ExpertSelect {
  static_assert(kLanes == 8 || kLanes == 16 || kLanes == 32);
  static_assert(kSlots >= kTopK && kSlots <= kLanes, "a list holds the best k of one token");
  static_assert(kTopK <= kExperts);

  static constexpr int kCount = kExperts, kBest = kTopK, kShare = kLanes, kWidth = kVector,
                       kPlaces = kSlots;
  static constexpr int kVectors = (kExperts + kLanes * kVector - 1) / (kLanes * kVector);  // a lane
  static constexpr int kPerLane = kVectors * kVector;
  static_assert(kPerLane <= 32, "a lane marks its scores in one word");
  static constexpr int kTokens = kWarpSize / kLanes;  // of a warp at once
  static constexpr int kLists = kWarpSize / kSlots;   // that a warp ranks at once
  // Few lanes would give few maxima, and a low threshold: they keep several each.
  static constexpr int kMaxima = kWarpSize / kLanes < kPerLane ? kWarpSize / kLanes : kPerLane;

  static __device__ __forceinline__ int sub_lane() { return lane_id() % kLanes; }
  static __device__ __forceinline__ int expert(int sub, int i) {
    const u32 at = static_cast<u32>(i);
    return static_cast<int>((at / kVector * kLanes + static_cast<u32>(sub)) * kVector +
                            at % kVector);
  }

  // Bit i: scores[i] is of an expert that exists. Constant where the experts fill all lanes.
  static __device__ __forceinline__ u32 existing(int sub) {
    constexpr u32 kAll = kPerLane == 32 ? 0xffffffffu : (1u << kPerLane % 32) - 1u;
    if constexpr (kExperts == kPerLane * kLanes) return kAll;
    u32 mask = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) mask |= expert(sub, i) < kExperts ? 1u << i : 0u;
    return mask;
  }

  // The bits of a ballot that belong to the lanes of this lane's token.
  static __device__ __forceinline__ u32 own_votes(u32 votes) {
    if constexpr (kLanes == kWarpSize)
      return votes;
    else
      return votes >> (lane_id() / kLanes * kLanes) & ((1u << kLanes % 32) - 1u);
  }

  static __device__ __forceinline__ u32 ballot(bool predicate) {
    return own_votes(__ballot_sync(kFullMask, predicate));
  }

  // At least kTopK of the scores, or all, are not below it. Equal maxima go in one round, so that
  // more than k may be as good; only where scores are rounded, and equal ones many, is it worth to
  // count them and to end earlier (kCountTies).
  // `top` becomes the best of all.
  template <bool kCountTies>
  static __device__ __forceinline__ float threshold(const float (&scores)[kPerLane], float& top) {
    float maxima[kMaxima];
#pragma unroll
    for (int i = 0; i < kPerLane; ++i)
      maxima[i % kMaxima] = i < kMaxima ? fmaxf(scores[i], -kInfinity)
                                        : fmaxf(maxima[i % kMaxima], scores[i]);  // never NaN
    int count = 0;
    if constexpr (kLanes == kWarpSize) {
      // One reduction in hardware where a butterfly is five exchanges. It takes integers only.
      constexpr int kNone = static_cast<int>(0x80000000u);
      int mine = ordered_int(maxima[0]), best = kNone;
#pragma unroll
      for (int round = 0; round < kTopK; ++round) {
        best = __reduce_max_sync(kFullMask, mine);
        if (round == 0) top = from_ordered_int(best);
        if constexpr (kCountTies) {
          count += __popc(__ballot_sync(kFullMask, mine == best));
          if (count >= kTopK) break;
        }
        mine = mine == best ? kNone : mine;
      }
      // Fewer maxima than k: after the last of them came none, which is below -inf.
      return best == kNone ? -kInfinity : from_ordered_int(best);
    } else {
      float found = -kInfinity;
#pragma unroll
      for (int round = 0; round < kTopK; ++round) {
        float best = maxima[0];
#pragma unroll
        for (int j = 1; j < kMaxima; ++j) best = fmaxf(best, maxima[j]);
        best = warp_reduce<kLanes>(best, Max{});
        if (round == 0) top = best;
        if (!kCountTies || count < kTopK) found = best;
#pragma unroll
        for (int j = 0; j < kMaxima; ++j) {
          if constexpr (kCountTies) count += __popc(ballot(maxima[j] == best));
          maxima[j] = maxima[j] == best ? -kInfinity : maxima[j];
        }
        if constexpr (kCountTies)
          if (__all_sync(kFullMask, count >= kTopK)) break;
      }
      return found;
    }
  }

  // An entry of a list: which score of which lane. Two instructions fewer than the expert where few
  // lanes have one to write, and all of them wait.
  static __device__ __forceinline__ int entry(int sub, int i) { return i * kLanes + sub; }
  static __device__ __forceinline__ int entry_expert(int listed) {
    const u32 word = static_cast<u32>(listed);  // signed division takes more instructions
    return expert(static_cast<int>(word % kLanes), static_cast<int>(word / kLanes));
  }

  // Tells collect() that `scores` are those that decide.
  struct AreExact {
    static constexpr bool kExact = true;
    __device__ __forceinline__ void refine(float (&)[kPerLane]) const {}
    __device__ __forceinline__ float slack(float) const { return 0; }
  };

  // Writes to `list` the entries of one token that may be among the best k; how many, at most
  // kSlots and at least kTopK. Only scores with a bit in `eligible` take part, at least kTopK of
  // them; the others must be -inf here.
  //
  // Scores may be approximate where the list will be ranked by exact ones: `known.slack(t)` is at
  // least twice the error of finite scores near t, and `known.refine()` makes exact ones of them
  // where the list is too short. Rows with an approximate score of +inf, whose error is unknown,
  // are refined at once.
  template <bool kCountTies = false, class Known = AreExact>
  static __device__ __forceinline__ int collect(float (&scores)[kPerLane], u32 eligible, int* list,
                                                const Known& known = {}) {
    float top = -kInfinity;
    float least = threshold<kCountTies>(scores, top);
    if constexpr (!Known::kExact)
      least = top == kInfinity ? -kInfinity : least - known.slack(least);
    // Not below instead of at least: a NaN reaches every threshold, and is -inf when ranked.
    u32 mask = 0;
#pragma unroll
    for (int i = 0; i < kPerLane; ++i) mask |= !(scores[i] < least) ? 1u << i : 0u;
    mask &= eligible;

    const int sub = sub_lane();
    const u32 below = (1u << sub) - 1u;
    // An exchange with itself: otherwise ptxas makes the address anew for every entry, from a
    // special register that takes longer than all the rest.
    const u32 list_address =
        __shfl_sync(kFullMask, static_cast<u32>(__cvta_generic_to_shared(list)), lane_id());
    int total = 0;
#pragma unroll 1
    while (true) {
      const u32 everywhere = __ballot_sync(kFullMask, mask != 0);
      if (everywhere == 0) break;
      const u32 votes = own_votes(everywhere);
      const int place = total + __popc(votes & below);
      if (mask != 0 && place < kSlots)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(list_address + static_cast<u32>(place) * 4u),
                     "r"(entry(sub, __ffs(static_cast<int>(mask)) - 1))
                     : "memory");
      mask &= mask - 1;
      total += __popc(votes);
    }
    // Uniform in the warp: tokens that fit are collected once more along with those that do not.
    if (__any_sync(kFullMask, total > kSlots)) {
      __syncwarp();
      known.refine(scores);
      exact_list(scores, eligible, list);
      total = kTopK;
    }
    return total;
  }

  // The best k by k rounds, each of which finds the best of what is left.
  static __device__ __forceinline__ void exact_list(const float (&scores)[kPerLane], u32 eligible,
                                                    int* list) {
    const int sub = sub_lane();
    u32 left = eligible;
#pragma unroll 1
    for (int round = 0; round < kTopK; ++round) {
      u64 mine = 0;
#pragma unroll
      for (int i = 0; i < kPerLane; ++i) {
        const u64 key = (left >> i & 1) != 0 ? make_key(scores[i], expert(sub, i)) : 0;
        mine = key > mine ? key : mine;
      }
      const u64 best = warp_reduce<kLanes>(mine, Max{});
#pragma unroll
      for (int i = 0; i < kPerLane; ++i) {
        if (expert(sub, i) != key_index(best) || best == 0) continue;
        left &= ~(1u << i);
        list[round] = entry(sub, i);
      }
    }
  }

  // The place of this lane's expert in its list, 0 being the best. `score` is anything where the
  // lane has no expert; `longest` is the length of the longest list of the warp. `keys`: kWarpSize
  // keys of shared memory, which are free again after the next __syncwarp().
  static __device__ __forceinline__ int rank(bool exists, float score, int index, int longest,
                                             u64* keys) {
    const u64 mine = exists ? make_key(score, index) : 0;
    keys[lane_id()] = mine;
    __syncwarp();
    const ulonglong2* const pairs =
        reinterpret_cast<const ulonglong2*>(keys + lane_id() / kSlots * kSlots);
    int better = 0;
#pragma unroll 2
    for (int i = 0; i < (longest + 1) / 2; ++i) {
      const ulonglong2 pair = pairs[i];
      better += (pair.x > mine ? 1 : 0) + (pair.y > mine ? 1 : 0);
    }
    return better;
  }
};

// A token's scores on their way from global memory to the lanes that share it: as packets until
// they are used, so that those of several tokens are in flight at once.
template <typename Score, class Select>
struct ScoreVectors {
  using Vector = Packet<Score, Select::kWidth* static_cast<int>(sizeof(Score))>;
  Vector vectors[Select::kVectors];

  __device__ __forceinline__ void load(const Score* __restrict__ row) {
    const int sub = Select::sub_lane();
#pragma unroll
    for (int v = 0; v < Select::kVectors; ++v)
      vectors[v] = Vector::load_if(Select::expert(sub, v * Select::kWidth) < Select::kCount, row,
                                   v * Select::kShare + sub);
  }

  // Experts that do not exist are -inf.
  __device__ __forceinline__ void unpack(float (&scores)[Select::kPerLane]) const {
    const int sub = Select::sub_lane();
#pragma unroll
    for (int v = 0; v < Select::kVectors; ++v) {
      float values[Select::kWidth];
      vectors[v].unpack(values);
#pragma unroll
      for (int i = 0; i < Select::kWidth; ++i) {
        const int at = v * Select::kWidth + i;
        scores[at] = Select::expert(sub, at) < Select::kCount ? values[i] : -kInfinity;
      }
    }
  }
};

// The widest vector of elements with which rows of `length` elements can be read from an aligned
// array, at most 16 bytes.
__device__ constexpr int row_vector(int length, int element_bytes) {
  int vector = 16 / element_bytes;
  while (length % vector != 0) vector /= 2;
  return vector;
}
