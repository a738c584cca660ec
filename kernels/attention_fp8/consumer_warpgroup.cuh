// A warpgroup of wgmma.cu that calculates: 64 rows of q against all keys that they see.
//
// As consumer_group.cuh of attention_prefill: scores, probabilities and outputs stay in registers,
// and what wgmma works on may not be touched until it has been waited for. Different is
//   the layout of probabilities and V       values.cuh
//   what the scores' scale is               q_scale * k_scale of the head are in it, and v_scale is
//                                           in the last division: scales cost nothing per score
//   kSeparateSums                           Hopper's tensor cores align what they add of fp8 to the
//                                           largest term and keep 13 bits behind its leading one
//                                           (DeepSeek-V3 technical report, 2024, section 3.3.2). A
//                                           sum over thousands of keys of one sign stops growing
//                                           so: at 4,096 keys a new term loses a quarter. Each
//                                           tile's product is therefore summed for itself, over 128
//                                           keys, and added in f32, in the multiply-add that
//                                           rescales what was there. 64 more registers.
//
// Config says what the kernel chose: Value, kD, kTileKeys, kStages, kGroups, kSlack, kPolynomials,
// kOverlap, kLateWait, kPingPong and kSeparateSums. Shared is the block's shared memory: q of all
// groups, the stages k and v, and the rings q_ring, k_ring and v_ring.
#pragma once

#include "mbarrier.cuh"
#include "online_softmax.cuh"
#include "pipeline.cuh"
#include "probabilities.cuh"
#include "roles.cuh"
#include "row_store.cuh"
#include "tiles.cuh"
#include "values.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

constexpr int kGroupRows = 64;  // of q, one instruction's worth
constexpr int kGroupThreads = 128;

// A warpgroup's 64 rows of one tile. A lane holds columns of two rows, 8 apart.
template <typename Config, typename Shared>
struct ConsumerWarpgroup {
  static constexpr int kD = Config::kD, kTileKeys = Config::kTileKeys;
  static constexpr bool kSeparateSums = Config::kSeparateSums;
  using Tile = ValueTile<typename Config::Value, kTileKeys, kD>;

  Shared& shared;
  int group;
  int lane;
  Place<Config::kStages> k_place, v_place;
  float scale;  // of scores, times log2(e)

  // Registers of a thread with d 128, tiles of 128 keys, V in e4m3 and separate sums: 64 + 64 + 64
  // + 16.
  float outputs[kD / 2];
  float product[kSeparateSums ? kD / 2 : 1];  // of one tile of V
  float scores[kTileKeys / 2];
  u32 probabilities[Tile::kSteps][4];
  float pending[2];  // separate sums: factors that outputs still lack
  OnlineRow rows[2];
  int visible[2];  // keys of the rows
  int unmasked;    // keys that all rows of the warpgroup see

  // Warpgroups take turns: group g issues when the one before it has issued.
  __device__ __forceinline__ void await_turn() const {
    if constexpr (Config::kPingPong) named_barrier_sync<2 * kGroupThreads>(1 + group);
  }
  __device__ __forceinline__ void pass_turn() const {
    if constexpr (Config::kPingPong)
      named_barrier_arrive<2 * kGroupThreads>(1 + (group + 1 == Config::kGroups ? 0 : group + 1));
  }

  // Starts scores = q * k^T of the tile at k_place; it runs until wgmma_wait. A row of q or k is
  // 128 bytes, four instructions.
  __device__ __forceinline__ void issue_scores() {
    const u32 q = shared_address(shared.q) + static_cast<u32>(group) * Shared::kQueryBytes;
    const u32 k = shared_address(shared.k) + static_cast<u32>(k_place.stage) * Shared::kKeyBytes;
    wgmma_ss<Operand::e4m3, kTileKeys, false>(scores, panel_descriptor<128>(q, kGroupRows, 0),
                                              panel_descriptor<128>(k, kTileKeys, 0));
#pragma unroll
    for (int step = 1; step < kD / 32; ++step)
      wgmma_ss<Operand::e4m3, kTileKeys, true>(scores, panel_descriptor<128>(q, kGroupRows, step),
                                               panel_descriptor<128>(k, kTileKeys, step));
    wgmma_commit();
  }

