// Attention for Hopper: out = softmax(q k^T / sqrt(d)) v, tiles by TMA, products by wgmma, softmax
// between them.
//
// Algorithm (FlashAttention-3: Shah et al., 2024). A block has one producer warpgroup, one thread
// of which starts copies, and CONSUMER_GROUPS warpgroups with 64 rows of q each. K and V come
// through rings of STAGES tiles of TILE_KV keys. A consumer keeps its scores, probabilities and
// outputs in registers: sums of wgmma have the layout that the second product needs in its left
// operand.
// The products and the exponentials of one tile depend on each other, so it is those of different
// tiles that overlap:
//   OVERLAP     a warpgroup issues the scores of the next tile before the product with V of this
//               one, and takes its exponentials while that product runs. Costs registers for two
//               tiles.
//   PING_PONG   warpgroups issue their products in turn, so that one multiplies while the other
//               takes exponentials.
//
// Tunables:
//   TILE_KV             keys of a tile. More mean fewer rescalings and barriers, but more registers
//                       and shared memory
//   STAGES              tiles of K and of V in shared memory
//   CONSUMER_GROUPS     64 rows each. Three share K and V among more rows, but have 160 registers
//                       per thread instead of 240
//   CONSUMER_REGISTERS, PRODUCER_REGISTERS   of a thread; the block has 65536
//   OVERLAP, PING_PONG  above
//   MASK                split: a loop for tiles that the mask cuts and one for the others; branch:
//                       one loop, less code
//   SLACK               the maximum may lag by this many powers of two before outputs are rescaled;
//                       0: it never lags
//   KEYS                descending: the last keys first, which the mask cuts. ascending: all blocks
//                       of a head begin with the same keys, so that a short problem waits for less
//                       data
//   MIN_BLOCKS          two blocks of one consumer group each alternate without barriers, and a
//                       short problem fills the SMs better
//   SCHEDULE            blocks: a block per tile. strided: as many blocks as SMs, each of which
//                       takes tiles at a fixed stride. counter: a block that has finished takes the
//                       next tile, so that no SM waits for another
//   ORDER, SECTION      see tiles.cuh; SECTION 0 takes all heads together
//
// Requires: sm_90a, maps of q with 64 rows and of k and v with TILE_KV rows, all with 64 elements
// and a 128-byte swizzle.
//
// Next idea: two blocks of a cluster could share K and V by multicast. At 700 TFLOP/s blocks of 192
// rows read 3.6 TB/s from L2, and spend power on that.
#include "defaults.cuh"
#include "operands.cuh"
#include "scaling.cuh"
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
//   q_map     tensor map of q as [batch*heads, d/64, q_len, 64], boxes of [1, d/64, 64, 64],
//             swizzle 128
//   k_map     tensor map of k as [batch*kv_heads, d/64, kv_len, 64], boxes of [1, d/64, TILE_KV,
//             64], swizzle 128
//   v_map     tensor map of v as [batch*kv_heads, d/64, kv_len, 64], boxes of [1, d/64, TILE_KV,
//             64], swizzle 128
//   out       [batch, heads, q_len, d] of dtype, written
//   counter   [1] of u32, scratch, zeros before the first launch: tiles that were taken; a launch
//             leaves it at 0
//   batch     sequences
//   heads     heads of q
//   kv_heads  heads of k and v
//   q_len     rows of q in a head
//   kv_len    keys in a head
//   causal    1 if a row sees only the keys up to its own position, otherwise 0
//   scale     of the scores, in units of log2: log2(e) / sqrt(d)
extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    attention_wgmma(const __grid_constant__ TensorMap q_map,
                    const __grid_constant__ TensorMap k_map,
                    const __grid_constant__ TensorMap v_map, Element* __restrict__ out,
                    u32* __restrict__ counter, int batch, int heads, int kv_heads, int q_len,
                    int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  attend_by_warpgroups(*reinterpret_cast<Shared*>(dynamic), q_map, k_map, v_map, out, counter,
                       batch, Shape{heads, kv_heads, q_len, kv_len, causal != 0},
                       UniformScaling{scale});
}
