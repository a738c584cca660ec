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
#include "consumer_group.cuh"
#include "operands.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "warp.cuh"

#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif
#ifndef TILE_KV
#define TILE_KV 128
#endif
#ifndef STAGES
#define STAGES 2
#endif
#ifndef CONSUMER_GROUPS
#define CONSUMER_GROUPS 2
#endif
#ifndef CONSUMER_REGISTERS
#define CONSUMER_REGISTERS 240
#endif
#ifndef PRODUCER_REGISTERS
#define PRODUCER_REGISTERS 24
#endif
#ifndef OVERLAP
#define OVERLAP 1
#endif
#ifndef PING_PONG
#define PING_PONG 1
#endif
#ifndef MASK
#define MASK split
#endif
#ifndef SLACK
#define SLACK 8
#endif
#ifndef KEYS
#define KEYS descending
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 1
#endif
#ifndef SCHEDULE
#define SCHEDULE counter
#endif
#ifndef ORDER
#define ORDER longest_first
#endif
#ifndef SECTION
#define SECTION 0
#endif

enum class Mask { split, branch };
enum class Keys { descending, ascending };
enum class Schedule { blocks, strided, counter };
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

constexpr int kRows = kGroupRows * kGroups;
constexpr int kThreads = kGroupThreads * (1 + kGroups);
constexpr u32 kConsumerWarps = 4 * kGroups, kConsumerThreads = 32 * kConsumerWarps;
constexpr u32 kQueryBytes = kGroupRows * kD * sizeof(Element);
constexpr u32 kTileBytes = kTileKeys * kD * sizeof(Element);
constexpr int kNoTile = -1;

// The choices that shape the consumers, in the form in which consumer_group.cuh takes them.
struct Config {
  using Element = ::Element;
  static constexpr Operand kOperand = ::kOperand;
  static constexpr int kD = ::kD, kTileKeys = ::kTileKeys, kStages = ::kStages, kGroups = ::kGroups,
                       kSlack = ::kSlack;
  static constexpr bool kOverlap = ::kOverlap, kPingPong = ::kPingPong;
  static constexpr bool kSplitMask = kMask == Mask::split, kDescending = kKeys == Keys::descending;
};

