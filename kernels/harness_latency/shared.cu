// Shared: one thread follows pointers in shared memory.
//
// The latency of a load from shared memory. The words hold addresses, not indices, so that a step
// is one load and nothing else. The order is random, and the result is the node at which the last
// load arrived.
//
// Requires: steps in multiples of 16, at most 1024 nodes.
#include "defaults.cuh"
#include "latency.cuh"
#include "types.cuh"

constexpr int kNodes = 1024;

// Parameters (kernel.yaml names sizes and types):
//   next   [nodes], the node after each
//   start  [1], the node to begin with, modulo nodes
//   y      [1], written
//   nodes  of the cycle
//   steps  loads, one after another
extern "C" __global__ void __launch_bounds__(32)
    shared_chase(const u32* __restrict__ next, const u32* __restrict__ start, u32* __restrict__ y,
                 i32 nodes, i32 steps) {
  __shared__ u32 places[kNodes];
  const u32 first = static_cast<u32>(__cvta_generic_to_shared(places));
#pragma unroll 1
  for (int k = static_cast<int>(threadIdx.x); k < nodes; k += 32) places[k] = first + 4 * next[k];
  __syncwarp();
  if (threadIdx.x != 0) return;
  u32 at = first + 4 * (*start % static_cast<u32>(nodes));
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at)::"memory");
  }
  *y = *start + 1 + (at - first) / 4;
}
