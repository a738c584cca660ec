// The common part of the variants of kv_append: the place of a token, its angles, and the
// quantisation of a row.
#pragma once

#include "packet.cuh"
#include "types.cuh"
#include "warp.cuh"

struct e4m3 {
  u8 bits;
};

enum class Rope { none, halves, interleaved };
enum class Angles { table, computed };

// The kind and place of a row of a token. Rows are numbered k first, then v, then q.
struct Row {
  bool is_q, is_v;
  int head;

  __device__ __forceinline__ Row(int slot, int kv_heads)
      : is_q(slot >= 2 * kv_heads),
        is_v(!is_q && slot >= kv_heads),
        head(slot - (is_q   ? 2 * kv_heads
                     : is_v ? kv_heads
                            : 0)) {}
};

// The place of a position, counted over the whole cache. Page sizes are powers of two and
// constants: no division.
template <int Page>
__device__ __forceinline__ i64 place_of(int position, int sequence, int capacity,
                                        const i32* __restrict__ page_table) {
  if constexpr (Page == 0) return static_cast<i64>(sequence) * capacity + position;
  const u32 at = static_cast<u32>(position);
  const int pages = static_cast<int>(static_cast<u32>(capacity) / (Page == 0 ? 1 : Page));
  const int page =
      __ldg(page_table + static_cast<i64>(sequence) * pages + at / (Page == 0 ? 1 : Page));
  return static_cast<i64>(page) * Page + at % (Page == 0 ? 1 : Page);
}

// Sine and cosine of position * turn full turns, turn in units of 2^-64. The product is exact
// modulo a turn, at any position, which no angle in f32 is from a hundred turns on. The
// instructions are good to 6.7e-7 within half a turn to either side.
__device__ __forceinline__ void sine_cosine(u64 turn, int position, float& sine, float& cosine) {
  const u64 phase = turn * static_cast<u64>(position);
  constexpr float kUnit = 6.283185307179586f / 4294967296.0f;
  const float angle = static_cast<float>(static_cast<i32>(phase >> 32)) * kUnit;
  asm("sin.approx.f32 %0, %1;" : "=f"(sine) : "f"(angle));
  asm("cos.approx.f32 %0, %1;" : "=f"(cosine) : "f"(angle));
}

__device__ __forceinline__ void turn_pair(float& first, float& second, float sine, float cosine) {
  const float a = first, b = second;
  first = a * cosine - b * sine;
  second = b * cosine + a * sine;
}

template <typename Cache>
constexpr bool kQuantised = false;
template <>
inline constexpr bool kQuantised<i8> = true;
template <>
inline constexpr bool kQuantised<e4m3> = true;

template <typename Cache>
constexpr float kLimit = 448.0f;
template <>
inline constexpr float kLimit<i8> = 127.0f;

// Makes element * limit / amax of a row's elements, to the bit where they were not rotated: halves
// between integers stay what they are, as half of the largest does, whose quotient is 63.5. A
// product with the reciprocal alone would move them, and a division for each element takes a
// quarter of a microsecond in all.
//
// element * limit has 15 or 18 bits and is exact. The remainder of the product with the reciprocal
// is exact too (it is a few units in the last place of 24 bits by 11), and its quotient corrects
// the last place; numbers that are not halves are farther from them than any error here. Tiny rows
// are scaled by a power of two, so that the reciprocal is a number. A row of zeros and NaN divides
// by 1.
template <typename Cache>
struct Quantiser {
  float factor, divisor, inverse;

  __device__ __forceinline__ explicit Quantiser(float amax) {
    constexpr float kTiny = 7.888609052210118e-31f;   // 2^-100
    constexpr float kLift = 1.2676506002282294e+30f;  // 2^100
    const bool tiny = amax < kTiny;
    factor = tiny ? kLimit<Cache> * kLift : kLimit<Cache>;
    divisor = amax > 0.0f ? (tiny ? amax * kLift : amax) : 1.0f;
    inverse = __frcp_rn(divisor);
  }
  __device__ __forceinline__ float quotient(float element) const {
    const float product = element * factor, near = product * inverse;
    return fmaf(fmaf(-near, divisor, product), inverse, near);
  }
  // Two elements as they are kept, the first in the lower byte; NaN is 0 in i8.
  __device__ __forceinline__ u16 pair(float first, float second) const {
    const float low = quotient(first), high = quotient(second);
    u16 kept;
    if constexpr (kLimit<Cache> == kLimit<i8>)
      kept = static_cast<u16>((__float2int_rn(low) & 255) | (__float2int_rn(high) & 255) << 8);
    else
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(kept) : "f"(high), "f"(low));
    return kept;
  }
};

// An element as the cache keeps it, which is `exact` in one that is not quantised.
template <typename Cache, typename T>
__device__ __forceinline__ Cache kept_element(T exact, float value,
                                              const Quantiser<Cache>& quantiser) {
  if constexpr (kQuantised<Cache>) {
    return __builtin_bit_cast(Cache, static_cast<u8>(quantiser.pair(value, 0.0f)));
  } else {
    return exact;
  }
}
