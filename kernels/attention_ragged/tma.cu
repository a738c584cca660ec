// Attention of packed sequences, out = softmax(q k^T / sqrt(d)) v: tiles by TMA, products by
// mma.sync, rows owned by warps.
//
// Algorithm: that of attention_prefill's tma.cu with SCORES=registers (own_rows.cuh), on sequences
// that lie one behind the other as FlashAttention's varlen interface has them. A block has TILE_Q
// rows of one head of one sequence; the grid is made for the longest, and blocks of shorter ones
// that have no rows end at once. The maps of q, k and v see all sequences as one array of rows: a
// tile begins at any of them (packed_block.cuh).
//
// Tunables:
//   TILE_Q          rows of q of a block. Fewer waste less at the ends of short sequences; with
//   more
//                   K and V are read less often
//   TILE_KV         keys of a tile. More mean fewer barriers and rescalings, but more registers
//   STAGES          tiles of K and of V in shared memory: how far copies run ahead
//   CONSUMER_WARPS  warps that calculate, with 16 or 32 rows each
//   MIN_BLOCKS      blocks that should fit on an SM: bounds the registers of a thread
//
// Requires: compute capability 9.0, and v that is finite in all sequences: what a tile holds of the
// next one counts with weight 0.
//
// Next idea: a list of tiles in order of their work, so that no block is launched for nothing and
// the longest come first; warpgroups (attention_prefill's wgmma.cu).
#include "defaults.cuh"
#include "operands.cuh"
#include "packed_block.cuh"
#include "role_warps.cuh"
#include "scaling.cuh"
#include "sequence.cuh"
#include "tma.cuh"

using Element = DTYPE;
constexpr Operand kOperand = kOperandOf<Element>;
constexpr int kD = HEAD_DIM;
constexpr int kRows = TILE_Q;
constexpr int kTileKeys = TILE_KV;
constexpr int kStages = STAGES;
constexpr int kConsumerWarps = CONSUMER_WARPS;
constexpr int kMinBlocks = MIN_BLOCKS;
constexpr int kThreads = 32 * (1 + kConsumerWarps);

// The choices that shape a block, in the form in which the headers take them.
struct Config {
  using Element = ::Element;
  static constexpr Operand kOperand = ::kOperand;
  static constexpr int kD = ::kD, kRows = ::kRows, kTileKeys = ::kTileKeys, kStages = ::kStages;
  static constexpr int kConsumerWarps = ::kConsumerWarps;
  static constexpr int kSwizzle = 128, kSpan = 128;
  static constexpr int kSlack = 8;
  static constexpr bool kSplitMask = true;
  static constexpr Scores kScores = Scores::registers;
};

using Shared = RoleWarpsShared<Config>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q_map       tensor map of q as [heads, d/64, rows, 64], boxes of [1, d/64, TILE_Q, 64],
//               swizzle 128
//   k_map       tensor map of k as [kv_heads, d/64, keys, 64], boxes of [1, d/64, TILE_KV, 64],
//               swizzle 128
//   v_map       the same of v
//   q_offsets   [batch + 1] of i32: the first row of each sequence, and the end
//   kv_offsets  [batch + 1] of i32: the same of its keys
//   out         [rows, heads, d] of dtype, written
//   scale       of the scores, in units of log2: log2(e) / sqrt(d)
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    attention_ragged_tma(const __grid_constant__ TensorMap q_map,
                         const __grid_constant__ TensorMap k_map,
                         const __grid_constant__ TensorMap v_map, const int* __restrict__ q_offsets,
                         const int* __restrict__ kv_offsets, Element* __restrict__ out, int heads,
                         int kv_heads, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  const Sequence sequence(static_cast<int>(blockIdx.x), q_offsets, kv_offsets, heads, kv_heads,
                          causal != 0);
  // The last rows first: with a causal mask they see the most keys.
  const int tile = ceil_div(sequence.shape.q_len, kRows) - 1 - static_cast<int>(blockIdx.y);
  if (tile < 0) return;
  attend_packed<Config>(*reinterpret_cast<Shared*>(dynamic), sequence, tile * kRows, q_map, k_map,
                        v_map, out, UniformScaling{scale});
}
