// Cluster: the threads of two blocks wait for each other, again and again.
//
// The latency of the cluster's barrier when no thread is late: alone, and with the release and
// acquire that hand on what was written, for which ptxas has every thread wait for its writes to
// reach the whole device. Every thread counts its steps from `start`; the result is right if all
// threads of the first block counted alike.
//
// Requires: compute capability 9.0; steps in multiples of 16.
#include "cluster.cuh"
#include "defaults.cuh"
#include "latency.cuh"

constexpr Latency kLatency = Latency::LATENCY;

// Parameters (kernel.yaml names sizes and types):
//   start  [1], where counting begins
//   y      [1], written
//   steps  barriers
extern "C" __global__ void __launch_bounds__(128)
    cluster_barrier(const u32* __restrict__ start, u32* __restrict__ y, i32 steps) {
  u32 value = *start;
  const u32 end = value + static_cast<u32>(steps);
#pragma unroll 1
  for (i32 step = 0; step < steps; step += kUnroll) {
#pragma unroll
    for (int k = 0; k < kUnroll; ++k) {
      if constexpr (kLatency == Latency::cluster)
        cluster_sync_relaxed();
      else
        cluster_sync();
      asm volatile("add.u32 %0, %0, 1;" : "+r"(value));
    }
  }
  const bool all = __syncthreads_and(value == end) != 0;
  if (cluster_rank() == 0 && threadIdx.x == 0) *y = all ? value : 0;
}
