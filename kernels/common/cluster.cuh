// Clusters: blocks that run at the same time and reach each other's shared memory.
//
// All blocks of a cluster have the same layout of shared memory, so an address of the own block
// and a rank name a place of another: remote_address(). Before the first access to another block,
// of whatever kind, all threads of the cluster call cluster_sync(), or the other block may not have
// begun; after the last one again, or it may have ended. cluster_sync() is also a barrier of the
// block, and hands on what was written before it. Requires compute capability 9.0.
#pragma once

#include "tma.cuh"

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

// The halves of cluster_sync(), for work in between: an arrival at the start costs nothing while
// loads are under way, and after the wait all blocks run.
__device__ __forceinline__ void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ __forceinline__ void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ __forceinline__ void cluster_sync() {
  cluster_arrive();
  cluster_wait();
}

// The same without handing on ordinary writes, which costs a fence of the whole device: after
// mbarrier_publish(), which hands on the barriers, and before a block ends.
__device__ __forceinline__ void cluster_sync_relaxed() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

// The address, in the block of that rank, of the variable at `pointer` in the own block.
__device__ __forceinline__ u32 remote_address(const void* pointer, u32 rank) {
  u32 remote;
  asm("mapa.shared::cluster.u32 %0, %1, %2;"
      : "=r"(remote)
      : "r"(shared_address(pointer)), "r"(rank));
  return remote;
}

__device__ __forceinline__ float load_remote(u32 address) {
  float value;
  asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(value) : "r"(address) : "memory");
  return value;
}
__device__ __forceinline__ float4 load_remote_4(u32 address) {
  float4 value;
  asm volatile("ld.shared::cluster.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
               : "r"(address)
               : "memory");
  return value;
}

__device__ __forceinline__ void store_remote_4(u32 address, const float4& value) {
  asm volatile("st.shared::cluster.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(value.x),
               "f"(value.y), "f"(value.z), "f"(value.w)
               : "memory");
}

// Arrives at the barrier of another block, or of the own one. Hands on nothing that was written
// (the scope of the cluster would need a fence of the whole device): for stages that were read.
__device__ __forceinline__ void mbarrier_arrive_remote(const Mbarrier& barrier, u32 rank) {
  asm volatile("mbarrier.arrive.shared::cluster.b64 _, [%0];" ::"r"(remote_address(&barrier, rank))
               : "memory");
}

// tma_load_4d() into all blocks whose ranks have a bit in `ranks`: to the same place of each, where
// the same barrier counts the bytes. Each of these barriers must expect them.
__device__ __forceinline__ void tma_multicast_4d(void* to, const TensorMap& map, int x, int y,
                                                 int z, int w, Mbarrier& barrier, u32 ranks) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes"
      ".multicast::cluster [%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(shared_address(&barrier)),
      "h"(static_cast<u16>(ranks))
      : "memory");
}
