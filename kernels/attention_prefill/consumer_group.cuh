// A warpgroup of wgmma.cu that calculates: 64 rows of q against all keys that they see.
//
// Scores, probabilities and outputs stay in registers. Thread t holds columns 8*i + 2*(t%4) and the
// next, for all i, of rows r = 16*(t/32) + (t%32)/4 and r + 8: that is how wgmma leaves its sums
// and how it expects its left operand (wgmma.cuh). Row results therefore need two exchanges within
// a quad, and no shared memory.
//
// wgmma is asynchronous. Registers may be touched at these times:
//   scores          between wgmma_wait<1> (with overlap; else <0>) and the next issue_scores()
//   probabilities   not between issue_outputs() and wgmma_wait<0>: the tensor cores read them
//   outputs         the same, which is why rescale() comes after that wait
//
// Config says what the kernel chose: Element, kOperand, kD, kTileKeys, kStages, kGroups, kSlack,
// kOverlap, kPingPong, kSplitMask and kDescending. Shared is the block's shared memory: q of all
// groups, the stages k and v, and the rings q_ring, k_ring and v_ring.
#pragma once

#include "mbarrier.cuh"
#include "online_softmax.cuh"
#include "packet.cuh"
#include "pipeline.cuh"
#include "roles.cuh"
#include "row_store.cuh"
#include "scaling.cuh"
#include "tiles.cuh"
#include "wgmma.cuh"
#include "wgmma_operand.cuh"

constexpr int kGroupRows = 64;  // of q, one instruction's worth
constexpr int kGroupThreads = 128;

// A warpgroup's 64 rows of one tile. A lane holds columns of two rows, 8 apart.
template <typename Config, typename Shared, typename Scaling>
struct ConsumerGroup {
  using Element = typename Config::Element;
  static constexpr Operand kOperand = Config::kOperand;
  static constexpr int kD = Config::kD, kTileKeys = Config::kTileKeys;

  Shared& shared;
  typename Scaling::template Rows<2> scale;  // of scores, times log2(e)
  int group;
  int lane;
  Place<Config::kStages> k_place, v_place;

  // A thread with d 128 and tiles of 128 keys has 64 + 64 + 32 registers here, hence setmaxnreg.
  // Scores of the next tile and probabilities of this one live at the same time when products
  // overlap.
  float outputs[kD / 2];
  float scores[kTileKeys / 2];
  u32 probabilities[kTileKeys / 16][4];
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

  // Starts scores = q * k^T of the tile at k_place; it runs until wgmma_wait. Both operands are in
  // shared memory; the first instruction replaces what the sums held.
  __device__ __forceinline__ void issue_scores() {
    const u32 q = shared_address(shared.q) + static_cast<u32>(group) * Shared::kQueryBytes;
    const u32 k = shared_address(shared.k) + static_cast<u32>(k_place.stage) * Shared::kTileBytes;
    wgmma_ss<kOperand, kTileKeys, false>(scores, tile_descriptor(q, kGroupRows, 0),
                                         tile_descriptor(k, kTileKeys, 0));
#pragma unroll
    for (int step = 1; step < kD / 16; ++step)
      wgmma_ss<kOperand, kTileKeys, true>(scores, tile_descriptor(q, kGroupRows, step),
                                          tile_descriptor(k, kTileKeys, step));
    wgmma_commit();
  }

