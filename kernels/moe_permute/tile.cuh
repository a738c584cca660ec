// The common part of both variants: the places of a block's tile of choices within the experts'
// runs.
//
// A choice is an entry of ids, token * k + slot. A tile is kThreads * kPerThread neighbouring
// choices, a warp's part of it 32 * kPerThread neighbours, which it takes 32 at a time. So the
// order (expert, choice) needs, for each choice, how many of its expert come before it: in earlier
// blocks, in earlier warps of the block, in earlier steps of the warp, in lower lanes. The warp
// counts the last two as it goes, in a row of shared memory of its own; no atomics, whose order
// would be any.
#pragma once

#include "warp.cuh"

// In dynamic shared memory: kWarps rows of `experts` counts.
template <int kThreads, int kPerThread>
struct ChoiceTile {
  static constexpr int kWarps = kThreads / kWarpSize;
  static constexpr int kChoices = kThreads * kPerThread;

  int expert[kPerThread];  // -1 beyond the end
  int before[kPerThread];  // of the same expert, earlier in the warp's part
  int first;               // this lane's first choice

  __device__ __forceinline__ void load(const int* __restrict__ ids, int tile, int choices) {
    first = tile * kChoices + warp_id() * (kWarpSize * kPerThread) + lane_id();
#pragma unroll
    for (int i = 0; i < kPerThread; ++i)
      expert[i] = first + i * kWarpSize < choices ? __ldg(ids + first + i * kWarpSize) : -1;
  }

  // Fills this warp's row. Ends with a barrier of the block.
  __device__ __forceinline__ void count(int* counts, int experts) {
    int* const row = counts + warp_id() * experts;
    for (int e = lane_id(); e < experts; e += kWarpSize) row[e] = 0;
    __syncwarp();
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
      const u32 same = __match_any_sync(kFullMask, expert[i]);
      before[i] = expert[i] >= 0 ? row[expert[i]] + __popc(same & lanes_below()) : 0;
      __syncwarp();
      // The last choice of an expert has their number.
      if (expert[i] >= 0 && same >> lane_id() == 1) row[expert[i]] = before[i] + 1;
      __syncwarp();
    }
    __syncthreads();
  }

  // Thread e: how many of expert e are in the block.
  __device__ __forceinline__ int total(const int* counts, int experts) const {
    int sum = 0;
    if (static_cast<int>(threadIdx.x) < experts) {
#pragma unroll 8
      for (int w = 0; w < kWarps; ++w) sum += counts[w * experts + static_cast<int>(threadIdx.x)];
    }
    return sum;
  }

  // Thread e says where the block's choices of expert e begin; rows become where those of each warp
  // do. Begins without and ends with a barrier.
  __device__ __forceinline__ void spread(int* counts, int experts, int begin) const {
    if (static_cast<int>(threadIdx.x) < experts) {
#pragma unroll 8
      for (int w = 0; w < kWarps; ++w) {
        int& place = counts[w * experts + static_cast<int>(threadIdx.x)];
        const int count = place;
        place = begin;
        begin += count;
      }
    }
    __syncthreads();
  }

  __device__ __forceinline__ void store(const int* counts, int experts,
                                        const float* __restrict__ weights, int* __restrict__ order,
                                        int* __restrict__ position,
                                        float* __restrict__ ordered_weights) const {
    const int* const row = counts + warp_id() * experts;
#pragma unroll
    for (int i = 0; i < kPerThread; ++i) {
      if (expert[i] < 0) continue;
      const int choice = first + i * kWarpSize, place = row[expert[i]] + before[i];
      position[choice] = place;
      order[place] = choice;
      ordered_weights[place] = __ldg(weights + choice);
    }
  }
};

// The sum of the values of all threads before this one. `scratch`: kMaxWarps ints of shared memory.
template <int kThreads>
__device__ __forceinline__ int block_sum_before(int value, int* scratch) {
  int sum = value;
#pragma unroll
  for (int distance = 1; distance < kWarpSize; distance *= 2) {
    const int other = __shfl_up_sync(kFullMask, sum, distance);
    if (lane_id() >= distance) sum += other;
  }
  if (lane_id() == kWarpSize - 1) scratch[warp_id()] = sum;
  __syncthreads();
  int earlier = lane_id() < warp_id() ? scratch[lane_id()] : 0;
  earlier = warp_sum(earlier);
  return earlier + sum - value;
}
