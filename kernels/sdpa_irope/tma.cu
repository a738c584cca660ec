// Attention with rows scaled by position, roles for warps: out = softmax(s q k^T / sqrt(d)) v,
// tiles by TMA, products by mma.sync.
//
// Algorithm: attention_prefill's tma.cu (role_warps.cuh); the softmax scale of a row is multiplied
// by the factor of its position (irope_scaling.cuh). A lane loads the positions of its rows before
// it waits for q, so they arrive with it.
//
// Tunables: as there, TILE_Q, TILE_KV, STAGES, PRODUCER_WARPS, CONSUMER_WARPS, SWIZZLE, MASK,
// ORDER, MIN_BLOCKS, REGISTERS, SLACK and SCORES.
//
// Requires: compute capability 9.0, maps of q, k and v with boxes of a whole tile in panels
// (panels.cuh), 0 <= position < 2^24 - 1.
//
// Next idea: wgmma.cu, whose products read shared memory without ldmatrix.
#include "defaults.cuh"
#include "irope_scaling.cuh"
#include "operands.cuh"
#include "role_warps.cuh"
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
//   q_map        tensor map of q as [batch*heads, d/panel, q_len, panel], boxes of [1, d/panel,
//                TILE_Q, panel], swizzle SWIZZLE
//   k_map        tensor map of k as [batch*kv_heads, d/panel, kv_len, panel], boxes of [1, d/panel,
//                TILE_KV, panel], swizzle SWIZZLE
//   v_map        tensor map of v as [batch*kv_heads, d/panel, kv_len, panel], boxes of [1, d/panel,
//                TILE_KV, panel], swizzle SWIZZLE
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
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    sdpa_irope_tma(const __grid_constant__ TensorMap q_map, const __grid_constant__ TensorMap k_map,
                   const __grid_constant__ TensorMap v_map, Element* __restrict__ out, int heads,
                   int kv_heads, int q_len, int kv_len, int causal, float scale,
                   const i32* __restrict__ positions, float floor_scale, float attn_scale) {
  extern __shared__ u8 dynamic[];
  attend_by_role_warps(*reinterpret_cast<Shared*>(dynamic), q_map, k_map, v_map, out,
                       Shape{heads, kv_heads, q_len, kv_len, causal != 0},
                       IropeScaling{scale, positions, floor_scale, attn_scale});
}
