// Warps with different jobs in one block.
//
// Every role is one branch of an if that whole warps take, by uniform_warp_id() of warp.cuh. Once
// the roles have parted, __syncthreads() must not be called: it would wait for threads that never
// come. Roles meet at named barriers instead, each with the number of threads that take part
// (barriers 1 to 15; 0 is __syncthreads()).
#pragma once

// Waits until kThreads threads, in whole warps, have arrived at barrier `id`, whether they wait
// there or not.
template <int kThreads>
__device__ __forceinline__ void named_barrier_sync(int id) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(kThreads) : "memory");
}
// Arrives at barrier `id` without waiting.
template <int kThreads>
__device__ __forceinline__ void named_barrier_arrive(int id) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "n"(kThreads) : "memory");
}

// registers_shrink() gives up a warpgroup's registers beyond kCount per thread, registers_grow()
// waits until there are kCount: a producer needs few, so the consumers get its share. Multiples of
// 8, 24 to 256. Requires sm_90a and __launch_bounds__(THREADS, 1): otherwise ptxas ignores it
// (warning C7508).
template <int kCount>
__device__ __forceinline__ void registers_shrink() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(kCount));
}
template <int kCount>
__device__ __forceinline__ void registers_grow() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(kCount));
}
