// Attention with roles for warps: out = softmax(q k^T / sqrt(d)) v, tiles by TMA, products by
// mma.sync.
//
// Algorithm. A block has TILE_Q rows of q of one head, PRODUCER_WARPS warps that load and
// CONSUMER_WARPS that compute. K and V come through rings of STAGES tiles of TILE_KV keys each,
// last keys first, since those are the ones that the mask cuts. A stage is refilled as soon as all
// consumers have released it, so copies run while consumers compute. Consumers keep, per row, the
// maximum and the sum of exponentials so far, and rescale outputs when the maximum grows. The block
// is role_warps.cuh. How the work on a tile is divided among consumers is a choice (SCORES):
//   shared     all warps work on the scores of one tile together, which go through shared memory:
//              shared_scores.cuh
//   registers  every warp has rows of its own and keeps all their data in registers: own_rows.cuh
//
// Tunables:
//   TILE_Q          rows of q of a block. With more, K and V are read less often; fewer make more
//                   blocks
//   TILE_KV         keys of a tile. More mean fewer barriers and rescalings, but more shared memory
//   STAGES          tiles of K and of V in shared memory: how far copies run ahead
//   PRODUCER_WARPS  one lane of one warp starts all copies; the other warps leave at once, but cost
//                   registers that a block must have when it starts
//   CONSUMER_WARPS  with SCORES=shared every step of a tile is divided among them in rounds; a last
//                   round that is not full leaves warps idle. With SCORES=registers they share the
//                   rows, 16 or 32 each
//   SWIZZLE         bytes within which pieces of a tile's rows are exchanged against bank
//                   conflicts; 0 has no swizzle
//   MASK            split: a loop for tiles that the mask cuts and one for the others; branch: one
//                   loop, less code
//   ORDER           longest_first: blocks that see the most keys start first, so that none of them
//                   finishes alone
//   MIN_BLOCKS      blocks that should fit on an SM: bounds the registers of a thread
//   REGISTERS       registers of a thread that computes: the warpgroup that loads gives up what it
//                   does not need (sm_90a). A quarter of an SM has registers for two warps of 255
//                   each, and a producer is a third warp: consumers with 32 rows need this. 0: all
//                   threads have equally many
//   SLACK           the maximum may lag by this many powers of two before outputs are rescaled
//   SCORES          above
//
// Requires: compute capability 9.0, maps of q, k and v with boxes of a whole tile in panels
// (panels.cuh).
//
// Next idea: a product with V and the next tile's scores lie between the same two barriers but are
// divided among the warps one after the other; divided together, their rounds would fill up.
#include "defaults.cuh"
#include "operands.cuh"
#include "role_warps.cuh"
#include "scaling.cuh"
#include "tiles.cuh"
#include "tma.cuh"

enum class Mask { split, branch };
enum class Order { longest_first, natural };

using Element = DTYPE;
constexpr Operand kOperand = kOperandOf<Element>;
constexpr int kD = HEAD_DIM;
constexpr int kRows = TILE_Q;
constexpr int kTileKeys = TILE_KV;
constexpr int kStages = STAGES;
constexpr int kProducerWarps = PRODUCER_WARPS;
constexpr int kConsumerWarps = CONSUMER_WARPS;
constexpr int kSwizzle = SWIZZLE;
constexpr Mask kMask = Mask::MASK;
constexpr Order kOrder = Order::ORDER;
constexpr int kMinBlocks = MIN_BLOCKS;
constexpr int kRegisters = REGISTERS;
constexpr int kSlack = SLACK;
constexpr Scores kScores = Scores::SCORES;

constexpr int kThreads = 32 * (kProducerWarps + kConsumerWarps);

// The choices that shape a block, in the form in which role_warps.cuh takes them.
struct Config {
  using Element = ::Element;
  static constexpr Operand kOperand = ::kOperand;
  static constexpr int kD = ::kD, kRows = ::kRows, kTileKeys = ::kTileKeys, kStages = ::kStages;
  static constexpr int kProducerWarps = ::kProducerWarps, kConsumerWarps = ::kConsumerWarps;
  static constexpr int kSwizzle = ::kSwizzle;
  static constexpr int kSpan = kSwizzle == 0 ? 128 : kSwizzle;  // bytes of a panel's row
  static constexpr int kSlack = ::kSlack;
  static constexpr bool kSplitMask = kMask == Mask::split;
  static constexpr bool kLongestFirst = kOrder == Order::longest_first;
  static constexpr Scores kScores = ::kScores;
  static constexpr int kRegisters = ::kRegisters, kProducerRegisters = 24;
  static constexpr int kThreadRegisters = 65536 / (kThreads * kMinBlocks);  // at most
};

using Shared = RoleWarpsShared<Config>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q_map     tensor map of q as [batch*heads, d/panel, q_len, panel], boxes of [1, d/panel,
//             TILE_Q, panel], swizzle SWIZZLE
//   k_map     tensor map of k as [batch*kv_heads, d/panel, kv_len, panel], boxes of [1, d/panel,
//             TILE_KV, panel], swizzle SWIZZLE
//   v_map     tensor map of v as [batch*kv_heads, d/panel, kv_len, panel], boxes of [1, d/panel,
//             TILE_KV, panel], swizzle SWIZZLE
//   out       [batch, heads, q_len, d] of dtype, written
//   heads     heads of q
//   kv_heads  heads of k and v
//   q_len     rows of q in a head
//   kv_len    keys in a head
//   causal    1 if a row sees only the keys up to its own position, otherwise 0
//   scale     of the scores, in units of log2: log2(e) / sqrt(d)
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    attention_tma(const __grid_constant__ TensorMap q_map, const __grid_constant__ TensorMap k_map,
                  const __grid_constant__ TensorMap v_map, Element* __restrict__ out, int heads,
                  int kv_heads, int q_len, int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  attend_by_role_warps(*reinterpret_cast<Shared*>(dynamic), q_map, k_map, v_map, out,
                       Shape{heads, kv_heads, q_len, kv_len, causal != 0}, UniformScaling{scale});
}
