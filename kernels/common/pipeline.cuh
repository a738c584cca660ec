// A ring of tiles in shared memory between warps that order copies and warps that use them.
//
//   producer                                      consumers
//   ring.acquire(place)    waits until it is free     ring.wait(place)      waits until the bytes are there
//   mbarrier_expect(ring.full[place.stage], bytes)    ... read the tile
//   tma_load_...(..., ring.full[place.stage])         ring.release(place)   one arrival of `consumers` in all
//   ++place                                           ++place
//
// Reads by wgmma are over when wgmma_wait says so. Ordinary loads and ldmatrix may still be under way when a barrier is told
// that they are done, and the copy engine, to which no ordinary order applies, overwrites what they were to read. An H200
// does that with two blocks on an SM. So warps that read in this way call release_reads() instead, all lanes of them.
//
// Each side walks the ring with a Place of its own: the stage, and the parity of the phase that it waits for. The
// producer's first round finds every stage free, because it waits for the phase before the first.
// Invariant: tiles are taken in the order in which they were ordered, and every tile is released.
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

  // By one thread, before mbarrier_publish(). `consumers` arrivals free a stage.
  __device__ __forceinline__ void init(u32 consumers) {
    for (int stage = 0; stage < kStages; ++stage) {
      mbarrier_init(full[stage], 1);
      mbarrier_init(empty[stage], consumers);
    }
  }
  __device__ __forceinline__ void acquire(const Place<kStages>& place) {
    mbarrier_wait(empty[place.stage], place.parity ^ 1);
  }
  __device__ __forceinline__ void wait(const Place<kStages>& place) { mbarrier_wait(full[place.stage], place.parity); }
  __device__ __forceinline__ void release(const Place<kStages>& place) { mbarrier_arrive(empty[place.stage]); }
  // By all lanes of a warp, which count as one arrival.
  __device__ __forceinline__ void release_reads(const Place<kStages>& place) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x % 32 == 0) release(place);
  }
};
