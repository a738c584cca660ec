// Consumers of the variant `tma` that own their rows: SCORES=registers.
//
// A consumer warp takes TILE_Q / CONSUMER_WARPS rows of q, 16 or 32, for all keys, so that scores,
// probabilities and outputs stay in its registers and no warp waits for another: sums of mma have
// the layout that the second product needs in its left operand. mma.sync is fed by ldmatrix, at 128
// bytes per clock and SM: a warp reads all of K and V for its rows, and with 16 rows the reads take
// longer than the products. With 32 rows each read serves twice the products, for twice the
// registers. Warps are at different points of their tiles, so one warp's exponentials overlap
// another's products.
//
// Config says what the kernel chose: Element, kOperand, kD, kRows, kTileKeys, kStages,
// kConsumerWarps, kSpan, kSwizzle, kSlack and kSplitMask. Shared is the block's shared memory: q,
// the stages k and v, q_full, k_ring and v_ring.
#pragma once

#include "mma.cuh"
#include "online_softmax.cuh"
#include "packet.cuh"
#include "panels.cuh"
#include "pipeline.cuh"
#include "row_store.cuh"
#include "scaling.cuh"
#include "tiles.cuh"

template <typename Config, typename Shared, typename Scaling>
struct OwnRows {
  using Element = typename Config::Element;
  static constexpr Operand kOperand = Config::kOperand;
  static constexpr int kD = Config::kD, kRows = Config::kRows, kTileKeys = Config::kTileKeys,
                       kSlack = Config::kSlack;
  static constexpr int kConsumerWarps = Config::kConsumerWarps, kSpan = Config::kSpan,
                       kSwizzle = Config::kSwizzle;
  static constexpr int kM = kRows / kConsumerWarps / 16;  // instructions that cover the warp's rows
  static_assert(kRows == 16 * kM * kConsumerWarps);

  Shared& shared;
  int warp_row;  // the warp's first row in the tile
  int lane;
  PanelReader<kSpan, kSwizzle> panels;
  Place<Config::kStages> place;  // of K and V alike

  // Sums of mma: [instruction along the rows][along the columns][row g: two columns, row g + 8: two
  // columns]. With 32 rows, d 128 and tiles of 64 keys: 128 + 64 registers.
  float outputs[kM][kD / 8][4];
  float scores[kM][kTileKeys / 8][4];
  OnlineRow rows[kM][2];
  typename Scaling::template Rows<2> scale[kM];  // of scores, times log2(e)
  int visible[kM][2];                            // keys of the rows

  // Fragments of q are read again for every tile: 32 rows of it would take 64 registers, and none
  // are left.
  __device__ __forceinline__ void make_scores() {
    const u32 q = shared_address(shared.q) + static_cast<u32>(warp_row * kSpan);
    const u32 k = shared_address(shared.k[place.stage]);
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int n = 0; n < kTileKeys / 8; ++n)
        scores[m][n][0] = scores[m][n][1] = scores[m][n][2] = scores[m][n][3] = 0;
    }
#pragma unroll
    for (int step = 0; step < kD / 16; ++step) {
      u32 left[kM][4];
#pragma unroll
      for (int m = 0; m < kM; ++m) panels.template read_left<kRows>(left[m], q, 16 * m, step);
#pragma unroll
      for (int n = 0; n < kTileKeys / 16; ++n) {
        u32 words[4];
        panels.template read_right<kTileKeys>(words, k, 16 * n, step);
        const u32 right[2][2] = {{words[0], words[1]}, {words[2], words[3]}};
#pragma unroll
        for (int m = 0; m < kM; ++m) {
          mma<kOperand>(scores[m][2 * n], left[m], right[0]);
          mma<kOperand>(scores[m][2 * n + 1], left[m], right[1]);
        }
      }
    }
  }

  // Two neighbouring blocks of 8 keys make up the left operand's 16, so packing is all that is done
  // between the two products.
  __device__ __forceinline__ void add_outputs() {
    const u32 v = shared_address(shared.v[place.stage]);
#pragma unroll
    for (int step = 0; step < kTileKeys / 16; ++step) {
      u32 left[kM][4];
#pragma unroll
      for (int m = 0; m < kM; ++m) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float(&pairs)[4] = scores[m][2 * step + half];
          left[m][2 * half] = pack_pair<Element>(pairs[0], pairs[1]);
          left[m][2 * half + 1] = pack_pair<Element>(pairs[2], pairs[3]);
        }
      }
