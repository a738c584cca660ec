// Consumers of the variant `tma` that own their rows: SCORES=registers.
//
// A consumer warp takes kRows / kConsumerWarps rows of q, 16 or 32, for all keys, so that scores, probabilities and outputs
// stay in its registers and no warp waits for another: sums of mma have the layout that the second product wants of its
// left operand. What feeds mma.sync is ldmatrix, at 128 bytes a clock of an SM: a warp reads all of K and V for its rows, and
// with 16 rows the reads take longer than the products. 32 rows share them, and take twice the registers.
// Warps are at different places of their tiles, so one warp's exponentials run beside another's products.
#pragma once

#include "ldmatrix.cuh"
#include "mma.cuh"
#include "online_softmax.cuh"

struct OwnRows {
  static constexpr int kM = kRows / kConsumerWarps / 16;  // instructions that cover the warp's rows
  static constexpr int kPanels = kD * static_cast<int>(sizeof(Element)) / kSpan;

  Shared& shared;
  const Shape& shape;
  float scale;  // of scores, times log2(e)
  int warp_row;  // the warp's first row in the tile
  int lane;

  float outputs[kM][kD / 8][4];
  float scores[kM][kTileKeys / 8][4];
  OnlineRow rows[kM][2];
  int visible[kM][2];

  // Where ldmatrix finds a lane's 16 bytes of a tile: `row` and `piece` (0 or 1) of the lane alone. The swizzle depends on
  // row % 8, so that all further steps of 16 rows, 32 bytes and panels are constants: see at().
  __device__ __forceinline__ static u32 lane_place(int row, int piece) {
    return swizzled_offset<kSpan, kSwizzle>(static_cast<u32>(row), static_cast<u32>(16 * piece));
  }
  // `rows` (a multiple of 8) and 32*step bytes further, in a tile of kTileRows rows.
  template <int kTileRows>
  __device__ __forceinline__ static u32 at(u32 tile, u32 lane_place, int rows, int step) {
    constexpr int kSteps = kSpan / 32;  // of a panel
    return tile + (lane_place ^ static_cast<u32>(step % kSteps * 32)) +
           static_cast<u32>(step / kSteps * kTileRows * kSpan + rows * kSpan);
  }

  __device__ __forceinline__ void make_scores(u32 k) {
    const u32 q = shared_address(shared.q) + static_cast<u32>(warp_row * kSpan);
    const u32 q_place = lane_place(lane % 16, lane / 16);
    const u32 k_place = lane_place(lane % 8 + lane / 16 * 8, lane / 8 % 2);
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int n = 0; n < kTileKeys / 8; ++n) scores[m][n][0] = scores[m][n][1] = scores[m][n][2] = scores[m][n][3] = 0;
    }
#pragma unroll
    for (int step = 0; step < kD / 16; ++step) {
      u32 left[kM][4];
#pragma unroll
      for (int m = 0; m < kM; ++m)
        ldmatrix_x4(left[m], at<kRows>(q, q_place, 16 * m, step));
#pragma unroll
      for (int n = 0; n < kTileKeys / 16; ++n) {
        // Keys 0 to 7 and 8 to 15 of sixteen, each with the lower and the upper half of the step.
        u32 words[4];
        ldmatrix_x4(words, at<kTileKeys>(k, k_place, 16 * n, step));
        const u32 right[2][2] = {{words[0], words[1]}, {words[2], words[3]}};
#pragma unroll
        for (int m = 0; m < kM; ++m) {
          mma<kOperand>(scores[m][2 * n], left[m], right[0]);
          mma<kOperand>(scores[m][2 * n + 1], left[m], right[1]);
        }
      }
    }
  }

  __device__ __forceinline__ void add_outputs(u32 v) {
    const u32 v_place = lane_place(lane % 16, lane / 16);
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
        ldmatrix_x4_transposed(words, at<kTileKeys>(v, v_place, 16 * step, n));
        const u32 right[2][2] = {{words[0], words[1]}, {words[2], words[3]}};
#pragma unroll
        for (int m = 0; m < kM; ++m) {
          mma<kOperand>(outputs[m][2 * n], left[m], right[0]);
          mma<kOperand>(outputs[m][2 * n + 1], left[m], right[1]);
        }
      }
    }
  }

  // Scores become probabilities, and what was summed before is rescaled where the maximum rose.
  __device__ __forceinline__ void exponentials(int first_key, bool masked) {
    if (masked) {
#pragma unroll
      for (int m = 0; m < kM; ++m) {
#pragma unroll
        for (int n = 0; n < kTileKeys / 8; ++n) {
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            if (first_key + 8 * n + 2 * (lane % 4) + i % 2 >= visible[m][i / 2]) scores[m][n][i] = -kInfinity;
          }
        }
      }
    }
    bool changed = false;
    float factors[kM][2];
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        float largest = -kInfinity;
#pragma unroll
        for (int n = 0; n < kTileKeys / 8; ++n)
          largest = fmaxf(largest, fmaxf(scores[m][n][2 * row], scores[m][n][2 * row + 1]));
        factors[m][row] = rows[m][row].raise<kSlack>(quad_max(largest), scale);
        changed |= factors[m][row] != 1.0f;
        const float shift = rows[m][row].shift(scale);
        float even = 0, odd = 0;
