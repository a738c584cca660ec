// Copies of rows, or of pieces of them, from global to shared memory by the copy engine: multiples
// of 16 bytes between addresses that are. An SM gets through one in about 50 clocks, whatever its
// length, in which memory brings 1 KiB: rows are copied in pieces of 1 KiB and more. Requires
// compute capability 9.0.
#pragma once

#include "mbarrier.cuh"
#include "weights.cuh"

__device__ __forceinline__ void copy_bulk(void* to, const void* from, u32 bytes,
                                          Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
          "r"(shared_address(to)),
      "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&barrier))
      : "memory");
}

template <L2Hint kHint>
__device__ __forceinline__ void copy_weights(void* to, const void* from, u32 bytes,
                                             Mbarrier& barrier) {
  if constexpr (kHint == L2Hint::evict_first)
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
        "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(to)),
        "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(shared_address(&barrier)),
        "l"(evict_first_policy())
        : "memory");
  else
    copy_bulk(to, from, bytes, barrier);
}
