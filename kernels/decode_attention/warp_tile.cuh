// A warp's arithmetic on a tile of keys and values in shared memory, by mma.sync.
//
// Keys are the M of the instruction and queries its N: S^T[16 keys x 8 queries] = K Q^T and
// O^T[16 columns x 8 queries] += V^T P^T. With queries as M, sixteen rows would be paid for where
// four or eight share a head. In numbers, 16 keys of d 128 (8 KiB of cache in 16 bits) take 16
// ldmatrix, 16 mma and some 60 other instructions, while an SM gets 20 bytes per clock from memory,
// that is four times 400 instructions for those 8 KiB: arithmetic is far from the limit even with
// one query per head, and warps need not be many.
//
// Fragments, with g = lane/4 and q = lane%4 (mma.cuh): scores of a lane are those of keys g and
// g + 8 for queries 2q and 2q + 1; the right operand of the second product wants query g, keys 2q,
// 2q + 1 and the same plus 8. transpose_8x8 turns one into the other. Outputs of a lane are columns
// g and g + 8 of each 16, for queries 2q and 2q + 1, so a row's maximum and factor are where its
// outputs are.
//
// Tiles lie as tensor maps leave them: panels of kSpan bytes of every row, [panel][key][kSpan],
// swizzled by kSpan. The eight rows that ldmatrix reads as one matrix then lie in different banks.
#pragma once

#include "ldmatrix.cuh"
#include "mma.cuh"
#include "packet.cuh"
#include "tma.cuh"
#include "warp.cuh"
#include "work.cuh"

// A word of two 16-bit numbers per lane, of row g and columns 2q and 2q + 1: gives row 2q and
// 2q + 1 of column g.
__device__ __forceinline__ u32 transpose_8x8(u32 word) {
  const int lane = lane_id();
  const int from = 8 * (lane % 4) + lane / 8;
  const u32 even = __shfl_sync(kFullMask, word, from), odd = __shfl_sync(kFullMask, word, from + 4);
  return __byte_perm(even, odd, (lane & 4) != 0 ? 0x7632 : 0x5410);
}

// Over lanes with the same q, which hold the keys of a query.
template <typename Operator>
__device__ __forceinline__ float reduce_keys(float value, Operator combine) {
#pragma unroll
  for (int distance = 4; distance < 32; distance *= 2)
    value = combine(value, __shfl_xor_sync(kFullMask, value, distance));
  return value;
}

// Config: Element, kOperand, kD, kRows, kTile, kSlack.
template <typename Config>
struct WarpTile {
  using Element = typename Config::Element;
  static constexpr Operand kOperand = Config::kOperand;
  static constexpr int kD = Config::kD, kTile = Config::kTile, kSlack = Config::kSlack;
  static constexpr int kN = Config::kRows / 8;  // instructions side by side
  static constexpr int kGroups = kTile / 16;    // of keys
  static constexpr int kSteps = kD / 16;        // of columns
  static constexpr int kRowBytes = kD * 2;
  static constexpr int kSpan = kRowBytes < 128 ? kRowBytes : 128;
  static constexpr u32 kBytes = kTile * kRowBytes;  // of a tile of K or of V

  float scale;  // of scores, times log2(e)
  int lane;
  u32 place;  // the lane's place in a block of 16 keys and 32 bytes

  u32 query[kN][kSteps][2];
  float out[kN][kSteps][4];
  float maximum[kN][2], sum[kN][2];  // sums are of the lane's own keys
  int position[kN][2];               // of the queries of the scores; -1: there is none

  __device__ __forceinline__ explicit WarpTile(float score_scale)
      : scale(score_scale),
        lane(lane_id()),
        place(swizzled_offset<kSpan, kSpan>(static_cast<u32>(lane_id() % 16),
                                            static_cast<u32>(lane_id() / 16 * 16))) {}

  // Fragments straight from memory: 2 KiB, once per piece.
  __device__ __forceinline__ void begin(const Element* __restrict__ q, const Shape& shape,
                                        const Piece& piece, int length) {
    const int group = shape.group, rows = shape.rows();
    const int first_row = piece.query_part * Config::kRows;
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      const int row = first_row + 8 * n + lane / 4;
      const int t = row / group;
      const i64 at = (static_cast<i64>(piece.sequence) * shape.q_len + t) * shape.heads +
                     piece.kv_head * group + row - t * group;
      const u32* const words = reinterpret_cast<const u32*>(q + at * kD) + lane % 4;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        query[n][step][0] = row < rows ? __ldg(words + 8 * step) : 0;
        query[n][step][1] = row < rows ? __ldg(words + 8 * step + 4) : 0;
      }
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int of_scores = first_row + 8 * n + 2 * (lane % 4) + i;
        position[n][i] = of_scores < rows ? max(-1, length - shape.q_len + of_scores / group) : -1;
        maximum[n][i] = -kInfinity;
        sum[n][i] = 0;
      }
#pragma unroll
      for (int step = 0; step < kSteps; ++step)
