// Loads whose lines L2 is to evict last.
//
// For inputs that are read once, with outputs of about their size: the lines of the outputs go to
// memory sooner then, one after the other, instead of all at once when L2 is full of them. This
// saves 1 % of a large norm on an H100. Kept lines take room from the next kernel, and outlast the
// overwriting of L2 between two samples of a benchmark: a benchmark of such loads has to reset the
// lines (cuCtxResetPersistingL2Cache), as Warpwright does.
#pragma once

#include "packet.cuh"
#include "types.cuh"

// Tunables name these values (-DL2_HINT=keep).
enum class L2Hint { none, keep };

__device__ __forceinline__ u64 keep_policy() {
  u64 policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

__device__ __forceinline__ uint4 load_kept(const uint4* from, u64 policy) {
  uint4 value;
  asm volatile("ld.global.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(__cvta_generic_to_global(from)), "l"(policy));
  return value;
}

// Packet `index` of an array, all bits zero where there is none.
template <typename T, int Bytes>
__device__ __forceinline__ Packet<T, Bytes> load_kept_if(bool exists, const T* __restrict__ array,
                                                         i64 index, u64 policy) {
  static_assert(Bytes == 16, "lines are kept by accesses of 16 bytes");
  Packet<T, Bytes> packet{};
  if (exists) packet.storage = load_kept(reinterpret_cast<const uint4*>(array) + index, policy);
  return packet;
}
