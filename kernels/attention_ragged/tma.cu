// Attention of packed sequences, out = softmax(q k^T / sqrt(d)) v: tiles by TMA, products by
// mma.sync, rows owned by warps.
//
// Algorithm: that of attention_prefill's tma.cu with SCORES=registers (own_rows.cuh), on sequences
// that lie one behind the other as FlashAttention's varlen interface has them. A block has TILE_Q
// rows of one head of one sequence; the grid is made for the longest, and blocks of shorter ones
// that have no rows end at once. The maps of q, k and v see all sequences as one array of rows: a
// tile begins at any of them, and its end may reach into the next sequence. Rows beyond the
// sequence are calculated and not stored; keys beyond it are masked as those are that a row does
// not see.
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
#include "own_rows.cuh"
#include "role_warps.cuh"
#include "row_store.cuh"
#include "scaling.cuh"
#include "sequence.cuh"
#include "tma.cuh"
#include "warp.cuh"

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

// Run by one thread: q once, then K and V, last keys first.
__device__ __forceinline__ void produce(Shared& shared, const Sequence& sequence, int first_row,
                                        int key_tiles, const TensorMap& q_map,
                                        const TensorMap& k_map, const TensorMap& v_map) {
  const int kv_head = sequence.shape.kv_head(sequence.head);
  mbarrier_expect(shared.q_full, Shared::kQueryBytes);
  tma_load_4d(shared.q, q_map, 0, sequence.first_row + first_row, 0, sequence.head, shared.q_full);
  Place<kStages> place;
#pragma unroll 1
  for (int tile = key_tiles - 1; tile >= 0; --tile) {
    const int key = sequence.first_key + tile * kTileKeys;
    shared.k_ring.acquire(place);
    mbarrier_expect(shared.k_ring.full[place.stage], Shared::kTileBytes);
    tma_load_4d(shared.k[place.stage], k_map, 0, key, 0, kv_head, shared.k_ring.full[place.stage]);
    shared.v_ring.acquire(place);
    mbarrier_expect(shared.v_ring.full[place.stage], Shared::kTileBytes);
    tma_load_4d(shared.v[place.stage], v_map, 0, key, 0, kv_head, shared.v_ring.full[place.stage]);
    ++place;
  }
}

// All rows of consumer warp `warp` of the tile that begins at row `first_row` of the sequence.
__device__ __forceinline__ void consume(Shared& shared, const Sequence& sequence, int warp,
                                        int first_row, int key_tiles, const UniformScaling& scaling,
                                        Element* out) {
  using Consumer = OwnRows<Config, Shared, UniformScaling>;
  constexpr int kM = Consumer::kM;
  const Shape& shape = sequence.shape;
  const int lane = lane_id(), warp_row = warp * 16 * kM;
  Consumer consumer{shared, warp_row, lane,
                    PanelReader<Config::kSpan, Config::kSwizzle>(static_cast<u32>(lane))};
#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int n = 0; n < kD / 8; ++n) {
#pragma unroll
      for (int i = 0; i < 4; ++i) consumer.outputs[m][n][i] = 0;
    }
    const auto row_at = [&](int row) {
      return min(first_row + warp_row + 16 * m + 8 * row + lane / 4, shape.q_len - 1);
    };
#pragma unroll
    for (int row = 0; row < 2; ++row) consumer.visible[m][row] = shape.visible_keys(row_at(row));
    consumer.scale[m] = scaling.rows<2>(row_at);
  }
  const int unmasked = shape.visible_keys(min(first_row + warp_row, shape.q_len - 1));
  mbarrier_wait(shared.q_full, 0);
  for_key_tiles<kTileKeys, Config::kSplitMask>(
      key_tiles, unmasked, [&](int tile, bool masked) { consumer.step(tile, masked); });

#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const int at = first_row + warp_row + 16 * m + 8 * row + lane / 4;
      const i64 place = static_cast<i64>(sequence.first_row + at) * shape.heads + sequence.head;
      const auto sum = [&](int n, int i) { return consumer.outputs[m][n][2 * row + i]; };
      store_row<kD>(out + place * kD, lane, sum, consumer.rows[m][row].total(), at < shape.q_len);
    }
  }
}

// The whole block: kRows rows of one head of one sequence.
__device__ __forceinline__ void attend(Shared& shared, const Sequence& sequence, int first_row,
                                       const TensorMap& q_map, const TensorMap& k_map,
                                       const TensorMap& v_map, Element* out,
                                       const UniformScaling& scaling) {
  const int key_tiles = count_key_tiles<kRows, kTileKeys>(sequence.shape, first_row);
  if (threadIdx.x == 0) {
    mbarrier_init(shared.q_full, 1);
    shared.k_ring.init(kConsumerWarps);
    shared.v_ring.init(kConsumerWarps);
    mbarrier_publish();
  }
  __syncthreads();
  const int warp = uniform_warp_id();
  if (warp == 0) {
    if (threadIdx.x == 0) produce(shared, sequence, first_row, key_tiles, q_map, k_map, v_map);
  } else {
    consume(shared, sequence, warp - 1, first_row, key_tiles, scaling, out);
  }
}

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
  attend(*reinterpret_cast<Shared*>(dynamic), sequence, tile * kRows, q_map, k_map, v_map, out,
         UniformScaling{scale});
}
