// A block of wgmma.cu: a warpgroup that loads and some that calculate, as warpgroups.cuh of
// attention_prefill.
//
// Config says what the kernel chose: what consumer_warpgroup.cuh needs, and kSchedule, kSection,
// kConsumerRegisters and kProducerRegisters.
#pragma once

#include "consumer_warpgroup.cuh"
#include "mbarrier.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "values.cuh"
#include "warp.cuh"

enum class Schedule { blocks, strided, counter };

constexpr int kNoTile = -1;

// An element of q, k or v stands for its value times the scale of its head.
struct Scales {
  const float* q;  // of each head of q
  const float* k;  // of each head of k and v
  const float* v;
};

template <typename Config>
struct alignas(1024) BlockShared {
  static constexpr u32 kQueryBytes = kGroupRows * Config::kD;
  static constexpr u32 kKeyBytes = Config::kTileKeys * Config::kD;
  static constexpr u32 kValueBytes =
      ValueTile<typename Config::Value, Config::kTileKeys, Config::kD>::kBytes;

  u8 q[Config::kGroups][kQueryBytes];
  u8 k[Config::kStages][kKeyBytes];
  u8 v[Config::kStages][kValueBytes];
  Ring<1> q_ring;
  Ring<Config::kStages> k_ring;
  Ring<Config::kStages> v_ring;
  // The tile whose rows q holds, or kNoTile. It comes and goes with q, and every thread reads it,
  // so each gives q back for itself.
  int tile;
};

// Run by one thread. K of a tile is requested before V of the previous one, because that is how
// overlapping consumers use them.
template <typename Config>
__device__ __forceinline__ void produce(BlockShared<Config>& shared, const Shape& shape,
                                        const TileOrder& order, int tiles, const TensorMap& q_map,
                                        const TensorMap& k_map, const TensorMap& v_map,
                                        u32* counter) {
  using Shared = BlockShared<Config>;
  using Tile = ValueTile<typename Config::Value, Config::kTileKeys, Config::kD>;
  constexpr int kTileKeys = Config::kTileKeys, kGroups = Config::kGroups;
  constexpr int kRows = kGroupRows * kGroups;
  tma_prefetch(q_map);
  tma_prefetch(k_map);
  tma_prefetch(v_map);
  Place<1> q_place;
  Place<Config::kStages> k_place, v_place;
  int index = static_cast<int>(blockIdx.x);
#pragma unroll 1
  while (index < tiles) {
    // Every block draws until its number is too high: `tiles` draws in all, after which the counter
    // is 0 again.
    int next = tiles;
    if constexpr (Config::kSchedule == Schedule::counter)
      next = static_cast<int>(gridDim.x + atomicInc(counter, static_cast<u32>(tiles - 1)));
    else if constexpr (Config::kSchedule == Schedule::strided)
      next = index + static_cast<int>(gridDim.x);

    const auto [head, row_tile] = order.at(index);
    const int kv_head = shape.kv_head(head);
    const int first_row = row_tile * kRows;
    const int key_tiles = count_key_tiles<kRows, kTileKeys>(shape, first_row);
    const auto load_k = [&](int tile) {
      shared.k_ring.acquire(k_place);
      Mbarrier& full = shared.k_ring.full[k_place.stage];
      mbarrier_expect(full, Shared::kKeyBytes);
      tma_load_5d(shared.k[k_place.stage], k_map, 0, 0,
                  tile * (kTileKeys / (Tile::kWidth * Tile::kWidth)), 0, kv_head, full);
      ++k_place;
    };
    const auto load_v = [&](int tile) {
      shared.v_ring.acquire(v_place);
      Mbarrier& full = shared.v_ring.full[v_place.stage];
      mbarrier_expect(full, Shared::kValueBytes);
      Tile::load(shared.v[v_place.stage], v_map, tile * kTileKeys, kv_head, full);
      ++v_place;
    };

    shared.q_ring.acquire(q_place);
    shared.tile = index;
    mbarrier_expect(shared.q_ring.full[0], kGroups * Shared::kQueryBytes);
#pragma unroll
    for (int group = 0; group < kGroups; ++group)
      tma_load_4d(shared.q[group], q_map, 0, first_row + group * kGroupRows, 0, head,
                  shared.q_ring.full[0]);
    ++q_place;
    if (key_tiles > 0) load_k(key_tiles - 1);
#pragma unroll 1
    for (int tile = key_tiles - 1; tile >= 0; --tile) {
      if (tile > 0) load_k(tile - 1);
      load_v(tile);
    }
    index = next;
  }
  shared.q_ring.acquire(q_place);
  shared.tile = kNoTile;
  mbarrier_arrive(shared.q_ring.full[0]);
}

