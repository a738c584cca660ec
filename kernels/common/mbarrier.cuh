// Barriers in shared memory that count arrivals and bytes: how Hopper's copy engine tells threads
// that a tile has arrived.
//
// A barrier goes through phases 0, 1, 2, ... A phase ends when `count` threads have arrived and all
// the bytes that were expected have come. A wait names the parity of the phase that must be over,
// so a waiter may lag by one phase, never by two. Waiting for parity 1 of a new barrier returns at
// once: the phase before the first counts as over.
//
// Order of use: one thread calls mbarrier_init() for each barrier and then mbarrier_publish();
// after __syncthreads() every thread may use them. Arriving releases what the thread wrote, waiting
// acquires it. Requires compute capability 9.0.
#pragma once

#include "types.cuh"

using Mbarrier = u64;  // in shared memory, aligned to 8

__device__ __forceinline__ u32 shared_address(const void* pointer) {
  return static_cast<u32>(__cvta_generic_to_shared(pointer));
}

__device__ __forceinline__ void mbarrier_init(Mbarrier& barrier, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&barrier)), "r"(count)
               : "memory");
}

// Makes initialised barriers visible to the copy engine.
__device__ __forceinline__ void mbarrier_publish() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(Mbarrier& barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&barrier))
               : "memory");
}

// Arrives, and extends the phase until `bytes` more have been copied.
__device__ __forceinline__ void mbarrier_expect(Mbarrier& barrier, u32 bytes) {
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&barrier)),
      "r"(bytes)
      : "memory");
}

__device__ __forceinline__ bool mbarrier_try_wait(Mbarrier& barrier, u32 parity) {
  u32 over;
  asm volatile(
      "{\n\t.reg .pred over;\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n\t"
      "selp.u32 %0, 1, 0, over;\n\t}"
      : "=r"(over)
      : "r"(shared_address(&barrier)), "r"(parity)
      : "memory");
  return over != 0;
}

__device__ __forceinline__ void mbarrier_wait(Mbarrier& barrier, u32 parity) {
  while (!mbarrier_try_wait(barrier, parity)) {
  }
}