  // Starts the product of probabilities with the tile at v_place: added to outputs, or for itself.
  __device__ __forceinline__ void issue_outputs() {
    const u32 v = shared_address(shared.v) + static_cast<u32>(v_place.stage) * Shared::kValueBytes;
    if constexpr (kSeparateSums) {
      wgmma_rs<Tile::kOperand, kD, false, Tile::kTransposed>(product, probabilities[0],
                                                             Tile::descriptor(v, 0));
#pragma unroll
      for (int step = 1; step < Tile::kSteps; ++step)
        wgmma_rs<Tile::kOperand, kD, true, Tile::kTransposed>(product, probabilities[step],
                                                              Tile::descriptor(v, step));
    } else {
#pragma unroll
      for (int step = 0; step < Tile::kSteps; ++step)
        wgmma_rs<Tile::kOperand, kD, true, Tile::kTransposed>(outputs, probabilities[step],
                                                              Tile::descriptor(v, step));
    }
    wgmma_commit();
  }

  // Called when the wgmma that read the tile has completed. All 32 lanes are here, since wgmma_wait
  // is for whole warps.
  __device__ __forceinline__ void release_k() {
    if (lane == 0) shared.k_ring.release(k_place);
    ++k_place;
  }
  __device__ __forceinline__ void release_v() {
    if (lane == 0) shared.v_ring.release(v_place);
    ++v_place;
  }

  // Waits for the product and takes it in. With separate sums the factors of the softmax before it
  // are applied here, because outputs of earlier tiles lack them and the product does not.
  __device__ __forceinline__ void take_outputs() {
    wgmma_wait<0>();
    if constexpr (kSeparateSums) {
      wgmma_settle(product);
      release_v();
#pragma unroll
      for (int i = 0; i < kD / 2; ++i) outputs[i] = outputs[i] * pending[i / 2 % 2] + product[i];
    } else {
      wgmma_settle(outputs);
      release_v();
    }
  }

  [[nodiscard]] __device__ __forceinline__ auto scores_at() {
    return [this](int n, int i) -> float& { return scores[4 * n + i]; };
  }

  // Turns scores into probabilities; `factors` rescale what was summed before. kMasked: some row
  // may not see all of the tile.
  template <bool kMasked>
  __device__ __forceinline__ void exponentials(int tile, float (&factors)[2]) {
    const auto at = scores_at();
    if constexpr (kMasked)
      mask_keys<Tile, kTileKeys>(at, tile * kTileKeys + Tile::lane_key(lane), visible);
    exponentiate<Tile, kTileKeys, Config::kSlack, kMasked ? 0 : Config::kPolynomials>(
        at, scale, rows, factors);
  }

  // Packs the probabilities for the next product, and rescales what was summed before. Only when no
  // product reads the last ones: packing earlier takes a second set of registers and a move each,
  // and ptxas serialises wgmma (C7513) if it can see through the move.
  __device__ __forceinline__ void adopt(const float (&factors)[2]) {
    Tile::pack(scores_at(), probabilities);
    if constexpr (kSeparateSums) {
      pending[0] = factors[0];
      pending[1] = factors[1];
    } else {
      // After the first tiles there is mostly nothing to do.
      if (!__any_sync(0xffffffffu, factors[0] != 1.0f || factors[1] != 1.0f)) return;
#pragma unroll
      for (int i = 0; i < kD / 2; ++i) outputs[i] *= factors[i / 2 % 2];
    }
  }

