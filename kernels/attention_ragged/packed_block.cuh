// A block of tma.cu: a warp that loads tiles of a packed sequence, and warps that own its rows.
//
// What differs from attention_prefill's block (role_warps.cuh, own_rows.cuh) is where rows lie: a
// tile begins at the sequence's own first row or key, its end may reach into the next sequence, and
// a row of the output is followed by those of the other heads. Rows beyond the sequence are
// calculated and not stored; keys beyond it are masked as those are that a row does not see.
//
// Config says what OwnRows and RoleWarpsShared need. Shared is the latter.
#pragma once

#include "own_rows.cuh"
#include "role_warps.cuh"
#include "row_store.cuh"
#include "scaling.cuh"
#include "sequence.cuh"
#include "tma.cuh"
#include "warp.cuh"

// Run by one thread: q once, then K and V, last keys first.
template <typename Config, typename Shared>
__device__ __forceinline__ void produce_packed(Shared& shared, const Sequence& sequence,
                                               int first_row, int key_tiles, const TensorMap& q_map,
                                               const TensorMap& k_map, const TensorMap& v_map) {
  const int kv_head = sequence.shape.kv_head(sequence.head);
  mbarrier_expect(shared.q_full, Shared::kQueryBytes);
  tma_load_4d(shared.q, q_map, 0, sequence.first_row + first_row, 0, sequence.head, shared.q_full);
  Place<Config::kStages> place;
#pragma unroll 1
  for (int tile = key_tiles - 1; tile >= 0; --tile) {
    const int key = sequence.first_key + tile * Config::kTileKeys;
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
template <typename Config, typename Shared, typename Scaling>
__device__ __forceinline__ void consume_packed(Shared& shared, const Sequence& sequence, int warp,
                                               int first_row, int key_tiles, const Scaling& scaling,
                                               typename Config::Element* out) {
  using Consumer = OwnRows<Config, Shared, Scaling>;
  constexpr int kM = Consumer::kM;
  const Shape& shape = sequence.shape;
  const int lane = lane_id(), warp_row = warp * 16 * kM;
  Consumer consumer{shared, warp_row, lane,
                    PanelReader<Config::kSpan, Config::kSwizzle>(static_cast<u32>(lane))};
#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int n = 0; n < Config::kD / 8; ++n) {
#pragma unroll
      for (int i = 0; i < 4; ++i) consumer.outputs[m][n][i] = 0;
    }
    const auto row_at = [&](int row) {
      return min(first_row + warp_row + 16 * m + 8 * row + lane / 4, shape.q_len - 1);
    };
#pragma unroll
    for (int row = 0; row < 2; ++row) consumer.visible[m][row] = shape.visible_keys(row_at(row));
    consumer.scale[m] = scaling.template rows<2>(row_at);
  }
  const int unmasked = shape.visible_keys(min(first_row + warp_row, shape.q_len - 1));
  mbarrier_wait(shared.q_full, 0);
  for_key_tiles<Config::kTileKeys, Config::kSplitMask>(
      key_tiles, unmasked, [&](int tile, bool masked) { consumer.step(tile, masked); });

#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const int at = first_row + warp_row + 16 * m + 8 * row + lane / 4;
      const i64 place = static_cast<i64>(sequence.first_row + at) * shape.heads + sequence.head;
      const auto sum = [&](int n, int i) { return consumer.outputs[m][n][2 * row + i]; };
      store_row<Config::kD>(out + place * Config::kD, lane, sum, consumer.rows[m][row].total(),
                            at < shape.q_len);
    }
  }
}

// The whole block: kRows rows of one head of one sequence.
template <typename Config, typename Shared, typename Scaling>
__device__ __forceinline__ void attend_packed(Shared& shared, const Sequence& sequence,
                                              int first_row, const TensorMap& q_map,
                                              const TensorMap& k_map, const TensorMap& v_map,
                                              typename Config::Element* out,
                                              const Scaling& scaling) {
  const int key_tiles =
      count_key_tiles<Config::kRows, Config::kTileKeys>(sequence.shape, first_row);
  if (threadIdx.x == 0) {
    mbarrier_init(shared.q_full, 1);
    shared.k_ring.init(Config::kConsumerWarps);
    shared.v_ring.init(Config::kConsumerWarps);
    mbarrier_publish();
  }
  __syncthreads();
  const int warp = uniform_warp_id();
  if (warp == 0) {
    if (threadIdx.x == 0)
      produce_packed<Config>(shared, sequence, first_row, key_tiles, q_map, k_map, v_map);
  } else {
    consume_packed<Config>(shared, sequence, warp - 1, first_row, key_tiles, scaling, out);
  }
}
