// Attention by plain phases, for any GPU with tensor cores for bf16: out = softmax(q k^T / sqrt(d))
// v. The baseline, and the place to start reading: every step of flash attention is here once, and
// nothing overlaps.
//
// Algorithm (FlashAttention: Dao et al., 2022). A block has TILE_Q rows of q of one head in shared
// memory and goes through the keys that they see, TILE_KV at a time. Between two __syncthreads()
// the whole block does one thing:
//   load      the tile of K, all threads, 16 bytes each
//   scores    S = Q K^T by wmma, into shared memory
//   softmax   P = 2^(S - maximum), rounded to 16 bits; a larger maximum rescales the row's outputs
//             and sum so far. The tile of V comes meanwhile, in place of that of K
//   outputs   O += P V by wmma; O is in shared memory too
// and at the end O / sum is written. The scores of a row never exist all at once, so shared memory
// does not grow with the keys. Fragments of wmma have no known layout, hence the detours through
// shared memory: scores and outputs go there and back for every tile, and that is what takes most
// of the time.
//
// Tunables:
//   TILE_Q   rows of q of a block. More reuse K and V more often: a tile of 64 rows does 64
//            operations per byte of K and V
//   TILE_KV  keys of a tile. More are fewer barriers and rescalings, but fewer blocks fit on an SM
//   WARPS    of a block. More hide the latency of shared memory, but reload the same fragments
//
// Requires: compute capability 8.0, TILE_Q and TILE_KV multiples of 16, q, k and v aligned to 16
// bytes.
//
// Next idea: with the known layouts of mma.cuh, scores, probabilities and outputs could stay in
// registers; asynchronous copies could bring the next tile while this one is worked on.
#include "defaults.cuh"
#include "phases.cuh"
#include "scaling.cuh"
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
//   q         [batch, heads, q_len, d] of dtype
//   k, v      [batch, kv_heads, kv_len, d] of dtype
//   out       [batch, heads, q_len, d] of dtype, written
//   heads     heads of q
//   kv_heads  heads of k and v
//   q_len     rows of q in a head
//   kv_len    keys in a head
//   causal    1 if a row sees only the keys up to its own position, otherwise 0
//   scale     of the scores, in units of log2: log2(e) / sqrt(d)
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    attention_wmma(const Element* __restrict__ q, const Element* __restrict__ k,
                   const Element* __restrict__ v, Element* __restrict__ out, int heads,
                   int kv_heads, int q_len, int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  attend_by_phases(*reinterpret_cast<Shared*>(dynamic), q, k, v, out,
                   Shape{heads, kv_heads, q_len, kv_len, causal != 0}, UniformScaling{scale});
}
