// Mbarrier: two warps hand a turn to each other and back.
//
// The latency of a hand-over between a producer and a consumer: one arrives, the other, which waits
// for that phase, goes on. A step is a round trip, two hand-overs. Both count from `start`, and the
// result is right if they counted alike.
//
// Requires: compute capability 9.0; steps in multiples of 16.
#include "defaults.cuh"
#include "latency.cuh"
#include "mbarrier.cuh"

// Parameters (kernel.yaml names sizes and types):
//   start  [1], where counting begins
//   y      [1], written
//   steps  round trips
extern "C" __global__ void __launch_bounds__(64)
    mbarrier_turns(const u32* __restrict__ start, u32* __restrict__ y, i32 steps) {
  __shared__ Mbarrier to, back;
  __shared__ u32 counted;
  if (threadIdx.x == 0) {
    mbarrier_init(to, 1);
    mbarrier_init(back, 1);
  }
  __syncthreads();
  u32 value = *start;
  if (threadIdx.x == 0) {
#pragma unroll 1
    for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
      for (u32 k = 0; k < kUnroll; ++k) {
        mbarrier_arrive(to);
        mbarrier_wait(back, k & 1);
        asm volatile("add.u32 %0, %0, 1;" : "+r"(value));
      }
    }
  } else if (threadIdx.x == 32) {
#pragma unroll 1
    for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
      for (u32 k = 0; k < kUnroll; ++k) {
        mbarrier_wait(to, k & 1);
        mbarrier_arrive(back);
        asm volatile("add.u32 %0, %0, 1;" : "+r"(value));
      }
    }
    counted = value;
  }
  __syncthreads();
  if (threadIdx.x == 0) *y = value == counted ? value : 0;
}