#pragma unroll
        for (int n = 0; n < kTileKeys / 8; ++n) {
          float& left = scores[m][n][2 * row];
          float& right = scores[m][n][2 * row + 1];
          left = exp2_approx(left * scale - shift);
          right = exp2_approx(right * scale - shift);
          even += left;
          odd += right;
        }
        rows[m][row].sum += even + odd;
      }
    }
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

  __device__ __forceinline__ void step(int tile, bool masked, Place<kStages>& place) {
    shared.k_ring.wait(place);
    make_scores(shared_address(shared.k[place.stage]));
    shared.k_ring.release_reads(place);
    exponentials(tile * kTileKeys, masked);
    shared.v_ring.wait(place);
    add_outputs(shared_address(shared.v[place.stage]));
    shared.v_ring.release_reads(place);
    ++place;
  }

  // `first_row` is the tile's first row in its head, whose rows of the result begin at `out`.
  __device__ __forceinline__ void run(int first_row, Element* out) {
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int n = 0; n < kD / 8; ++n) outputs[m][n][0] = outputs[m][n][1] = outputs[m][n][2] = outputs[m][n][3] = 0;
#pragma unroll
      for (int row = 0; row < 2; ++row)
        visible[m][row] = shape.visible_keys(min(first_row + warp_row + 16 * m + 8 * row + lane / 4, shape.q_len - 1));
    }
    const int unmasked = shape.visible_keys(min(first_row + warp_row, shape.q_len - 1));
    const auto is_masked = [&](int tile) { return (tile + 1) * kTileKeys > unmasked; };
    int tile = count_key_tiles<kRows, kTileKeys>(shape, first_row) - 1;
    Place<kStages> place;
    mbarrier_wait(shared.q_full, 0);
    if constexpr (kMask == Mask::split) {
#pragma unroll 1
      for (; tile >= 0 && is_masked(tile); --tile) step(tile, true, place);
#pragma unroll 1
      for (; tile >= 0; --tile) step(tile, false, place);
    } else {
#pragma unroll 1
      for (; tile >= 0; --tile) step(tile, is_masked(tile), place);
    }
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        const int at = first_row + warp_row + 16 * m + 8 * row + lane / 4;
        const float total = rows[m][row].total();
        const float normal = total == 0 ? 0.0f : 1 / total;  // a row that sees no key is 0
        if (at >= shape.q_len) continue;
        Element* to = out + static_cast<i64>(at) * kD + 2 * (lane % 4);
#pragma unroll
        for (int n = 0; n < kD / 8; ++n) {
          *reinterpret_cast<u32*>(to + 8 * n) =
              pack_pair<Element>(outputs[m][n][2 * row] * normal, outputs[m][n][2 * row + 1] * normal);
        }
      }
    }
  }
};
