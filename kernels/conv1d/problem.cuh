// The parts of a convolution over time, for all variants: its sizes, the places of elements in
// either layout, sums of f32 that stay accurate, and the activation.
//
// Channels first is torch's layout: x [batch][c_in][length], w [c_out][c_in][width]. Channels last:
// x [batch][length][c_in], w [width][c_out][c_in], so that both operands of the matrix product that
// a tap is have rows along c_in.
#pragma once

#include "types.cuh"

enum class Order { channels_first, channels_last };
enum class Function { none, gelu };

struct Sizes {
  int batch, c_in, c_out, length, t_out, width, stride, pad;
};

template <Order kOrder>
__device__ __forceinline__ i64 x_index(const Sizes& sizes, int b, int channel, int time) {
  if constexpr (kOrder == Order::channels_first)
    return (static_cast<i64>(b) * sizes.c_in + channel) * sizes.length + time;
  else
    return (static_cast<i64>(b) * sizes.length + time) * sizes.c_in + channel;
}
template <Order kOrder>
__device__ __forceinline__ i64 w_index(const Sizes& sizes, int co, int ci, int tap) {
  if constexpr (kOrder == Order::channels_first)
    return (static_cast<i64>(co) * sizes.c_in + ci) * sizes.width + tap;
  else
    return (static_cast<i64>(tap) * sizes.c_out + co) * sizes.c_in + ci;
}
template <Order kOrder>
__device__ __forceinline__ i64 out_index(const Sizes& sizes, int b, int co, int t) {
  if constexpr (kOrder == Order::channels_first)
    return (static_cast<i64>(b) * sizes.c_out + co) * sizes.t_out + t;
  else
    return (static_cast<i64>(b) * sizes.t_out + t) * sizes.c_out + co;
}

// A long sum of f32. A chain of n additions is off by about u*sqrt(n)/2.4 of the sum's own size,
// 1.5e-6 for the 3840 products of 1280 channels. Here chains of at most 14 products are added up
// with Kahan's correction, which leaves the error of the chains, 1e-7. Results of 16 bits need none
// of it.
template <bool kCorrected>
struct LongSum {
  float total = 0, lost = 0;
  __device__ __forceinline__ void add(float part) {
    if constexpr (kCorrected) {
      const float wanted = part - lost, sum = total + wanted;
      lost = (sum - total) - wanted;
      total = sum;
    } else {
      total += part;
    }
  }
};

// GELU in the form with the error function, as torch has it by default: x/2 * (1 + erf(x/sqrt(2))).
// erff() serves f32. For results of 16 bits a polynomial is enough: it is off by at most 1e-5
// and needs 17 instructions of the FMA pipe. erff() takes about twice the number, some on the
// special function unit, and that shows: the 3.8 million outputs of 80 channels are 29,000 to an
// SM, which calculates their products in 2,300 clocks.
template <typename Element, Function kFunction>
__device__ __forceinline__ float activated(float x) {
  if constexpr (kFunction == Function::none) {
    return x;
  } else if constexpr (sizeof(Element) == 4) {
    return 0.5f * x * (1.0f + erff(x * 0.70710678f));
  } else {
    // erf(x/sqrt(2)) = x * p(x^2) with p fitted over the squares up to 4.6^2 in the variable that
    // runs from -1 to 1 there (powers of x^2 itself cancel, and lose 1e-5 in f32), and scaled so
    // that it ends at 1; beyond it stays there.
    const float inner = fminf(fmaxf(x, -4.6f), 4.6f);
    const float t = inner * inner * 0.0945179611f - 1.0f;
    float p = 0.00215418474f;
    p = p * t - 0.00573955663f;
    p = p * t + 0.00718670245f;
    p = p * t - 0.0119247502f;
    p = p * t + 0.0244274642f;
    p = p * t - 0.0402910747f;
    p = p * t + 0.0584614836f;
    p = p * t - 0.0807483271f;
    p = p * t + 0.108316623f;
    p = p * t - 0.15153864f;
    p = p * t + 0.307087213f;
    const float half = 0.5f * x;
    return half + half * (inner * p);
  }
}
