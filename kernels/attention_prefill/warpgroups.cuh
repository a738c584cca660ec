// A block of wgmma.cu: a warpgroup that loads and some that calculate.
//
// Config says what the kernel chose: what consumer_group.cuh needs, and kSchedule, kSection,
// kLongestFirst, kConsumerRegisters and kProducerRegisters. Scaling: scaling.cuh.
#pragma once

#include "consumer_group.cuh"
#include "mbarrier.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "scaling.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "warp.cuh"

enum class Schedule { blocks, strided, counter };

constexpr int kNoTile = -1;

template <typename Config>
struct alignas(1024) WarpgroupsShared {
  static constexpr u32 kQueryBytes = kGroupRows * Config::kD * sizeof(typename Config::Element);
  static constexpr u32 kTileBytes =
      Config::kTileKeys * Config::kD * sizeof(typename Config::Element);

  u8 q[Config::kGroups][kQueryBytes];
  u8 k[Config::kStages][kTileBytes];
  u8 v[Config::kStages][kTileBytes];
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
__device__ __forceinline__ void produce(WarpgroupsShared<Config>& shared, const Shape& shape,
                                        const TileOrder& order, int tiles, const TensorMap& q_map,
                                        const TensorMap& k_map, const TensorMap& v_map,
                                        u32* counter) {
  constexpr u32 kQueryBytes = WarpgroupsShared<Config>::kQueryBytes;
  constexpr u32 kTileBytes = WarpgroupsShared<Config>::kTileBytes;
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
template <typename Config, typename Scaling>
__device__ __forceinline__ void consume(WarpgroupsShared<Config>& shared, const Shape& shape,
                                        const TileOrder& order, int warp, const Scaling& scaling,
                                        typename Config::Element* out) {
  constexpr int kTileKeys = Config::kTileKeys, kGroups = Config::kGroups;
  constexpr int kRows = kGroupRows * kGroups;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  ConsumerGroup<Config, WarpgroupsShared<Config>, Scaling> consumer{shared, {}, warp / 4, lane};
  Place<1> q_place;
  if (consumer.group == kGroups - 1) consumer.pass_turn();  // the first group begins
#pragma unroll 1
  while (true) {
    shared.q_ring.wait(q_place);
    const int index = __shfl_sync(kFullMask, shared.tile, 0);  // uniform for the compiler
    if (index == kNoTile) return;
    const auto [head, row_tile] = order.at(index);
    const int group_row = row_tile * kRows + consumer.group * kGroupRows;
    const int first_row = group_row + 16 * (warp % 4) + lane / 4;
    const auto row_at = [&](int row) { return min(first_row + 8 * row, shape.q_len - 1); };
    consumer.scale = scaling.template rows<2>(row_at);
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      consumer.rows[row] = OnlineRow{};
      consumer.visible[row] = shape.visible_keys(row_at(row));
    }
    // The first row sees the fewest keys; rows beyond the end count as the last row.
    consumer.unmasked = shape.visible_keys(min(group_row, shape.q_len - 1));
    consumer.attend(count_key_tiles<kRows, kTileKeys>(shape, row_tile * kRows), q_place);
    consumer.store(out + static_cast<i64>(head) * shape.q_len * Config::kD, first_row, shape.q_len);
  }
}

// The whole block, on tiles of all heads of `batch` batch entries.
template <typename Config, typename Scaling>
__device__ __forceinline__ void attend_by_warpgroups(WarpgroupsShared<Config>& shared,
                                                     const TensorMap& q_map, const TensorMap& k_map,
                                                     const TensorMap& v_map,
                                                     typename Config::Element* out, u32* counter,
                                                     int batch, const Shape& shape,
                                                     const Scaling& scaling) {
  const int row_tiles = ceil_div(shape.q_len, kGroupRows * Config::kGroups);
  const int all_heads = batch * shape.heads;
  const TileOrder order{row_tiles, all_heads, Config::kSection == 0 ? all_heads : Config::kSection,
                        Config::kLongestFirst};

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
    consume(shared, shape, order, warp - 4, scaling, out);
  }
}
