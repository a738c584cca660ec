// Attention with rows scaled by position, by plain phases: out = softmax(s q k^T / sqrt(d)) v. The
// baseline.
//
// Algorithm: attention_prefill's wmma.cu, which is the place to read (phases.cuh); the softmax
// scale of a row is multiplied by the factor of its position (irope_scaling.cuh).
//
// Tunables:
//   TILE_Q   rows of q of a block. More reuse K and V more often
//   TILE_KV  keys of a tile. More are fewer barriers and rescalings, but fewer blocks fit on an SM
//   WARPS    of a block. More hide the latency of shared memory, but reload the same fragments
//
// Requires: compute capability 8.0, TILE_Q and TILE_KV multiples of 16, q, k and v aligned to 16
// bytes, 0 <= position < 2^24 - 1.
//
// Next idea: tma.cu, with roles for warps and scores in registers.
#include "defaults.cuh"
#include "irope_scaling.cuh"
#include "phases.cuh"
#include "tiles.cuh"
#include "types.cuh"

using Element = DTYPE;
constexpr int kD = HEAD_DIM;
constexpr int kRows = TILE_Q;
constexpr int kKeys = TILE_KV;
constexpr int kWarps = WARPS;
constexpr int kThreads = 32 * kWarps;

// The choices that shape a block, in the form in which phases.cuh takes them.
struct Config {
  using Element = ::Element;
  static constexpr int kD = ::kD, kRows = ::kRows, kKeys = ::kKeys, kWarps = ::kWarps;
};

using Shared = PhasesShared<Config>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// At least one block per SM: without the bound ptxas spills to reach an occupancy that shared
// memory does not allow.
//
// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q            [batch, heads, q_len, d] of dtype
//   k, v         [batch, kv_heads, kv_len, d] of dtype
//   out          [batch, heads, q_len, d] of dtype, written
//   heads        heads of q
//   kv_heads     heads of k and v
//   q_len        rows of q in a head
//   kv_len       keys in a head
//   causal       1 if a row sees only the keys up to its own position, otherwise 0
//   scale        of the scores before the factor, in units of log2: log2(e) / sqrt(d)
//   positions    [q_len] of i32
//   floor_scale  positions between two steps of the factor
//   attn_scale   how much the logarithm counts
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    sdpa_irope_wmma(const Element* __restrict__ q, const Element* __restrict__ k,
                    const Element* __restrict__ v, Element* __restrict__ out, int heads,
                    int kv_heads, int q_len, int kv_len, int causal, float scale,
                    const i32* __restrict__ positions, float floor_scale, float attn_scale) {
  extern __shared__ u8 dynamic[];
  attend_by_phases(*reinterpret_cast<Shared*>(dynamic), q, k, v, out,
                   Shape{heads, kv_heads, q_len, kv_len, causal != 0},
                   IropeScaling{scale, positions, floor_scale, attn_scale});
}
