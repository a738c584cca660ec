// Elements of the cache and how tensor cores get them.
//
// Elements of 16 bits are operands as they are. Those of 8 bits become f16, which holds all of
// them exactly: i8 by putting the byte, moved to 0 to 255, below the exponent of 1024 and
// subtracting 1024 + 128, which makes two elements of a word in 2.5 instructions; e4m3 by an
// instruction of its own. Their scales never touch them: a key's is a factor of its score, a
// value's of its weight.
//
// A word of a fragment that ldmatrix reads holds four bytes where it would hold two numbers of 16
// bits, and becomes two words of f16. Which columns of k they stand for does not matter to a sum
// over them as long as the other operand has the same (warp_tile.cuh says which).
#pragma once

#include "operands.cuh"

// 4 bits of exponent, 3 of mantissa; no infinities.
struct e4m3 {
  u8 bits;
};

__device__ __forceinline__ float to_float(i8 value) { return static_cast<float>(value); }

// A pair of e4m3, the first in the lower byte, to a pair of f16.
__device__ __forceinline__ void unpack_e4m3(u32 word, u32& lower, u32& upper) {
  asm("{\n\t.reg .b16 l, h;\n\tmov.b32 {l, h}, %2;\n\tcvt.rn.f16x2.e4m3x2 %0, l;\n\t"
      "cvt.rn.f16x2.e4m3x2 %1, h;\n\t}"
      : "=r"(lower), "=r"(upper)
      : "r"(word));
}

__device__ __forceinline__ float to_float(e4m3 value) {
  u32 pair, rest;
  unpack_e4m3(value.bits, pair, rest);
  return to_float(f16{static_cast<u16>(pair)});
}

// Bytes 0 and 1 to `lower`, 2 and 3 to `upper`; with kAlternate 0 and 2, 1 and 3.
template <typename Cache, bool kAlternate>
__device__ __forceinline__ void widen(u32 word, u32& lower, u32& upper);

template <bool kAlternate>
__device__ __forceinline__ void widen_i8(u32 word, u32& lower, u32& upper) {
  const u32 moved = word ^ 0x80808080u;
  lower = __byte_perm(moved, 0x64646464u, kAlternate ? 0x4240 : 0x4140);
  upper = __byte_perm(moved, 0x64646464u, kAlternate ? 0x4341 : 0x4342);
  asm("sub.rn.f16x2 %0, %0, %1;" : "+r"(lower) : "r"(0x64806480u));
  asm("sub.rn.f16x2 %0, %0, %1;" : "+r"(upper) : "r"(0x64806480u));
}
template <bool kAlternate>
__device__ __forceinline__ void widen_e4m3(u32 word, u32& lower, u32& upper) {
  unpack_e4m3(kAlternate ? __byte_perm(word, 0, 0x3120) : word, lower, upper);
}
template <>
__device__ __forceinline__ void widen<i8, false>(u32 word, u32& lower, u32& upper) {
  widen_i8<false>(word, lower, upper);
}
template <>
__device__ __forceinline__ void widen<i8, true>(u32 word, u32& lower, u32& upper) {
  widen_i8<true>(word, lower, upper);
}
template <>
__device__ __forceinline__ void widen<e4m3, false>(u32 word, u32& lower, u32& upper) {
  widen_e4m3<false>(word, lower, upper);
}
template <>
__device__ __forceinline__ void widen<e4m3, true>(u32 word, u32& lower, u32& upper) {
  widen_e4m3<true>(word, lower, upper);
}

// The policy of L2 for the cache, which is read once. evict_first: its lines evict each other
// instead of lines that other kernels have left there and that need not go to memory meanwhile.
// This saves 5 % for a cache of 134 MB on an H100, and nothing for a larger one.
enum class L2Hint { none, evict_first };

__device__ __forceinline__ u64 evict_first_policy() {
  u64 policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

// cp.async: kBytes (4 or 16) from global to shared memory, or zeros where there is nothing to read;
// `from` must be readable all the same. A hint is for 16 bytes.
template <int kBytes, L2Hint kHint = L2Hint::none>
__device__ __forceinline__ void copy_async(u32 to, const void* from, bool exists) {
  static_assert(kBytes == 16 || kHint == L2Hint::none);
  if constexpr (kHint == L2Hint::evict_first)
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2, %3;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(exists ? 16 : 0),
                 "l"(evict_first_policy())
                 : "memory");
  else if constexpr (kBytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(exists ? 16 : 0)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to),
                 "l"(__cvta_generic_to_global(from)), "r"(exists ? 4 : 0)
                 : "memory");
}
