// Gating activations for kernels that stream at memory speed, and the gated product out = act(g) *
// u.
//
// Two of them are g times a logistic function, and the logistic costs two special-function
// instructions, ex2 and rcp:
//   silu(g)       = g / (1 + e^-g)
//   gelu_tanh(g)  = 0.5 g (1 + tanh y) = g / (1 + e^-2y),   y = sqrt(2/pi) (g + 0.044715 g^3)
// The right-hand form of GELU needs no tanh and does not cancel for negative g, where 1 + tanh y
// has no digits left. The third costs the same two and eight more multiplications:
//   gelu_erf(g)   = g P(g),   P(g) = (1 + erf(g / sqrt(2))) / 2, the normal distribution
//
// No finite g gives NaN. If e^-t overflows, 1/(1 + inf) is 0 and the result is -0, the limit. The
// relative error is below 2e-5 (from rounding the exponent, which is largest there), except that
// |act(g)| < 1.1e-36 may become 0.
#pragma once

#include "packet.cuh"
#include "types.cuh"

// 1 / (1 + 2^exponent): callers fold log2(e) and the sign into the exponent, which saves two
// multiplications.
__device__ __forceinline__ float logistic_exp2(float exponent) {
  return reciprocal_approx(1.0f + exp2_approx(exponent));
}

// The contract's names, so that -DACTIVATION=silu names one of them.
enum class Activation { silu, gelu_tanh, gelu_erf };

// P(-t) for t >= 0, with a relative error that grows with t, as rounding the exponent does.
//
// P(-t) = q 2^(f(q) - t^2 log2(e) / 2) with q = 1 / (1 + 0.27 t), where f is smooth on (0, 1]: as t
// grows, P(-t) e^(t^2/2) falls like 1/t, which q does as well. The polynomial interpolates f at the
// Chebyshev nodes of 0 <= t <= 13.6, beyond which P(-t) is not a normal f32; its error there is
// 3.2e-6 in the exponent.
__device__ __forceinline__ float normal_tail(float t) {
  const float q = reciprocal_approx(fmaf(0.27f, t, 1.0f));
  float f = 0.409946769f;
  f = fmaf(f, q, -1.41204095f);
  f = fmaf(f, q, 1.4246707f);
  f = fmaf(f, q, -0.447181195f);
  f = fmaf(f, q, 0.827170312f);
  f = fmaf(f, q, 1.41009974f);
  f = fmaf(f, q, -3.21266222f);
  return q * exp2_approx(fmaf(t * t, -0.5f * kLog2E, f));
}

template <Activation kActivation>
__device__ __forceinline__ float activate(float g) {
  if constexpr (kActivation == Activation::silu) {
    return g * logistic_exp2(-kLog2E * g);
  } else if constexpr (kActivation == Activation::gelu_erf) {
    // P(g) = 1 - P(-g): nothing cancels, since what is subtracted is at most one half.
    const float part = g * normal_tail(fabsf(g));
    return g < 0.0f ? part : g - part;
  } else {
    constexpr float kLinear = -2.0f * kLog2E * 0.7978845608028654f;
    constexpr float kCubic = kLinear * 0.044715f;
    // g * g overflows to +inf from 1.8e19 on; the exponent is then -inf or +inf, which is right for
    // either sign.
    return g * logistic_exp2(g * (kLinear + kCubic * (g * g)));
  }
}

// act(g) before u: |act(g)| <= |g|, so nothing overflows on the way to a result that does not.
template <Activation kActivation>
__device__ __forceinline__ float gated(float g, float u) {
  return activate<kActivation>(g) * u;
}

// The same for every element of two packets.
template <Activation kActivation, typename T, int Bytes>
__device__ __forceinline__ Packet<T, Bytes> gated(Packet<T, Bytes> g, Packet<T, Bytes> u) {
  constexpr int kElements = Packet<T, Bytes>::kElements;
  float gates[kElements], values[kElements];
  g.unpack(gates);
  u.unpack(values);
#pragma unroll
  for (int i = 0; i < kElements; ++i) values[i] = gated<kActivation>(gates[i], values[i]);
  return Packet<T, Bytes>::pack(values);
}
