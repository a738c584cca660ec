// The factor that models with interleaved position embeddings (iRoPE; Llama 4) put on the queries
// of their layers without any, so that attention over very long contexts stays sharp:
//
//     s(p) = log1p(floor((p + 1) / floor_scale)) * attn_scale + 1
//
// With floor_scale 8192 and attn_scale 0.1, as in those models, s is 1 up to position 8190, 1.069
// from 8191 on and 1.28 at 131071.
#pragma once

#include "types.cuh"

// Of 0 <= position < 2^24 - 1, which f32 counts exactly. The quotient's floor is exact for any
// floor_scale that is an f32: a product with the reciprocal may land on the wrong side of a step,
// and the remainder, by one fused operation that cannot cancel wrongly, says so. A division would
// be twenty instructions and a branch. lg2.approx is off by 2^-22 of its result or of 1, which the
// factor attn_scale * ln 2 makes 2e-8 of s; lg2(1) is 0, so s is exactly 1 on the first step.
__device__ __forceinline__ float irope_factor(i32 position, float floor_scale, float attn_scale) {
  constexpr float kLn2 = 0.693147180559945f;
  const float count = static_cast<float>(position + 1);
  float steps = floorf(count * reciprocal_approx(floor_scale));
  const float rest = fmaf(-steps, floor_scale, count);
  if (rest < 0) steps -= 1;
  if (rest >= floor_scale) steps += 1;
  float log2_of;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2_of) : "f"(1 + steps));
  return fmaf(log2_of * kLn2, attn_scale, 1.0f);
}
