// Scaling of queries by position, one element per thread: out = q * s(position). The baseline.
//
// Algorithm: thread i has element i, whose token is i / width: a division of some twenty
// instructions, a load of the position that waits for it, and a logarithm, for two bytes of q.
//
// Tunables:
//   THREADS  only groups elements into blocks
//
// Requires: 0 <= position < 2^24 - 1; fewer than 2^31 elements, at any alignment.
//
// Next idea: 16 bytes per access, so that eight elements share all that: flat.cu.
#include "defaults.cuh"
#include "irope.cuh"
#include "types.cuh"

using T = DTYPE;
constexpr int kThreads = THREADS;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q            [tokens, heads, d] of dtype
//   positions    [tokens] of i32
//   out          [tokens, heads, d] of dtype, written
//   tokens       tokens of all sequences
//   width        elements of a token, heads*d
//   floor_scale  positions between two steps of the factor
//   attn_scale   how much the logarithm counts
extern "C" __global__ void __launch_bounds__(kThreads)
    irope_scale(const T* __restrict__ q, const i32* __restrict__ positions, T* __restrict__ out,
                int tokens, int width, float floor_scale, float attn_scale) {
  const u32 element = blockIdx.x * kThreads + threadIdx.x;
  const u32 token = element / static_cast<u32>(width);
  if (token >= static_cast<u32>(tokens)) return;
  const float factor = irope_factor(positions[token], floor_scale, attn_scale);
  out[element] = from_float<T>(to_float(q[element]) * factor);
}
