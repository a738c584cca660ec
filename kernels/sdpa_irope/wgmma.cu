// Attention with rows scaled by position, for Hopper: out = softmax(s q k^T / sqrt(d)) v, tiles by
// TMA, products by wgmma, softmax between them.
//
// Algorithm: attention_prefill's wgmma.cu (warpgroups.cuh, consumer_group.cuh); the softmax scale
// of a row is multiplied by the factor of its position (irope_scaling.cuh). A lane has two rows. It
// starts to load their positions when it learns which tile is next, and computes their factors
// while the tensor cores make the first tile of scores: thirty instructions more in a tile of rows,
// and none in a tile of keys. Two more registers per thread hold them, of 240 or 160.
//
// Tunables: as there, TILE_KV, STAGES, CONSUMER_GROUPS, CONSUMER_REGISTERS, PRODUCER_REGISTERS,
// OVERLAP, PING_PONG, MASK, SLACK, KEYS, MIN_BLOCKS, SCHEDULE, ORDER and SECTION.
//
// Requires: sm_90a, maps of q with 64 rows and of k and v with TILE_KV rows, all with 64 elements
// and a 128-byte swizzle, 0 <= position < 2^24 - 1.
//
// Next idea: that of attention_prefill's, K and V to two blocks of a cluster by multicast.
#include "defaults.cuh"
#include "irope_scaling.cuh"
#include "operands.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "warpgroups.cuh"

enum class Mask { split, branch };
enum class Keys { descending, ascending };
enum class Order { longest_first, natural };

using Element = DTYPE;
constexpr Operand kOperand = kOperandOf<Element>;
constexpr int kD = HEAD_DIM;
constexpr int kTileKeys = TILE_KV;
constexpr int kStages = STAGES;
constexpr int kGroups = CONSUMER_GROUPS;
constexpr int kConsumerRegisters = CONSUMER_REGISTERS, kProducerRegisters = PRODUCER_REGISTERS;
constexpr bool kOverlap = OVERLAP != 0;
constexpr bool kPingPong = PING_PONG != 0 && kGroups > 1;
constexpr Mask kMask = Mask::MASK;
constexpr int kSlack = SLACK;
constexpr Keys kKeys = Keys::KEYS;
constexpr int kMinBlocks = MIN_BLOCKS;
constexpr Schedule kSchedule = Schedule::SCHEDULE;
constexpr Order kOrder = Order::ORDER;
constexpr int kSection = SECTION;

constexpr int kThreads = kGroupThreads * (1 + kGroups);

// The choices that shape a block, in the form in which warpgroups.cuh takes them.
struct Config {
  using Element = ::Element;
  static constexpr Operand kOperand = ::kOperand;
  static constexpr int kD = ::kD, kTileKeys = ::kTileKeys, kStages = ::kStages, kGroups = ::kGroups,
                       kSlack = ::kSlack;
  static constexpr bool kOverlap = ::kOverlap, kPingPong = ::kPingPong;
  static constexpr bool kSplitMask = kMask == Mask::split, kDescending = kKeys == Keys::descending;
  static constexpr Schedule kSchedule = ::kSchedule;
  static constexpr bool kLongestFirst = kOrder == Order::longest_first;
  static constexpr int kSection = ::kSection, kConsumerRegisters = ::kConsumerRegisters,
                       kProducerRegisters = ::kProducerRegisters;
};

using Shared = WarpgroupsShared<Config>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q_map        tensor map of q as [batch*heads, d/64, q_len, 64], boxes of [1, d/64, 64, 64],
//                swizzle 128
//   k_map        tensor map of k as [batch*kv_heads, d/64, kv_len, 64], boxes of [1, d/64, TILE_KV,
//                64], swizzle 128
//   v_map        tensor map of v as [batch*kv_heads, d/64, kv_len, 64], boxes of [1, d/64, TILE_KV,
//                64], swizzle 128
//   out          [batch, heads, q_len, d] of dtype, written
//   counter      [1] of u32, scratch, zeros before the first launch: tiles that were taken; a
//                launch leaves it at 0
//   batch        sequences
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
    sdpa_irope_wgmma(const __grid_constant__ TensorMap q_map,
                     const __grid_constant__ TensorMap k_map,
                     const __grid_constant__ TensorMap v_map, Element* __restrict__ out,
                     u32* __restrict__ counter, int batch, int heads, int kv_heads, int q_len,
                     int kv_len, int causal, float scale, const i32* __restrict__ positions,
                     float floor_scale, float attn_scale) {
  extern __shared__ u8 dynamic[];
  attend_by_warpgroups(*reinterpret_cast<Shared*>(dynamic), q_map, k_map, v_map, out, counter,
                       batch, Shape{heads, kv_heads, q_len, kv_len, causal != 0},
                       IropeScaling{scale, positions, floor_scale, attn_scale});
}
