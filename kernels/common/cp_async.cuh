// Copies from global to shared memory that pass no register and complete in groups: cp.async.
//
// A thread's copies since its last commit are a group; its groups complete in order. A thread sees
// what it has copied itself after its wait, what others have copied after their waits and a
// barrier. Commit an empty group where there is nothing to copy, so that a wait always leaves the
// same number.
//
// Requires: compute capability 8.0.
#pragma once

#include "types.cuh"

// kBytes (4 or 16) to shared address `to`, or zeros where `exists` is false; `from` is an address
// of global memory even then. Both are multiples of kBytes.
template <int kBytes = 16>
__device__ __forceinline__ void copy_async(u32 to, const void* from, bool exists) {
  static_assert(kBytes == 4 || kBytes == 16);
  if constexpr (kBytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(exists ? 16 : 0)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(exists ? 4 : 0)
                 : "memory");
}

__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Until at most kLeft groups of this thread are under way.
template <int kLeft>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}