  // Computes the scores of `tile` while the product of the tile before it with V runs.
  template <bool kMasked>
  __device__ __forceinline__ void overlapped_step(int tile) {
    shared.k_ring.wait(k_place);
    await_turn();
    wgmma_fence();
    issue_scores();
    shared.v_ring.wait(v_place);
    wgmma_fence();  // after a loop in which ptxas sees no fence it puts one here
    issue_outputs();
    pass_turn();
    wgmma_wait<1>();  // groups end in the order in which they were committed: these are the scores
    wgmma_settle(scores);
    release_k();
    float factors[2];
    exponentials<kMasked>(tile, factors);  // overlaps the product with V
    // ptxas moves a wait for wgmma up to where its block of instructions begins: before all
    // exponentials with kSeparateSums, else, where raise() branches, before those of the second
    // row. So they end a block, with a loop that leaves a barrier which is through already at once.
    if constexpr (Config::kLateWait) {
      wgmma_settle(scores);
      shared.v_ring.wait(v_place);
    }
    take_outputs();
    adopt(factors);
  }

  // Scores, exponentials and product of one tile in sequence.
  template <bool kMasked>
  __device__ __forceinline__ void plain_step(int tile) {
    shared.k_ring.wait(k_place);
    await_turn();
    wgmma_fence();
    issue_scores();
    pass_turn();
    wgmma_wait<0>();
    wgmma_settle(scores);
    release_k();
    float factors[2];
    exponentials<kMasked>(tile, factors);
    adopt(factors);
    finish_outputs();
  }

  // The product of the latest probabilities with V, with nothing overlapping it.
  __device__ __forceinline__ void finish_outputs() {
    shared.v_ring.wait(v_place);
    wgmma_fence();
    issue_outputs();
    take_outputs();
  }

  template <bool kMasked>
  __device__ __forceinline__ void step(int tile) {
    if constexpr (Config::kOverlap)
      overlapped_step<kMasked>(tile);
    else
      plain_step<kMasked>(tile);
  }

  // All tiles of keys of one tile of rows, the last keys first, which the mask cuts: they have a
  // loop of their own. Gives q back to the producer as early as it can.
  __device__ __forceinline__ void attend(int key_tiles, Place<1>& q_place) {
#pragma unroll
    for (int i = 0; i < kD / 2; ++i) outputs[i] = 0;
    int tile = key_tiles - 1;
    // Overlapping runs one tile behind: the first tile's scores run without a product, and the last
    // product without scores.
    if constexpr (Config::kOverlap) {
      if (tile >= 0) {
        shared.k_ring.wait(k_place);
        wgmma_fence();
        issue_scores();
        wgmma_wait<0>();
        wgmma_settle(scores);
        release_k();
        float factors[2];
        exponentials<true>(tile, factors);
        adopt(factors);
        --tile;
      }
    }
#pragma unroll 1
    for (; tile >= 0 && (tile + 1) * kTileKeys > unmasked; --tile) step<true>(tile);
#pragma unroll 1
    for (; tile >= 0; --tile) step<false>(tile);
    // Tells the compiler that the warp has converged. Without it the next tile's loops guard their
    // exchanges against a divergence that cannot happen.
    __syncwarp();
    shared.q_ring.release(q_place);  // by every lane for itself: each has read shared.tile
    ++q_place;
    if constexpr (Config::kOverlap) {
      if (key_tiles > 0) finish_outputs();
    }
  }

  // `first_row` is the lane's first row in `out`, which begins at the tile's head. Stored straight
  // from registers, because q's shared memory already belongs to the next tile.
  __device__ __forceinline__ void store(bf16* out, int first_row, int q_len, float v_scale) const {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const int at = first_row + 8 * row;
      const float total = rows[row].total() / v_scale;  // 0 of a row that sees no key
      const auto sum = [&](int n, int i) { return outputs[4 * n + 2 * row + i]; };
      store_row<kD>(out + static_cast<i64>(at) * kD, lane, sum, total, at < q_len);
    }
  }
};
