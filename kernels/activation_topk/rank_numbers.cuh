// The last step of a router where lists hold numbers alone, and no two of them alike: what
// Route::finish() does in about half the instructions.
//
// Scores are compared as floats, of which shared memory gives four at once, and not as keys of 64
// bits. Equal scores would get the same place. That shows in the sum of the places, and then
// nothing is stored.
#pragma once

#include "expert_route.cuh"

// 1 or 0, in one instruction.
__device__ __forceinline__ float greater(float a, float b) {
  float result;
  asm("set.gt.f32.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}

// Lists of `lengths` entries, after __syncwarp(); false, with nothing stored, where scores are
// equal. `row`: the first list's logits; those of the other tokens follow. The first `lists` lists
// are stored, by `store(list, place, expert, weight)`. `scores`: kWarpSize of shared memory, which
// are free after the __syncwarp() that follows.
template <class Select, Scoring kScoring, bool kNormalise, int kLists, class Logit, class Store>
__device__ __forceinline__ bool rank_numbers(int lists, const int (&lengths)[kLists],
                                             const int* entries, const float* __restrict__ bias,
                                             float scale, float* scores, Logit logit, Store store) {
  const u32 lane = static_cast<u32>(lane_id());
  const int list = static_cast<int>(lane / Select::kPlaces);
  int length = lengths[0], longest = lengths[0];
  u32 places = 0;  // twice their sum
#pragma unroll
  for (int other = 0; other < kLists; ++other) {
    length = list == other ? lengths[other] : length;
    longest = max(longest, lengths[other]);
    places += static_cast<u32>(lengths[other] * (lengths[other] - 1));
  }
  const bool exists = static_cast<int>(lane % Select::kPlaces) < length;
  u32 expert = 0;
  float activation = 0, score = -kInfinity;
  if (exists) {
    // A list beyond the last token's takes some entry that exists.
    expert = static_cast<u32>(Select::entry_expert(entries[lane]));
    activation = expert_activation<kScoring>(logit(min(list, lists - 1), expert), RowScale{});
    score = __fadd_rn(activation, __ldg(bias + expert));
  }
  scores[lane] = score;
  __syncwarp();
  const float4* const others = reinterpret_cast<const float4*>(scores + list * Select::kPlaces);
  // Counted in floats: a comparison makes 1.0f, and additions have a pipe of their own.
  float better = 0;
#pragma unroll 1
  for (int i = 0; i < static_cast<int>(static_cast<u32>(longest + 3) / 4); ++i) {
    const float4 other = others[i];
    better += (greater(other.x, score) + greater(other.y, score)) +
              (greater(other.z, score) + greater(other.w, score));
  }
  const u32 place = static_cast<u32>(better);
  if (__reduce_add_sync(kFullMask, exists ? 2 * place : 0u) != places) return false;

  const bool chosen = exists && place < static_cast<u32>(Select::kBest);
  activation = chosen ? activation : 0.0f;
  float factor = scale;
  if constexpr (kNormalise)
    factor *= reciprocal_approx(warp_reduce<Select::kPlaces>(activation, Sum{}) + 1e-20f);
  if (chosen && list < lists) store(list, place, expert, __fmul_rn(activation, factor));
  return true;
}
