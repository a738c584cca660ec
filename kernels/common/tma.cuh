// The tensor memory accelerator: one thread starts the copy of a whole tile from global to shared
// memory.
//
// A tile comes by a TensorMap, which the contract describes and the tuner encodes; the kernel takes
// it as `const __grid_constant__ TensorMap`. Coordinates are innermost first. Elements outside the
// array arrive as zeros, and their bytes count like all others. The barrier's phase ends when all
// bytes of the box have arrived, provided that they were expected (mbarrier_expect). Shared memory
// that threads have read or written may be the target once each of them has executed
// fence.proxy.async and then arrived at a barrier on which the thread that starts the copy has
// waited; reads by wgmma need no fence. Requires compute capability 9.0.
#pragma once

#include "mbarrier.cuh"

// CUtensorMap: NVRTC has no cuda.h.
struct alignas(64) TensorMap {
  unsigned char bytes[128];
};

// Hides the latency of the first copy's descriptor.
__device__ __forceinline__ void tma_prefetch(const TensorMap& map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

__device__ __forceinline__ void tma_load_4d(void* to, const TensorMap& map, int x, int y, int z,
                                            int w, Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(shared_address(&barrier))
      : "memory");
}

// With a policy for L2, as createpolicy makes it.
__device__ __forceinline__ void tma_load_4d(void* to, const TensorMap& map, int x, int y, int z,
                                            int w, Mbarrier& barrier, u64 policy) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
      "[%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(shared_address(&barrier)), "l"(policy)
      : "memory");
}

__device__ __forceinline__ void tma_load_5d(void* to, const TensorMap& map, int x, int y, int z,
                                            int w, int v, Mbarrier& barrier) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(shared_address(to)),
      "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(v), "r"(shared_address(&barrier))
      : "memory");
}

// The place of byte `byte` of row `row` in a tile whose rows are kSpan bytes long and swizzled by
// kSpan (32, 64 or 128), or of kSpan bytes without swizzle (kSwizzle 0): the copy engine exchanges
// pieces of 16 bytes within a span by the address bits from 7 on, so that the same piece of
// neighbouring rows lies in different banks. The tile starts at a multiple of 1024.
template <int kSpan, int kSwizzle>
__device__ __forceinline__ u32 swizzled_offset(u32 row, u32 byte) {
  const u32 offset = row * kSpan + byte;
  if constexpr (kSwizzle == 0)
    return offset;
  else
    return offset ^ ((offset >> 7 & (kSwizzle / 16 - 1)) << 4);
}