#pragma unroll
        for (int i = 0; i < 4; ++i) out[n][step][i] = 0;
    }
  }

  // The lane's address in the block at key `first_key` and byte 32*step of a tile.
  [[nodiscard]] __device__ __forceinline__ u32 address(u32 tile, int first_key, int step) const {
    const int panel = 32 * step / kSpan, byte = 32 * step % kSpan;
    return tile + static_cast<u32>((panel * kTile + first_key) * kSpan) +
           (place ^ static_cast<u32>(byte));
  }

  // Adds a tile whose first key is `key`. kMasked: some query does not see some of its keys, which
  // may then be anything, or not have been loaded at all where a group of 16 is seen by none.
  template <bool kMasked>
  __device__ __forceinline__ void add(u32 k_tile, u32 v_tile, int key, const Visible& visible) {
    float scores[kGroups][kN][4] = {};
    bool some[kGroups];
#pragma unroll
    for (int group = 0; group < kGroups; ++group)
      some[group] = !kMasked || visible.some(key + 16 * group, 16);
      // Groups are the inner loop: sums of one group wait for each other, those of two do not.
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
        if (!some[group]) continue;
        u32 keys[4];
        ldmatrix_x4(keys, address(k_tile, 16 * group, step));
#pragma unroll
        for (int n = 0; n < kN; ++n) mma<kOperand>(scores[group][n], keys, query[n][step]);
      }
    }
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
#pragma unroll
      for (int n = 0; n < kN; ++n) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          float& score = scores[group][n][i];
          score *= scale;
          // Replaced, not added to: a score of what nobody wrote may be NaN.
          if (kMasked && !visible.to(position[n][i % 2], key + 16 * group + lane / 4 + i / 2 * 8))
            score = -kInfinity;
        }
      }
    }
    raise(scores);
    u32 weights[kGroups][kN][2];
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      float shift[2];
#pragma unroll
      for (int i = 0; i < 2; ++i)
        shift[i] = maximum[n][i] == -kInfinity ? 0.0f : maximum[n][i];  // 2^(-inf - 0) is 0
#pragma unroll
      for (int group = 0; group < kGroups; ++group) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          float& weight = scores[group][n][i];
          weight = exp2_approx(weight - shift[i % 2]);
          sum[n][i % 2] += weight;
        }
#pragma unroll
        for (int half = 0; half < 2; ++half)
          weights[group][n][half] = transpose_8x8(
              pack_pair<Element>(scores[group][n][2 * half], scores[group][n][2 * half + 1]));
      }
    }
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      if (!some[group]) continue;
      // Values that no query sees have weight 0, but 0*NaN is NaN: they are replaced by 0. A lane
      // has keys 2q and 2q + 1 in one word and the same plus 8 in another.
      u32 seen[2];
      if constexpr (kMasked) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int first = key + 16 * group + 8 * half + 2 * (lane % 4);
          seen[half] = (visible.to_any(first) ? 0x0000ffffu : 0) |
                       (visible.to_any(first + 1) ? 0xffff0000u : 0);
        }
      }
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        u32 words[4];
        ldmatrix_x4_transposed(words, address(v_tile, 16 * group, step));
        if constexpr (kMasked) {
#pragma unroll
          for (int i = 0; i < 4; ++i) words[i] &= seen[i % 2];
        }
        const u32 values[4] = {words[0], words[2], words[1], words[3]};
#pragma unroll
        for (int n = 0; n < kN; ++n) mma<kOperand>(out[n][step], values, weights[group][n]);
      }
    }
  }

  // Brings maxima up to date. Six exchanges find a new maximum; as long as no score is more than
  // 2^kSlack times what the old one stands for, a vote is all, and nothing is rescaled. Weights are
  // then at most 2^kSlack, which f16 holds to 2^15.
  __device__ __forceinline__ void raise(const float (&scores)[kGroups][kN][4]) {
    float top[kN][2];
    bool higher = false;
#pragma unroll
    for (int n = 0; n < kN; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        top[n][i] = fmaxf(scores[0][n][i], scores[0][n][i + 2]);
#pragma unroll
        for (int group = 1; group < kGroups; ++group)
          top[n][i] = fmaxf(top[n][i], fmaxf(scores[group][n][i], scores[group][n][i + 2]));
        higher |= top[n][i] > maximum[n][i] + kSlack;
      }
    }
    if (!__any_sync(kFullMask, higher)) return;
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      float factor[2];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float larger = fmaxf(maximum[n][i], reduce_keys(top[n][i], Max{}));
        factor[i] = maximum[n][i] == larger ? 1.0f : exp2_approx(maximum[n][i] - larger);
        maximum[n][i] = larger;
        sum[n][i] *= factor[i];
      }
#pragma unroll
      for (int step = 0; step < kSteps; ++step)
#pragma unroll
        for (int i = 0; i < 4; ++i) out[n][step][i] *= factor[i % 2];
    }
  }

  // Leaves what the warp has of a piece for the block.
  template <typename Space>
  __device__ __forceinline__ void publish(Space& space, int warp) {
#pragma unroll
    for (int n = 0; n < kN; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const int row = 8 * n + 2 * (lane % 4) + i;
        const float total = reduce_keys(sum[n][i], Sum{});
        if (lane < 4) {
          space.maximum[warp][row] = maximum[n][i];
          space.sum[warp][row] = total;
        }
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
          space.out[warp][row][16 * step + lane / 4] = out[n][step][i];
          space.out[warp][row][16 * step + lane / 4 + 8] = out[n][step][i + 2];
        }
      }
    }
  }
};
