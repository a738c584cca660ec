// A ring of tiles in shared memory between the warps that start copies and the warps that use the
// tiles.
//
//   producer
//     ring.acquire(place)                                     waits until the stage is free
//     mbarrier_expect(ring.full[place.stage], bytes)
//     tma_load_...(..., ring.full[place.stage])
//     ++place
//   consumers
//     ring.wait(place)                                        waits until the bytes have arrived
//     ... read the tile
//     ring.release(place)                                     one arrival of `consumers` in all
//     ++place
//
// Reads by wgmma are over when wgmma_wait says so. Ordinary loads and ldmatrix may still be in
// flight when their warp arrives at a barrier, and the copy engine, which the ordinary memory order
// does not bind, then overwrites what they were about to read. An H200 does so with two blocks on
// an SM. Warps that read in this way therefore call release_reads() instead, with all their lanes.
//
// Each side walks the ring with a Place of its own: the stage, and the parity of the phase that it
// waits for. The producer's first round finds every stage free, because it waits for the phase
// before the first. Invariant: tiles are consumed in the order in which they were requested, and
// every tile is released.
#pragma once

#include "mbarrier.cuh"

template <int kStages>
struct Place {
  int stage = 0;
  u32 parity = 0;
  __device__ __forceinline__ void operator++() {
    if (++stage == kStages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

template <int kStages>
struct Ring {
  Mbarrier full[kStages];
  Mbarrier empty[kStages];

  // Called by one thread, before mbarrier_publish(). `consumers` arrivals free a stage.
  __device__ __forceinline__ void init(u32 consumers) {
    for (int stage = 0; stage < kStages; ++stage) {
      mbarrier_init(full[stage], 1);
      mbarrier_init(empty[stage], consumers);
    }
  }
  __device__ __forceinline__ void acquire(const Place<kStages>& place) {
    mbarrier_wait(empty[place.stage], place.parity ^ 1);
  }
  __device__ __forceinline__ void wait(const Place<kStages>& place) {
    mbarrier_wait(full[place.stage], place.parity);
  }
  __device__ __forceinline__ void release(const Place<kStages>& place) {
    mbarrier_arrive(empty[place.stage]);
  }
  // Called by all lanes of a warp, which count as one arrival.
  __device__ __forceinline__ void release_reads(const Place<kStages>& place) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x % 32 == 0) release(place);
  }
};