struct alignas(1024) Shared {
  u8 q[kGroups][kQueryBytes];
  u8 k[kStages][kTileBytes];
  u8 v[kStages][kTileBytes];
  Ring<1> q_ring;
  Ring<kStages> k_ring;
  Ring<kStages> v_ring;
  // The tile whose rows q holds, or kNoTile. It comes and goes with q, and every thread reads it,
  // so each gives q back for itself.
  int tile;
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// Run by one thread. K of a tile is requested before V of the previous one, because that is how
// overlapping consumers use them.
__device__ __forceinline__ void produce(Shared& shared, const Shape& shape, const TileOrder& order,
                                        int tiles, const TensorMap& q_map, const TensorMap& k_map,
                                        const TensorMap& v_map, u32* counter) {
  tma_prefetch(q_map);
  tma_prefetch(k_map);
  tma_prefetch(v_map);
  Place<1> q_place;
  Place<kStages> k_place, v_place;
  int index = static_cast<int>(blockIdx.x);
#pragma unroll 1
  while (index < tiles) {
    // Every block draws until its number is too high: `tiles` draws in all, after which the counter
    // is 0 again.
    int next = tiles;
    if constexpr (kSchedule == Schedule::counter)
      next = static_cast<int>(gridDim.x + atomicInc(counter, static_cast<u32>(tiles - 1)));
    else if constexpr (kSchedule == Schedule::strided)
      next = index + static_cast<int>(gridDim.x);

    const auto [head, row_tile] = order.at(index);
    const int kv_head = shape.kv_head(head);
    const int first_row = row_tile * kRows;
    const int key_tiles = count_key_tiles<kRows, kTileKeys>(shape, first_row);
    const auto load_k = [&](int tile) {
      shared.k_ring.acquire(k_place);
      mbarrier_expect(shared.k_ring.full[k_place.stage], kTileBytes);
      tma_load_4d(shared.k[k_place.stage], k_map, 0, tile * kTileKeys, 0, kv_head,
                  shared.k_ring.full[k_place.stage]);
      ++k_place;
    };
    const auto load_v = [&](int tile) {
      shared.v_ring.acquire(v_place);
      mbarrier_expect(shared.v_ring.full[v_place.stage], kTileBytes);
      tma_load_4d(shared.v[v_place.stage], v_map, 0, tile * kTileKeys, 0, kv_head,
                  shared.v_ring.full[v_place.stage]);
      ++v_place;
    };

    shared.q_ring.acquire(q_place);
    shared.tile = index;
    mbarrier_expect(shared.q_ring.full[0], kGroups * kQueryBytes);
#pragma unroll
    for (int group = 0; group < kGroups; ++group)
      tma_load_4d(shared.q[group], q_map, 0, first_row + group * kGroupRows, 0, head,
                  shared.q_ring.full[0]);
    ++q_place;
    if (key_tiles > 0) load_k(key_tile<Config::kDescending>(0, key_tiles));
#pragma unroll 1
    for (int step = 0; step < key_tiles; ++step) {
      if (step + 1 < key_tiles) load_k(key_tile<Config::kDescending>(step + 1, key_tiles));
      load_v(key_tile<Config::kDescending>(step, key_tiles));
    }
    index = next;
  }
  shared.q_ring.acquire(q_place);
  shared.tile = kNoTile;
  mbarrier_arrive(shared.q_ring.full[0]);
}

// A warpgroup works on the tiles that the producer names until there are no more. All warpgroups of
// a block work on the same tiles.
__device__ __forceinline__ void consume(Shared& shared, const Shape& shape, const TileOrder& order,
                                        int warp, float scale, Element* out) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  ConsumerGroup<Config, Shared> consumer{shared, scale, warp / 4, lane};
  Place<1> q_place;
  if (consumer.group == kGroups - 1) consumer.pass_turn();  // the first group begins
#pragma unroll 1
  while (true) {
    shared.q_ring.wait(q_place);
    const int index = shared.tile;
    if (index == kNoTile) return;
    const auto [head, row_tile] = order.at(index);
    const int group_row = row_tile * kRows + consumer.group * kGroupRows;
    const int first_row = group_row + 16 * (warp % 4) + lane / 4;
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      consumer.rows[row] = OnlineRow{};
      consumer.visible[row] = shape.visible_keys(min(first_row + 8 * row, shape.q_len - 1));
    }
    // The first row sees the fewest keys; rows beyond the end count as the last row.
    consumer.unmasked = shape.visible_keys(min(group_row, shape.q_len - 1));
    consumer.attend(count_key_tiles<kRows, kTileKeys>(shape, row_tile * kRows), q_place);
    consumer.store(out + static_cast<i64>(head) * shape.q_len * kD, first_row, shape.q_len);
  }
}

extern "C" __global__ void __launch_bounds__(kThreads, kMinBlocks)
    attention_wgmma(const __grid_constant__ TensorMap q_map,
                    const __grid_constant__ TensorMap k_map,
                    const __grid_constant__ TensorMap v_map, Element* __restrict__ out,
                    u32* __restrict__ counter, int batch, int heads, int kv_heads, int q_len,
                    int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Shape shape{heads, kv_heads, q_len, kv_len, causal != 0};
  const int row_tiles = ceil_div(q_len, kRows), all_heads = batch * heads;
  const TileOrder order{row_tiles, all_heads, kSection == 0 ? all_heads : kSection,
                        kOrder == Order::longest_first};

  if (threadIdx.x == 0) {
    shared.q_ring.init(kConsumerThreads);
    shared.k_ring.init(kConsumerWarps);
    shared.v_ring.init(kConsumerWarps);
    mbarrier_publish();
  }
  __syncthreads();
  const int warp = uniform_warp_id();
  // Registers move before anything else: consumers wait here until the producer has given up its
  // share.
  if (warp < 4) {
    registers_shrink<kProducerRegisters>();
    if (threadIdx.x == 0)
      produce(shared, shape, order, row_tiles * all_heads, q_map, k_map, v_map, counter);
  } else {
    registers_grow<kConsumerRegisters>();
    consume(shared, shape, order, warp - 4, scale, out);
  }
}
