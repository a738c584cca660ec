// Number types of the contracts under the names that kernel.yaml uses, so that -DDTYPE=bf16 names a
// C++ type.
//
// f32 and f64 are the built-in types. f16 and bf16 are storage only: load them, to_float() them,
// compute in f32, and from_float<T>() the result (round to nearest even). They are own structs
// because cuda_fp16.h and cuda_bf16.h cost 10-20 ms of every NVRTC compile and a kernel here needs
// only the two conversions.
#pragma once

// NVRTC has no <stdint.h>, hence the `using`s; other compilers of these files have one.
#ifdef __CUDACC_RTC__
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
#else
#include <stdint.h>
#endif

using f32 = float;
using f64 = double;
using i8 = int8_t;
using u8 = uint8_t;
using i16 = int16_t;
using u16 = uint16_t;
using i32 = int32_t;
using u32 = uint32_t;
// Not int64_t: PTX-level intrinsics and atomics take `long long`, which <stdint.h> may spell
// `long`.
using i64 = long long;
using u64 = unsigned long long;

// A bf16 is the upper half of an f32.
struct alignas(2) bf16 {
  u16 bits;
};

struct alignas(2) f16 {
  u16 bits;
};

constexpr float kInfinity = __builtin_bit_cast(float, 0x7f800000u);
constexpr float kLowestFloat = -3.402823466e+38f;  // the most negative finite f32
constexpr float kLog2E = 1.4426950408889634f;      // exp(x) = exp2(x * kLog2E)

__device__ __forceinline__ float to_float(float value) { return value; }

__device__ __forceinline__ float to_float(bf16 value) {
  return __uint_as_float(static_cast<u32>(value.bits) << 16);
}

__device__ __forceinline__ float to_float(f16 value) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
}

// from_float<T>(x): x rounded to nearest even in T.
template <typename T>
__device__ __forceinline__ T from_float(float value);

template <>
__device__ __forceinline__ float from_float<float>(float value) {
  return value;
}

template <>
__device__ __forceinline__ bf16 from_float<bf16>(float value) {
  bf16 narrow;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
  return narrow;
}

template <>
__device__ __forceinline__ f16 from_float<f16>(float value) {
  f16 narrow;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
  return narrow;
}

// 2^x in one instruction (2 ulp; results below 2^-126 become 0). exp2f() spends three more on that
// last range. exp2_approx(-inf) is 0, exp2_approx(0) is exactly 1.
__device__ __forceinline__ float exp2_approx(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

// 1/x in one instruction (1 ulp).
__device__ __forceinline__ float reciprocal_approx(float x) {
  float reciprocal;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(reciprocal) : "f"(x));
  return reciprocal;
}
