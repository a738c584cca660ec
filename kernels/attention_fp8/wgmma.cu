// Attention in fp8 for Hopper: out = softmax(q k^T / sqrt(d)) v, with q and k in e4m3 and v in e4m3
// or bf16; tiles by TMA, products by wgmma, softmax between them.
//
// Algorithm: attention_prefill's wgmma.cu (FlashAttention-3: Shah et al., 2024). A block has one
// producer warpgroup, one thread of which starts copies, and CONSUMER_GROUPS warpgroups with 64
// rows of q each. K and V come through rings of STAGES tiles of TILE_KV keys, the last keys first,
// and scores, probabilities and outputs stay in registers. The products of a tile of 128 x 128 take
// 2,048 clocks in bf16, 1,536 with V alone in bf16 and 1,024 in e4m3; its exponentials take 1,024.
// So what overlaps decides more than with bf16:
//   OVERLAP     a warpgroup issues the scores of the next tile before the product with V of this
//               one, and takes its exponentials while that product runs
//   WAIT        late: that product is waited for when all exponentials have been taken; early: when
//               ptxas thinks fit, which is before most of them
//   PING_PONG   warpgroups issue their products in turn, so that one multiplies while the other
//               takes exponentials
//   POLYNOMIALS of eight exponentials this many are for the multipliers, 8 instructions each in
//               place of 8 clocks of the one unit that has exponentials. Two warps need 970 of a
//               tile's issue slots without it, so one or two is all there can be to gain
//
// Tunables:
//   TILE_KV             keys of a tile. More mean fewer barriers, maxima and rescalings, but more
//                       registers. With V in e4m3 a multiple of 32; its panels are 128, 64 or 32
//                       keys wide, whichever divides it, and the copy engine likes wide ones
//   STAGES              tiles of K and of V in shared memory; of e4m3, 16 KiB each with 128 keys
//   CONSUMER_GROUPS     64 rows each. Three share K and V among more rows, but have 160 registers
//                       per thread instead of 240
//   CONSUMER_REGISTERS, PRODUCER_REGISTERS   of a thread; the block has 65536
//   SUMS                of products with V in e4m3. f32: each tile's product is added in f32;
//                       tensor: the tensor cores add all tiles, with 13 bits
//                       (consumer_warpgroup.cuh), which frees 64 registers for larger tiles
//   SLACK               the maximum may lag by this many powers of two before outputs are rescaled;
//                       of V in e4m3 this takes range from the small probabilities
//   SCHEDULE            blocks: a block per tile. strided: as many blocks as SMs, each of which
//                       takes tiles at a fixed stride. counter: a block that has finished takes the
//                       next tile, the longest first, so that no SM waits for another
//   SECTION             heads that are worked on together, so that their K and V stay in L2; 0: all
//
// Requires: sm_90a, d 128, maps as in kernel.yaml.
//
// Next ideas: V as it is stored, transposed by the producer warpgroup with ldmatrix and stmatrix,
// as FlashAttention-3 does, for callers whose cache is not transposed. The sums of rows by the
// tensor cores, as one more column of V that is all ones: an eighth of the instructions are
// additions for them. Two blocks of a cluster that share K and V: at 1.2 PFLOP/s blocks of 128 rows
// read 4.7 TB/s from L2.
#include "defaults.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "values.cuh"
#include "warpgroups_block.cuh"

enum class Sums { f32, tensor };
enum class Wait { late, early };

constexpr int kThreads = kGroupThreads * (1 + CONSUMER_GROUPS);

// The choices that shape a block, in the form in which warpgroups_block.cuh takes them.
struct Config {
  using Value = V_DTYPE;
  static constexpr int kD = HEAD_DIM, kTileKeys = TILE_KV, kStages = STAGES,
                       kGroups = CONSUMER_GROUPS, kSlack = SLACK, kPolynomials = POLYNOMIALS,
                       kSection = SECTION, kConsumerRegisters = CONSUMER_REGISTERS,
                       kProducerRegisters = PRODUCER_REGISTERS;
  static constexpr bool kOverlap = OVERLAP != 0, kLateWait = Wait::WAIT == Wait::late,
                        kPingPong = PING_PONG != 0 && kGroups > 1;
  // bf16 is added with all bits of f32.
  static constexpr bool kSeparateSums =
      Sums::SUMS == Sums::f32 && ValueTile<Value, kTileKeys, kD>::kOperand == Operand::e4m3;
  static constexpr Schedule kSchedule = Schedule::SCHEDULE;
};

using Shared = BlockShared<Config>;

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   q_map     tensor map of q as [batch*heads, d/128, q_len, 128], boxes of [1, d/128, 64, 128],
//             swizzle 128
//   k_map     tensor map of k as [batch*kv_heads, pair, keys/(pair*pair), pair, d], boxes of [1,
//             pair, TILE_KV/(pair*pair), pair, d], swizzle 128
//   v_map     tensor map of v: in e4m3 as [batch*kv_heads, 1, d, kv_len], boxes of [1, 1, d, span],
//             swizzle span; in bf16 as [batch*kv_heads, d/64, kv_len, 64], boxes of [1, d/64,
//             TILE_KV, 64], swizzle 128
//   q_scale   [batch, heads] of f32: what 1 in q stands for
//   k_scale   [batch, kv_heads] of f32: what 1 in k stands for
//   v_scale   [batch, kv_heads] of f32: what 1 in v stands for
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
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    attention_fp8_wgmma(const __grid_constant__ TensorMap q_map,
                        const __grid_constant__ TensorMap k_map,
                        const __grid_constant__ TensorMap v_map, const float* __restrict__ q_scale,
                        const float* __restrict__ k_scale, const float* __restrict__ v_scale,
                        bf16* __restrict__ out, u32* __restrict__ counter, int batch, int heads,
                        int kv_heads, int q_len, int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  attend_by_warpgroups(*reinterpret_cast<Shared*>(dynamic), q_map, k_map, v_map, out, counter,
                       batch, Shape{heads, kv_heads, q_len, kv_len, causal != 0},
                       Scales{q_scale, k_scale, v_scale}, scale);
}
