// Warps with different jobs in one block.
//
// Every role is one branch of an if that whole warps take, by warp_index(), which the compiler knows to be the same in
// all lanes. After the split __syncthreads() is out of reach: it would wait for threads that never come. Roles
// meet at named barriers instead, each with the number of threads that take part (1 to 15; 0 is __syncthreads()).
#pragma once

#include "types.cuh"

// The warp's number in its block, uniform for the compiler.
__device__ __forceinline__ int warp_index() {
  return __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x) / 32, 0);
}

// Waits until kThreads threads, whole warps of them, have come to barrier `id`, waiting or not.
template <int kThreads>
__device__ __forceinline__ void named_barrier_sync(int id) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(kThreads) : "memory");
}
// Comes to barrier `id` without waiting.
template <int kThreads>
__device__ __forceinline__ void named_barrier_arrive(int id) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(kThreads) : "memory");
}

// A warpgroup gives up registers beyond kCount a thread, or waits until it has kCount: a producer needs few, so the consumers
// get its share. Multiples of 8, 24 to 256. Requires sm_90a and __launch_bounds__(THREADS, 1): otherwise ptxas
// ignores it (warning C7508).
template <int kCount>
__device__ __forceinline__ void registers_shrink() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount));
}
template <int kCount>
__device__ __forceinline__ void registers_grow() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount));
}