// A warpgroup works on the tiles that the producer names until there are no more. All warpgroups of
// a block work on the same tiles. `scale` is log2(e) / sqrt(d).
template <typename Config>
__device__ __forceinline__ void consume(BlockShared<Config>& shared, const Shape& shape,
                                        const TileOrder& order, int warp, const Scales& scales,
                                        float scale, bf16* out) {
  constexpr int kTileKeys = Config::kTileKeys, kGroups = Config::kGroups;
  constexpr int kRows = kGroupRows * kGroups;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  ConsumerWarpgroup<Config, BlockShared<Config>> consumer{shared, warp / 4, lane};
  Place<1> q_place;
  if (consumer.group == kGroups - 1) consumer.pass_turn();  // the first group begins
#pragma unroll 1
  while (true) {
    shared.q_ring.wait(q_place);
    // From lane 0, which tells the compiler that it is the same in all lanes, and with it the loops
    // over keys: places in the rings and descriptors then are in uniform registers, and nothing is
    // spilled.
    const int index = __shfl_sync(kFullMask, shared.tile, 0);
    if (index == kNoTile) return;
    const auto [head, row_tile] = order.at(index);
    const int group_row = row_tile * kRows + consumer.group * kGroupRows;
    const int first_row = group_row + 16 * (warp % 4) + lane / 4;
    // Loads that nothing waits for until the first tile of scores is there. The scale of v is
    // loaded where it is used: registers are scarcer than half a microsecond a tile of rows.
    consumer.scale = scale * __ldg(scales.q + head) * __ldg(scales.k + shape.kv_head(head));
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      consumer.rows[row] = OnlineRow{};
      consumer.visible[row] = shape.visible_keys(min(first_row + 8 * row, shape.q_len - 1));
    }
    // The first row sees the fewest keys; rows beyond the end count as the last row.
    consumer.unmasked = shape.visible_keys(min(group_row, shape.q_len - 1));
    consumer.attend(count_key_tiles<kRows, kTileKeys>(shape, row_tile * kRows), q_place);
    consumer.store(out + static_cast<i64>(head) * shape.q_len * Config::kD, first_row, shape.q_len,
                   __ldg(scales.v + shape.kv_head(head)));
  }
}

// The whole block, on tiles of all heads of `batch` batch entries.
template <typename Config>
__device__ __forceinline__ void attend_by_warpgroups(BlockShared<Config>& shared,
                                                     const TensorMap& q_map, const TensorMap& k_map,
                                                     const TensorMap& v_map, bf16* out,
                                                     u32* counter, int batch, const Shape& shape,
                                                     const Scales& scales, float scale) {
  const int row_tiles = ceil_div(shape.q_len, kGroupRows * Config::kGroups);
  const int all_heads = batch * shape.heads;
  const TileOrder order{row_tiles, all_heads, Config::kSection == 0 ? all_heads : Config::kSection,
                        true};

  if (threadIdx.x == 0) {
    shared.q_ring.init(128 * Config::kGroups);
    shared.k_ring.init(4 * Config::kGroups);
    shared.v_ring.init(4 * Config::kGroups);
    mbarrier_publish();
  }
  __syncthreads();
  const int warp = uniform_warp_id();
  // Registers move before anything else: consumers wait here until the producer has given up its
  // share.
  if (warp < 4) {
    registers_shrink<Config::kProducerRegisters>();
    if (threadIdx.x == 0)
      produce(shared, shape, order, row_tiles * all_heads, q_map, k_map, v_map, counter);
  } else {
    registers_grow<Config::kConsumerRegisters>();
    consume(shared, shape, order, warp - 4, scales, scale, out);
  }
}
