// Global: one thread follows pointers in global memory, through a given level of the caches.
//
//   l1      a cycle of 32-byte nodes, few enough for L1, which may keep them
//   l2      a cycle within one sector of 32 bytes, read past L1. One sector lies in one place of
//           L2, nearer to this SM or farther from it: the `line` decides.
//   memory  a cycle of lines, each read once and by no cache: L2 is flushed before the launch
//
// For l1 and l2 the warp first writes the addresses of the nodes, so that a step is one load and
// nothing else; after one turn of the cycle they are where they shall be, and the difference of two
// numbers of steps leaves that turn out. Lines of memory hold indices, which become addresses by
// one multiply-add, a hundredth of the latency: writing them here would bring them into L2.
//
// Requires: steps in multiples of 16; for memory, no more steps than nodes where time matters.
#include "defaults.cuh"
#include "latency.cuh"
#include "types.cuh"

constexpr Latency kLatency = Latency::LATENCY;
constexpr int kLineWords = 16;                             // of 8 bytes
constexpr int kSpacing = kLatency == Latency::l1 ? 4 : 1;  // words of 8 bytes from node to node

// Goes from line to line and returns the last one's number.
__device__ __forceinline__ u32 memory_chase(const u32* lines, u32 at, i32 steps) {
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      asm volatile("ld.global.cg.u32 %0, [%1];"
                   : "=r"(at)
                   : "l"(lines + static_cast<u64>(at) * 32)
                   : "memory");
    }
  }
  return at;
}

// Goes from address to address and returns the last one.
__device__ __forceinline__ u64 cached_chase(u64 at, i32 steps) {
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      if constexpr (kLatency == Latency::l1)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at)::"memory");
      else
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at)::"memory");
    }
  }
  return at;
}

// Parameters (kernel.yaml names sizes and types):
//   next      the node after each; for memory the first of 32 words
//   start     [1], the node to begin with, modulo nodes
//   pointers  room for the addresses of l1 and l2
//   y         [1], written
//   nodes     of the cycle
//   steps     loads, one after another
//   line      where the nodes lie, in lines of 128 bytes from `pointers`
extern "C" __global__ void __launch_bounds__(32)
    global_chase(const u32* __restrict__ next, const u32* __restrict__ start, u64* pointers,
                 u32* __restrict__ y, i32 nodes, i32 steps, i32 line) {
  const u32 first = *start % static_cast<u32>(nodes);
  u32 last = 0;
  if constexpr (kLatency == Latency::memory) {
    if (threadIdx.x != 0) return;
    last = memory_chase(next, first, steps);
  } else {
    u64* places = pointers + line * kLineWords;
#pragma unroll 1
    for (int k = static_cast<int>(threadIdx.x); k < nodes; k += 32)
      places[k * kSpacing] = reinterpret_cast<u64>(places + next[k] * kSpacing);
    __threadfence();
    __syncwarp();
    if (threadIdx.x != 0) return;
    const u64 end = cached_chase(reinterpret_cast<u64>(places + first * kSpacing), steps);
    last = static_cast<u32>((end - reinterpret_cast<u64>(places)) / (8 * kSpacing));
  }
  *y = *start + 1 + last;
}
