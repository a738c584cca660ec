// Registers: one instruction after another, each with the result of the one before.
//
// The latency of dependent arithmetic. `add` alternates integer additions and exclusive ors, `fma`
// turns a point by fused multiply-adds as harness_fma does: neither can be merged or computed in
// advance, and every step changes the result, so a time that passed validation is the time of all
// steps.
//
// The loop is unrolled 128 times, because its counter and branch would add 5 % to 16 steps.
//
// Requires: steps in multiples of 128.
#include "defaults.cuh"
#include "latency.cuh"
#include "types.cuh"

constexpr Latency kLatency = Latency::LATENCY;

__device__ __forceinline__ u32 added(u32 value, i32 steps) {
  const u32 a = value | 1, b = value * 0x9e3779b1u;
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kLongUnroll) {
#pragma unroll
    for (int k = 0; k < kLongUnroll; k += 2) {
      asm volatile("add.u32 %0, %0, %1;" : "+r"(value) : "r"(a));
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(value) : "r"(b));
    }
  }
  return value;
}

__device__ __forceinline__ u32 turned(u32 start, i32 steps) {
  const f32 t = 0.125f + 0.125f / static_cast<f32>(start), back = -t;
  f32 x = 1, y = 0;
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kLongUnroll) {
#pragma unroll
    for (int k = 0; k < kLongUnroll; k += 2) {
      asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(x) : "f"(t), "f"(y));
      asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(y) : "f"(back), "f"(x));
    }
  }
  return __float_as_uint(y);
}

// Parameters (kernel.yaml names sizes and types):
//   start  [1], where it begins
//   y      [1], written
//   steps  instructions, one after another
extern "C" __global__ void __launch_bounds__(32)
    register_chain(const u32* __restrict__ start, u32* __restrict__ y, i32 steps) {
  const u32 value = kLatency == Latency::add ? added(*start, steps) : turned(*start, steps);
  if (threadIdx.x == 0) *y = value;
}