#pragma unroll
      for (int n = 0; n < kD / 16; ++n) {
        u32 words[4];
        panels.template read_right_transposed<kTileKeys>(words, v, 16 * step, n);
        const u32 right[2][2] = {{words[0], words[1]}, {words[2], words[3]}};
#pragma unroll
        for (int m = 0; m < kM; ++m) {
          mma<kOperand>(outputs[m][2 * n], left[m], right[0]);
          mma<kOperand>(outputs[m][2 * n + 1], left[m], right[1]);
        }
      }
    }
  }

  // Turns scores into probabilities, and rescales what was summed before where the maximum rose.
  __device__ __forceinline__ void exponentials(int first_key, bool masked) {
    bool changed = false;
    float factors[kM][2];
#pragma unroll
    for (int m = 0; m < kM; ++m) {
      const auto at = [&](int n, int i) -> float& { return scores[m][n][i]; };
      if (masked) mask_scores<kTileKeys / 8>(at, first_key + 2 * (lane % 4), visible[m]);
      raise_and_exponentiate<kTileKeys / 8, kSlack>(at, scale[m], rows[m], factors[m]);
      changed |= factors[m][0] != 1.0f || factors[m][1] != 1.0f;
    }
    // Rarely needed after the first tiles, and 128 multiplications when it is.
    if (!__any_sync(0xffffffffu, changed)) return;
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int n = 0; n < kD / 8; ++n) {
#pragma unroll
        for (int i = 0; i < 4; ++i) outputs[m][n][i] *= factors[m][i / 2];
      }
    }
  }

  // K goes back to the producer before the exponentials, so that the next tile arrives in the
  // meantime.
  __device__ __forceinline__ void step(int tile, bool masked) {
    shared.k_ring.wait(place);
    make_scores();
    shared.k_ring.release_reads(place);
    exponentials(tile * kTileKeys, masked);
    shared.v_ring.wait(place);
    add_outputs();
    shared.v_ring.release_reads(place);
    ++place;
  }

  // Writes the warp's rows of the tile whose first row is `first_row`; `out` begins at the head.
  __device__ __forceinline__ void store(Element* out, int first_row, int q_len) {
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        const int at = first_row + warp_row + 16 * m + 8 * row + lane / 4;
        const float total = rows[m][row].total();
        const auto sum = [&](int n, int i) { return outputs[m][n][2 * row + i]; };
        store_row<kD>(out + static_cast<i64>(at) * kD, lane, sum, total, at < q_len);
      }
    }
  }
};

// All rows of consumer warp `warp`.
template <typename Config, typename Shared, typename Scaling>
__device__ __forceinline__ void consume_own_rows(Shared& shared, const Shape& shape, int warp,
                                                 int first_row, int key_tiles,
                                                 const Scaling& scaling,
                                                 typename Config::Element* out) {
  using Consumer = OwnRows<Config, Shared, Scaling>;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp_row = warp * 16 * Consumer::kM;
  Consumer consumer{shared, warp_row, lane,
                    PanelReader<Config::kSpan, Config::kSwizzle>(static_cast<u32>(lane))};
#pragma unroll
  for (int m = 0; m < Consumer::kM; ++m) {
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
#pragma unroll
  for (int m = 0; m < Consumer::kM; ++m) settle_scales(consumer.scale[m]);
  for_key_tiles<Config::kTileKeys, Config::kSplitMask>(
      key_tiles, unmasked, [&](int tile, bool masked) { consumer.step(tile, masked); });
  consumer.store(out, first_row, shape.q_len);
}