  // Starts outputs += probabilities * v of the tile at v_place. The left operand comes from
  // registers, where the exponentials left it, so probabilities are never written to memory.
  __device__ __forceinline__ void issue_outputs() {
    const u32 v = shared_address(shared.v) + static_cast<u32>(v_place.stage) * Shared::kTileBytes;
#pragma unroll
    for (int step = 0; step < kTileKeys / 16; ++step)
      wgmma_rs<kOperand, kD, true, true>(outputs, probabilities[step],
                                         transposed_tile_descriptor(v, kTileKeys, step));
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

  // Turns scores into exp2(score - maximum); `factors` rescale what was summed before.
  __device__ __forceinline__ void exponentials(int tile, bool masked, float (&factors)[2]) {
    const auto at = [&](int n, int i) -> float& { return scores[4 * n + i]; };
    if (masked) mask_scores<kTileKeys / 8>(at, tile * kTileKeys + 2 * (lane % 4), visible);
    raise_and_exponentiate<kTileKeys / 8, Config::kSlack>(at, scale, rows, factors);
  }

  __device__ __forceinline__ void rescale(const float (&factors)[2]) {
    // After the first tiles there is mostly nothing to do.
    if (!__any_sync(0xffffffffu, factors[0] != 1.0f || factors[1] != 1.0f)) return;
#pragma unroll
    for (int i = 0; i < kD / 2; ++i) outputs[i] *= factors[i / 2 % 2];
  }

  // Packs scores into 16-bit pairs in the order of the left operand. Only when the product that
  // reads the previous tile's probabilities has completed.
  __device__ __forceinline__ void pack() {
#pragma unroll
    for (int step = 0; step < kTileKeys / 16; ++step) {
#pragma unroll
      for (int i = 0; i < 4; ++i)
        probabilities[step][i] =
            pack_pair<Element>(scores[8 * step + 2 * i], scores[8 * step + 2 * i + 1]);
    }
  }

  // Computes the scores of `tile` while the product of the tile before it with V is added.
  __device__ __forceinline__ void overlapped_step(int tile, bool masked) {
    shared.k_ring.wait(k_place);
    await_turn();
    wgmma_fence();
    issue_scores();
    shared.v_ring.wait(v_place);
    issue_outputs();
    pass_turn();
    wgmma_wait<1>();  // groups end in the order in which they were committed: these are the scores
    wgmma_settle(scores);
    release_k();
    float factors[2];
    exponentials(tile, masked, factors);  // overlaps the product with V
    // ptxas moves a wait for wgmma up to where its block of instructions begins. So exponentials
    // end a block, with a loop that leaves a barrier which is through already at once.
    wgmma_settle(scores);
    shared.v_ring.wait(v_place);
    wgmma_wait<0>();
    wgmma_settle(outputs);
    release_v();
    rescale(factors);
    pack();
  }

  // Scores, exponentials and product of one tile in sequence.
  __device__ __forceinline__ void plain_step(int tile, bool masked) {
    shared.k_ring.wait(k_place);
    await_turn();
    wgmma_fence();
    issue_scores();
    pass_turn();
    wgmma_wait<0>();
    wgmma_settle(scores);
    release_k();
    float factors[2];
    exponentials(tile, masked, factors);
    rescale(factors);
    pack();
    finish_outputs();
  }

  // The product of the latest probabilities with V, with nothing overlapping it.
  __device__ __forceinline__ void finish_outputs() {
    shared.v_ring.wait(v_place);
    wgmma_fence();
    issue_outputs();
    wgmma_wait<0>();
    wgmma_settle(outputs);
    release_v();
  }

  // Whether some row of the warpgroup does not see all of the tile; the same for all of its
  // threads.
  __device__ __forceinline__ bool is_masked(int tile) const {
    return (tile + 1) * kTileKeys > unmasked;
  }

  __device__ __forceinline__ void step(int tile, bool masked) {
    if constexpr (Config::kOverlap)
      overlapped_step(tile, masked);
    else
      plain_step(tile, masked);
  }

  // All tiles of keys of one tile of rows. Gives q back to the producer as early as it can.
  __device__ __forceinline__ void attend(int key_tiles, Place<1>& q_place) {
#pragma unroll
    for (int i = 0; i < kD / 2; ++i) outputs[i] = 0;
    int done = 0;
    // Overlapping runs one tile behind: the first tile's scores run without a product, and the last
    // product without scores.
    if constexpr (Config::kOverlap) {
      if (key_tiles > 0) {
        shared.k_ring.wait(k_place);
        wgmma_fence();
        issue_scores();
        settle_scales(scale);
        wgmma_wait<0>();
        wgmma_settle(scores);
        release_k();
        const int tile = key_tile<Config::kDescending>(0, key_tiles);
        float factors[2];
        exponentials(tile, is_masked(tile), factors);
        pack();
        done = 1;
      }
    } else {
      settle_scales(scale);
    }
    constexpr bool kDescending = Config::kDescending;
    if constexpr (Config::kSplitMask) {
      constexpr bool kFirst = kDescending;  // whether the first tiles are those that the mask cuts
#pragma unroll 1
      for (; done < key_tiles && is_masked(key_tile<kDescending>(done, key_tiles)) == kFirst;
           ++done)
        step(key_tile<kDescending>(done, key_tiles), kFirst);
#pragma unroll 1
      for (; done < key_tiles; ++done) step(key_tile<kDescending>(done, key_tiles), !kFirst);
    } else {
#pragma unroll 1
      for (; done < key_tiles; ++done)
        step(key_tile<kDescending>(done, key_tiles),
             is_masked(key_tile<kDescending>(done, key_tiles)));
    }
    // Tells the compiler that the warp has converged. Without it the next tile's loops guard their
    // exchanges against a divergence that cannot happen, which takes a sixth more instructions.
    __syncwarp();
    shared.q_ring.release(q_place);  // by every lane for itself: each has read shared.tile
    ++q_place;
    if constexpr (Config::kOverlap) {
      if (key_tiles > 0) finish_outputs();
    }
  }

  // `first_row` is the lane's first row in `out`, which begins at the tile's head. It is stored
  // straight from registers, because q's shared memory already belongs to the next tile.
  __device__ __forceinline__ void store(Element* out, int first_row, int q_len) const {
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const int at = first_row + 8 * row;
      const float total = rows[row].total();
      const auto sum = [&](int n, int i) { return outputs[4 * n + 2 * row + i]; };
      store_row<kD>(out + static_cast<i64>(at) * kD, lane, sum, total, at < q_len);
    }
  }
};
