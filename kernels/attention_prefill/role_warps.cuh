// A block of tma.cu: a warp that loads, and warps that calculate in one of two ways.
//
// Config says what the kernel chose: what own_rows.cuh and shared_scores.cuh need, and kScores,
// kProducerWarps, kLongestFirst, kRegisters (0: none are moved) and kProducerRegisters. Scaling:
// scaling.cuh.
#pragma once

#include "mbarrier.cuh"
#include "own_rows.cuh"
#include "pipeline.cuh"
#include "producer_warp.cuh"
#include "roles.cuh"
#include "scaling.cuh"
#include "shared_scores.cuh"
#include "tiles.cuh"
#include "tma.cuh"
#include "types.cuh"
#include "warp.cuh"

enum class Scores { shared, registers };

// The shared memory that the consumers of a kind need in addition to the tiles.
template <typename Config, Scores kKind>
struct WorkspaceOf {
  struct Type {};
};
template <typename Config>
struct WorkspaceOf<Config, Scores::shared> {
  using Type = SharedScoresWorkspace<Config>;
};

template <typename Config>
struct alignas(1024) RoleWarpsShared {
  static constexpr u32 kQueryBytes = Config::kRows * Config::kD * sizeof(typename Config::Element);
  static constexpr u32 kTileBytes =
      Config::kTileKeys * Config::kD * sizeof(typename Config::Element);

  u8 q[kQueryBytes];
  u8 k[Config::kStages][kTileBytes];
  u8 v[Config::kStages][kTileBytes];
  typename WorkspaceOf<Config, Config::kScores>::Type workspace;
  Mbarrier q_full;
  Ring<Config::kStages> k_ring;
  Ring<Config::kStages> v_ring;
};

// The whole block: kRows rows of one head. x of the grid counts heads, y tiles of rows.
template <typename Config, typename Scaling>
__device__ __forceinline__ void attend_by_role_warps(RoleWarpsShared<Config>& shared,
                                                     const TensorMap& q_map, const TensorMap& k_map,
                                                     const TensorMap& v_map,
                                                     typename Config::Element* out,
                                                     const Shape& shape, const Scaling& scaling) {
  const int head = static_cast<int>(blockIdx.x);  // of all batch entries
  const int rank = static_cast<int>(blockIdx.y);
  const int first_row =
      Config::kRows * (Config::kLongestFirst ? static_cast<int>(gridDim.y) - 1 - rank : rank);
  const int key_tiles = count_key_tiles<Config::kRows, Config::kTileKeys>(shape, first_row);

  if (threadIdx.x == 0) {
    mbarrier_init(shared.q_full, 1);
    shared.k_ring.init(Config::kConsumerWarps);
    shared.v_ring.init(Config::kConsumerWarps);
    mbarrier_publish();
  }
  __syncthreads();
  const int warp = uniform_warp_id();
  if (warp < Config::kProducerWarps) {
    if constexpr (Config::kRegisters > 0) registers_shrink<Config::kProducerRegisters>();
    if (threadIdx.x == 0)
      produce<Config>(shared, head, shape.kv_head(head), first_row, key_tiles, q_map, k_map, v_map);
  } else {
    if constexpr (Config::kRegisters > 0) registers_grow<Config::kRegisters>();
    const int consumer = warp - Config::kProducerWarps;
    typename Config::Element* head_out = out + static_cast<i64>(head) * shape.q_len * Config::kD;
    if constexpr (Config::kScores == Scores::shared)
      consume_shared_scores<Config>(shared, shape, consumer, first_row, key_tiles, scaling,
                                    head_out);
    else
      consume_own_rows<Config>(shared, shape, consumer, first_row, key_tiles, scaling, head_out);
  }
}
