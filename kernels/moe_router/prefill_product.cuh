// The product of a router for many tokens on Hopper: a block's logits of 64*kTokenGroups tokens and
// kPart experts over its part of the hidden dimension, by wgmma.
//
// A producer thread starts copies of 64 columns into a ring of kStages; one consumer warpgroup for
// each 64 tokens has all sums in registers. Operands that blocks of a cluster have in common come
// once for all of them, by multicast: the tokens for kShare blocks, the experts for kTokenTiles
// blocks of different tokens. A stage is free when the consumers of all blocks that get their data
// from this one have read it, so consumers arrive at the barriers of all of those.
#pragma once

#include "cluster.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

// A block's place in a cluster of kShare * kTokenTiles blocks for each part of the hidden
// dimension. Neighbouring ranks share tokens.
template <int kShare, int kTokenTiles>
struct ClusterSeat {
  int expert_part, token_tile, k_part;
  __device__ __forceinline__ explicit ClusterSeat(int rank)
      : expert_part(rank % kShare),
        token_tile(rank / kShare % kTokenTiles),
        k_part(rank / (kShare * kTokenTiles)) {}
  __device__ __forceinline__ u32 rank(int part, int tile, int k) const {
    return static_cast<u32>((k * kTokenTiles + tile) * kShare + part);
  }
  // Blocks that get this one's slice of tokens, and of experts.
  __device__ __forceinline__ u32 token_ranks() const {
    return ((1u << kShare) - 1u) << rank(0, token_tile, k_part);
  }
  __device__ __forceinline__ u32 expert_ranks() const {
    u32 ranks = 0;
#pragma unroll
    for (int tile = 0; tile < kTokenTiles; ++tile) ranks |= 1u << rank(expert_part, tile, k_part);
    return ranks;
  }
  // The i-th of the blocks that share copies with this one, itself among them.
  __device__ __forceinline__ u32 partner(int i) const {
    if (i < kShare) return rank(i, token_tile, k_part);
    const int tile = i - kShare;
    return rank(expert_part, tile + (tile >= token_tile ? 1 : 0), k_part);
  }
};

template <int kTokenGroups, int kPart, int kShare, int kTokenTiles, int kStages>
struct PrefillProduct {
  using Seat = ClusterSeat<kShare, kTokenTiles>;
  static constexpr int kRows = 64 * kTokenGroups;  // tokens of a tile
  static constexpr u32 kRowBytes = 128, kStageBytes = (kRows + kPart) * kRowBytes;
  // Rows that a block copies, for itself and others; whole repetitions of the swizzle.
  static constexpr int kRowSlice = kRows / kShare, kPartSlice = kPart / kTokenTiles;
  // Warps that read a stage of a block, in this block and those that share its copies.
  static constexpr u32 kReaders = 4 * kTokenGroups * (kShare + kTokenTiles - 1);
  // Rows of sums, of which a quad holds 8 neighbours of 4 rows at once, are 8 banks apart.
  static constexpr int kLogitStride = kPart + (40 - kPart % 32) % 32;
  static_assert(kPart % 16 == 0 && kPart <= 256);
  static_assert(kRowSlice % 8 == 0 && kPartSlice % 8 == 0 && kPart % 4 == 0);

  struct Stage {
    u8 tokens[kRows * kRowBytes];
    u8 experts[kPart * kRowBytes];
  };
  static_assert(sizeof(Stage) % 1024 == 0);

  struct alignas(1024) Shared {
    union {
      Stage stages[kStages];
      float logits[kRows][kLogitStride];  // once all products are done
    };
    Mbarrier full[kStages];
    Mbarrier empty[kStages];

    // By one thread, before a barrier of the cluster.
    __device__ __forceinline__ void init() {
      for (int stage = 0; stage < kStages; ++stage) {
        mbarrier_init(full[stage], 1);
        mbarrier_init(empty[stage], kReaders);
      }
      mbarrier_publish();
    }
  };

  // By one thread: `steps` stages from a column on, of the tile of tokens and the block's part of
  // the experts that begin at these rows.
  static __device__ __forceinline__ void produce(Shared& shared, const Seat& seat,
                                                 const TensorMap& hidden_map, int first_token,
                                                 const TensorMap& gate_map, int first_expert,
                                                 int first_column, int steps) {
    const int token_row = seat.expert_part * kRowSlice, expert_row = seat.token_tile * kPartSlice;
    Place<kStages> place;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      Stage& stage = shared.stages[place.stage];
      Mbarrier& full = shared.full[place.stage];
      mbarrier_wait(shared.empty[place.stage], place.parity ^ 1);
      mbarrier_expect(full, kStageBytes);
      const int column = first_column + step * 64;
      u8* const tokens = stage.tokens + token_row * static_cast<int>(kRowBytes);
      u8* const experts = stage.experts + expert_row * static_cast<int>(kRowBytes);
      if constexpr (kShare > 1)
        tma_multicast_4d(tokens, hidden_map, column, first_token + token_row, 0, 0, full,
                         seat.token_ranks());
      else
        tma_load_4d(tokens, hidden_map, column, first_token + token_row, 0, 0, full);
      if constexpr (kTokenTiles > 1)
        tma_multicast_4d(experts, gate_map, column, first_expert + expert_row, 0, 0, full,
                         seat.expert_ranks());
      else
        tma_load_4d(experts, gate_map, column, first_expert + expert_row, 0, 0, full);
      ++place;
    }
  }

  // The logits of a warpgroup's 64 tokens and the block's experts, to shared memory. A warp writes
  // 16 tokens.
  static __device__ __forceinline__ void consume(Shared& shared, const Seat& seat, int group,
                                                 int steps) {
    const int lane = lane_id(), warp = warp_id() % 4;
    float sums[kPart / 2] = {};
    wgmma_settle(sums);
    const auto release = [&](int stage) {
      if (lane < kShare + kTokenTiles - 1)
        mbarrier_arrive_remote(shared.empty[stage], seat.partner(lane));
    };
    Place<kStages> place;
    int before = 0;
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      mbarrier_wait(shared.full[place.stage], place.parity);
      const u32 tokens = shared_address(shared.stages[place.stage].tokens) +
                         static_cast<u32>(group) * 64u * kRowBytes;
      const u32 experts = shared_address(shared.stages[place.stage].experts);
      wgmma_fence();
#pragma unroll
      for (int k = 0; k < 4; ++k)
        wgmma_ss<Operand::bf16, kPart, true>(sums, tile_descriptor(tokens, kRows, k),
                                             tile_descriptor(experts, kPart, k));
      wgmma_commit();
      // The products of the step before are done: one step is in flight while the next is issued.
      wgmma_wait<1>();
      if (step > 0) release(before);
      before = place.stage;
      ++place;
    }
    wgmma_wait<0>();
    wgmma_settle(sums);
    // The logits take the place of stages that the other warpgroups may still multiply.
    named_barrier_sync<128 * kTokenGroups>(1);
    float* const corner = &shared.logits[group * 64 + warp * 16 + lane / 4][lane % 4 * 2];
#pragma unroll
    for (int i = 0; i < kPart / 2; i += 2)
      *reinterpret_cast<float2*>(corner + i / 2 % 2 * 8 * kLogitStride + i / 4 * 8) =
          make_float2(sums[i], sums[i + 1]);
  }
};
