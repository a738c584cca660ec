// The warp of tma.cu that loads: q once, then K and V, last keys first.
//
// Config says kD, kRows, kTileKeys and kStages, and Element. Shared is the block's shared memory:
// q, the stages k and v, q_full, k_ring and v_ring.
#pragma once

#include "mbarrier.cuh"
#include "pipeline.cuh"
#include "tma.cuh"

// Run by one thread. Tiles are requested in the order of their use; acquire() waits for the
// consumers of the tile STAGES before.
template <typename Config, typename Shared>
__device__ __forceinline__ void produce(Shared& shared, int head, int kv_head, int first_row,
                                        int key_tiles, const TensorMap& q_map,
                                        const TensorMap& k_map, const TensorMap& v_map) {
  constexpr u32 kQueryBytes = Config::kRows * Config::kD * sizeof(typename Config::Element);
  constexpr u32 kTileBytes = Config::kTileKeys * Config::kD * sizeof(typename Config::Element);
  tma_prefetch(q_map);
  tma_prefetch(k_map);
  tma_prefetch(v_map);
  mbarrier_expect(shared.q_full, kQueryBytes);
  tma_load_4d(shared.q, q_map, 0, first_row, 0, head, shared.q_full);
  Place<Config::kStages> place;
#pragma unroll 1
  for (int tile = key_tiles - 1; tile >= 0; --tile) {
    shared.k_ring.acquire(place);
    mbarrier_expect(shared.k_ring.full[place.stage], kTileBytes);
    tma_load_4d(shared.k[place.stage], k_map, 0, tile * Config::kTileKeys, 0, kv_head,
                shared.k_ring.full[place.stage]);
    shared.v_ring.acquire(place);
    mbarrier_expect(shared.v_ring.full[place.stage], kTileBytes);
    tma_load_4d(shared.v[place.stage], v_map, 0, tile * Config::kTileKeys, 0, kv_head,
                shared.v_ring.full[place.stage]);
    ++place;
  }
}
