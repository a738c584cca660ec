// Random bits from a counter: Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel Random
// Numbers: As Easy as 1, 2, 3", SC 2011), the generator behind cuRAND's and PyTorch's of that name.
//
// The same key and counter give the same bits on every device and in any order of threads, so that
// a draw is a function of what it is for: no state is kept or advanced.
#pragma once

#include "types.cuh"

// 128 bits for a counter of 128 bits and a key of 64.
__device__ __forceinline__ uint4 philox4x32(uint4 counter, uint2 key) {
  constexpr u32 kFirst = 0xd2511f53u, kSecond = 0xcd9e8d57u;
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    counter = make_uint4(__umulhi(kSecond, counter.z) ^ counter.y ^ key.x, kSecond * counter.z,
                         __umulhi(kFirst, counter.x) ^ counter.w ^ key.y, kFirst * counter.x);
    key = make_uint2(key.x + 0x9e3779b9u, key.y + 0xbb67ae85u);
  }
  return counter;
}

// The first 64 of them, for a counter of two numbers.
__device__ __forceinline__ u64 philox_bits(u64 key, u64 low, u64 high) {
  const auto lower = [](u64 number) { return static_cast<u32>(number); };
  const auto upper = [](u64 number) { return static_cast<u32>(number >> 32); };
  const uint4 bits = philox4x32(make_uint4(lower(low), upper(low), lower(high), upper(high)),
                                make_uint2(lower(key), upper(key)));
  return static_cast<u64>(bits.y) << 32 | bits.x;
}
