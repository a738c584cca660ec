// A thread's place in its warp and block, and reductions over either in a fixed order: the same
// inputs give the same bits on every run.
//
// Warp functions are called by all 32 lanes and return the result to all of them. Block functions
// are called by all threads of a one-dimensional block of whole warps, contain barriers, and return
// the result to all threads; `scratch` is shared memory of kMaxWarps elements that nothing else
// uses, and may be reused at once after the call.
#pragma once

#include "types.cuh"

constexpr int kWarpSize = 32;
constexpr int kMaxWarps = 32;  // in a block of 1024 threads
constexpr u32 kFullMask = 0xffffffffu;

// Divided without a sign, which ptxas would otherwise take care of.
__device__ __forceinline__ int lane_id() {
  return static_cast<int>(threadIdx.x % static_cast<u32>(kWarpSize));
}
__device__ __forceinline__ int warp_id() {
  return static_cast<int>(threadIdx.x / static_cast<u32>(kWarpSize));
}

// warp_id() in a form that is uniform for the compiler, the same in all lanes: for branches that
// whole warps take, in which it then need not guard against divergence.
__device__ __forceinline__ int uniform_warp_id() { return __shfl_sync(kFullMask, warp_id(), 0); }

// Bits of the lanes below this one: popc(ballot & lanes_below()) numbers the lanes of a ballot.
__device__ __forceinline__ u32 lanes_below() { return (1u << lane_id()) - 1u; }

struct Sum {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return a + b;
  }
};

// The larger; for floats a NaN loses to a number.
struct Max {
  template <typename T>
  __device__ __forceinline__ T operator()(T a, T b) const {
    return a > b ? a : b;
  }
  __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

// A butterfly: after log2(kLanes) exchanges every lane of each aligned group of kLanes lanes holds
// the group's result, and since the operators commute every lane has computed exactly the same
// bits.
template <int kLanes = kWarpSize, typename T, typename Operator>
__device__ __forceinline__ T warp_reduce(T value, Operator combine) {
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    value = combine(value, __shfl_xor_sync(kFullMask, value, distance));
  return value;
}

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
  return warp_reduce(value, Sum{});
}

template <typename T>
__device__ __forceinline__ T warp_max(T value) {
  return warp_reduce(value, Max{});
}

// The warps' results meet in `scratch`, and every warp reduces them again by itself: one barrier
// fewer than a broadcast. The first barrier lets a previous use of `scratch` end.
template <int kThreads, typename T, typename Operator>
__device__ __forceinline__ T block_reduce(T value, T identity, T* scratch, Operator combine) {
  static_assert(kThreads % kWarpSize == 0 && kThreads <= kMaxWarps * kWarpSize);
  constexpr int kWarps = kThreads / kWarpSize;
  value = warp_reduce(value, combine);
  if constexpr (kWarps > 1) {
    __syncthreads();
    if (lane_id() == 0) scratch[warp_id()] = value;
    __syncthreads();
    value = warp_reduce(lane_id() < kWarps ? scratch[lane_id()] : identity, combine);
  }
  return value;
}

template <int kThreads, typename T>
__device__ __forceinline__ T block_sum(T value, T* scratch) {
  return block_reduce<kThreads>(value, T(0), scratch, Sum{});
}

// For floats; -inf is the maximum of no numbers.
template <int kThreads>
__device__ __forceinline__ float block_max(float value, float* scratch) {
  return block_reduce<kThreads>(value, -kInfinity, scratch, Max{});
}
