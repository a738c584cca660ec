// How the blocks of a cluster hand each other a few numbers: which block this is, a barrier for all
// of them, and stores into the shared memory of another.
//
// A block may be written to once it runs, and must not end while others may still write to it. So:
//
//     cluster_arrive();                at the start; costs nothing while loads are under way
//     ...
//     cluster_wait();                  all blocks run
//     store_in_block(...);
//     cluster_arrive(); cluster_wait();   what all blocks stored is there, and none will store
//     again
//
// All threads of all blocks take part, in whole warps. Requires compute capability 9.0.
#pragma once

#include "types.cuh"

__device__ __forceinline__ u32 cluster_rank() {
  u32 rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

// Which cluster this is, of a grid of one dimension.
__device__ __forceinline__ u32 cluster_index() {
  u32 index;
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(index));
  return index;
}

__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

// Stores 16 bytes at the place in block `rank` that `place` is in this one.
__device__ __forceinline__ void store_in_block(void* place, u32 rank, const float4& value) {
  u32 address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(address)
               : "r"(static_cast<u32>(__cvta_generic_to_shared(place))), "r"(rank));
  asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(value.x),
               "f"(value.y), "f"(value.z), "f"(value.w)
               : "memory");
}
