// Barrier: the threads of one block wait for each other, again and again.
//
// The latency of __syncthreads() when no thread is late. Every thread counts its steps from
// `start`, which adds nothing to a barrier; the result is right if all of them counted alike.
//
// Requires: steps in multiples of 16.
#include "defaults.cuh"
#include "latency.cuh"
#include "types.cuh"

constexpr Latency kLatency = Latency::LATENCY;
constexpr int kThreads = kLatency == Latency::sync_128   ? 128
                         : kLatency == Latency::sync_256 ? 256
                                                         : 1024;

// Parameters (kernel.yaml names sizes and types):
//   start  [1], where counting begins
//   y      [1], written
//   steps  barriers
extern "C" __global__ void __launch_bounds__(kThreads)
    block_barrier(const u32* __restrict__ start, u32* __restrict__ y, i32 steps) {
  u32 value = *start;
  const u32 end = value + static_cast<u32>(steps);
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      __syncthreads();
      asm volatile("add.u32 %0, %0, 1;" : "+r"(value));
    }
  }
  const bool all = __syncthreads_and(value == end) != 0;
  if (threadIdx.x == 0) *y = all ? value : 0;
}
