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
// A cache of 8 bits is widened to f16 between ldmatrix and mma (cache.cuh), 2.5 instructions for
// two elements, and everything is f16 then. ldmatrix takes two bytes for one number, so a lane has
// four columns of a key where it would have two, and its pairs of the transposed read are two
// columns of a key, not two keys of a column. Columns are therefore renamed: the step of 16 columns
// takes columns 4q, 4q + 1 where its fragment says 2q, 2q + 1, and 4q + 2, 4q + 3 for the same plus
// 8, in keys and queries; outputs of a lane are columns 2g and 2g + 1 of each 16. With q in bf16,
// rows of q are first moved into the range of f16 by a power of two. The scale of a key multiplies
// its scores. The scale s of a value multiplies its weights w = 2^(score - m)*s, which must fit
// into f16 whatever s is: m is the maximum of score + log2(s), and sums are of 2^(score - m).
//
// Tiles lie as tensor maps leave them: panels of kSpan bytes of every row, [panel][key][kSpan],
// swizzled by kSpan. The eight rows that ldmatrix reads as one matrix then lie in different banks.
#pragma once

#include "cache.cuh"
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

// The type that 8 bits are widened to; other types stay as they are.
template <typename Element, typename Cache>
struct OperandElement {
  using Type = f16;
};
template <typename Element>
struct OperandElement<Element, Element> {
  using Type = Element;
};

// The place of a tile: shared addresses of K and V, and of its kTile scales of K, then of V, if
// there are any.
struct TileAt {
  u32 k, v;
  const float* scales;
};

// Config: Element, Cache, kTokenScales, kD, kRows, kTile, kSlack.
template <typename Config>
struct WarpTile {
  using Element = typename Config::Element;
  using Cache = typename Config::Cache;
  using Number = typename OperandElement<Element, Cache>::Type;
  static constexpr Operand kOperand = kOperandOf<Number>;
  static constexpr bool kWiden = sizeof(Cache) == 1, kTokenScales = Config::kTokenScales;
  static constexpr int kD = Config::kD, kTile = Config::kTile, kSlack = Config::kSlack;
  static constexpr int kN = Config::kRows / 8;  // instructions side by side
  static constexpr int kGroups = kTile / 16;    // of keys
  static constexpr int kSteps = kD / 16;        // of columns
  static constexpr int kRowBytes = kD * static_cast<int>(sizeof(Cache));
  static constexpr int kSpan = kRowBytes < 128 ? kRowBytes : 128;
  static constexpr u32 kBytes = kTile * kRowBytes;  // of a tile of K or of V

  float scale;             // of scores, times log2(e)
  float row_scale[kN][2];  // kWiden: of the lane's scores, with what else makes them larger
  float value_scale = 1;   // of all values of the head
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

  // Fragments straight from memory: 2 KiB, once per piece. The scales of the head are 1 where keys
  // have their own.
  __device__ __forceinline__ void begin(const Element* __restrict__ q, const Shape& shape,
                                        const Piece& piece, int length, float key_scale,
                                        float head_value_scale) {
    const int group = shape.group, rows = shape.rows();
    const int first_row = piece.query_part * Config::kRows;
    value_scale = head_value_scale;
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      const int row = first_row + 8 * n + lane / 4;
      const int t = row / group;
      const i64 at = (static_cast<i64>(piece.sequence) * shape.q_len + t) * shape.heads +
                     piece.kv_head * group + row - t * group;
      load_query(n, q + at * kD, row < rows, key_scale);
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

  __device__ __forceinline__ void load_query(int n, const Element* __restrict__ row, bool exists,
                                             float key_scale) {
    if constexpr (!kWiden) {
      const u32* const words = reinterpret_cast<const u32*>(row) + lane % 4;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        query[n][step][0] = exists ? __ldg(words + 8 * step) : 0;
        query[n][step][1] = exists ? __ldg(words + 8 * step + 4) : 0;
      }
    } else {
      const uint2* const words = reinterpret_cast<const uint2*>(row) + lane % 4;
      float largest = 0;
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
        const uint2 pair = exists ? __ldg(words + 4 * step) : make_uint2(0, 0);
        query[n][step][0] = pair.x;
        query[n][step][1] = pair.y;
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float low, high;
          unpack_pair<Element>(query[n][step][i], low, high);
          largest = fmaxf(largest, fmaxf(fabsf(low), fabsf(high)));
        }
      }
      // Divided by the power of two in its largest number, which changes no digit of numbers
      // within 2^-14 of that, and of smaller ones only what is 2^-25 of it.
      largest = fmaxf(largest, __shfl_xor_sync(kFullMask, largest, 1));
      largest = fmaxf(largest, __shfl_xor_sync(kFullMask, largest, 2));
      const u32 exponent =
          min(max(__float_as_uint(largest) & 0x7f800000u, 0x10000000u), 0x70000000u);
      const float power = __uint_as_float(exponent);
      const float inverse = __uint_as_float(0x7f000000u - exponent);
#pragma unroll
      for (int step = 0; step < kSteps; ++step) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
          float low, high;
          unpack_pair<Element>(query[n][step][i], low, high);
          query[n][step][i] = pack_pair<f16>(low * inverse, high * inverse);
        }
      }
      // A lane has columns 2q and 2q + 1 of the scores, whose queries eight other lanes have.
#pragma unroll
      for (int i = 0; i < 2; ++i)
        row_scale[n][i] = __shfl_sync(kFullMask, power, 8 * (lane % 4) + 4 * i) * scale * key_scale;
    }
  }

  // The lane's address in the block at key `first_key` and byte 32*step of a tile.
  [[nodiscard]] __device__ __forceinline__ u32 address(u32 tile, int first_key, int step) const {
    const int panel = 32 * step / kSpan, byte = 32 * step % kSpan;
    return tile + static_cast<u32>((panel * kTile + first_key) * kSpan) +
           (place ^ static_cast<u32>(byte));
  }

  // The scores of 16 keys and 32 bytes of each, added to their sums.
  __device__ __forceinline__ void add_scores(float (&scores)[kN][4], u32 tile, int group,
                                             int block) {
    u32 words[4];
    ldmatrix_x4(words, address(tile, 16 * group, block));
    if constexpr (!kWiden) {
#pragma unroll
      for (int n = 0; n < kN; ++n) mma<kOperand>(scores[n], words, query[n][block]);
    } else {
      // Words 0 and 1 are the first 16 columns of keys g and g + 8, words 2 and 3 the others.
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        u32 keys[4];
        widen<Cache, false>(words[2 * half], keys[0], keys[2]);
        widen<Cache, false>(words[2 * half + 1], keys[1], keys[3]);
#pragma unroll
        for (int n = 0; n < kN; ++n) mma<kOperand>(scores[n], keys, query[n][2 * block + half]);
      }
    }
  }

  // Adds the values of 16 keys, 32 bytes of each. A lane has keys 2q and 2q + 1 in one word and the
  // same plus 8 in another; `seen` masks them.
  template <bool kMasked>
  __device__ __forceinline__ void add_values(const u32 (&weights)[kN][2], u32 tile, int group,
                                             int block, const u32 (&seen)[2]) {
    u32 words[4];
    ldmatrix_x4_transposed(words, address(tile, 16 * group, block));
#pragma unroll
    for (int half = 0; half < (kWiden ? 2 : 1); ++half) {
      u32 values[4];
      if constexpr (!kWiden) {
        values[0] = words[0];
        values[1] = words[2];
        values[2] = words[1];
        values[3] = words[3];
      } else {
        widen<Cache, true>(words[2 * half], values[0], values[1]);
        widen<Cache, true>(words[2 * half + 1], values[2], values[3]);
      }
      if constexpr (kMasked) {
#pragma unroll
        for (int i = 0; i < 4; ++i) values[i] &= seen[i / 2];
      }
#pragma unroll
      for (int n = 0; n < kN; ++n)
        mma<kOperand>(out[n][(kWiden ? 2 : 1) * block + half], values, weights[n]);
    }
  }

  // Adds a tile whose first key is `key`. kMasked: some query does not see some of its keys, which
  // may then be anything, or not have been loaded at all where a group of 16 is seen by none.
  template <bool kMasked>
  __device__ __forceinline__ void add(const TileAt& tile, int key, const Visible& visible) {
    float scores[kGroups][kN][4] = {};
    float value_scales[kGroups][2];
    bool some[kGroups];
#pragma unroll
    for (int group = 0; group < kGroups; ++group)
      some[group] = !kMasked || visible.some(key + 16 * group, 16);
      // Groups are the inner loop: sums of one group wait for each other, those of two do not.
#pragma unroll
    for (int block = 0; block < kRowBytes / 32; ++block) {
#pragma unroll
      for (int group = 0; group < kGroups; ++group)
        if (some[group]) add_scores(scores[group], tile.k, group, block);
    }
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int of_tile = 16 * group + lane / 4 + 8 * half, own = key + of_tile;
        float key_scale = 1;
        value_scales[group][half] = 1;
        if constexpr (kTokenScales) {
          // Scales of keys that no query sees may be NaN as well.
          if (!kMasked || visible.to_any(own)) {
            key_scale = tile.scales[of_tile];
            value_scales[group][half] = tile.scales[kTile + of_tile];
          }
        }
#pragma unroll
        for (int n = 0; n < kN; ++n) {
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            float& score = scores[group][n][2 * half + i];
            score *= (kWiden ? row_scale[n][i] : scale) * key_scale;
            // Replaced, not added to: the score of a key that was never written may be NaN.
            if (kMasked && !visible.to(position[n][i], own)) score = -kInfinity;
          }
        }
      }
    }
    raise(scores, value_scales);
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
        for (int half = 0; half < 2; ++half) {
          float weight[2];
#pragma unroll
          for (int i = 0; i < 2; ++i) {
            weight[i] = exp2_approx(scores[group][n][2 * half + i] - shift[i]);
            sum[n][i] += weight[i];
            if constexpr (kTokenScales) weight[i] *= value_scales[group][half];
          }
          weights[group][n][half] = transpose_8x8(pack_pair<Number>(weight[0], weight[1]));
        }
      }
    }
#pragma unroll
    for (int group = 0; group < kGroups; ++group) {
      if (!some[group]) continue;
      // Values that no query sees have weight 0, but 0*NaN is NaN: they are replaced by 0.
      u32 seen[2] = {};
      if constexpr (kMasked) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int first = key + 16 * group + 8 * half + 2 * (lane % 4);
          seen[half] = (visible.to_any(first) ? 0x0000ffffu : 0) |
                       (visible.to_any(first + 1) ? 0xffff0000u : 0);
        }
      }
#pragma unroll
      for (int block = 0; block < kRowBytes / 32; ++block)
        add_values<kMasked>(weights[group], tile.v, group, block, seen);
    }
  }

  // Brings maxima up to date. Six exchanges find a new maximum; as long as no score is more than
  // 2^kSlack times what the old one stands for, a vote is all, and nothing is rescaled. Weights are
  // then at most 2^kSlack, which f16 holds to 2^15.
  __device__ __forceinline__ void raise(const float (&scores)[kGroups][kN][4],
                                        const float (&value_scales)[kGroups][2]) {
    float top[kN][2];
    bool higher = false;
    float logarithms[kGroups][2];
#pragma unroll
    for (int group = 0; group < kGroups; ++group)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        logarithms[group][half] = kTokenScales ? __log2f(value_scales[group][half]) : 0.0f;
#pragma unroll
    for (int n = 0; n < kN; ++n) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        top[n][i] = -kInfinity;
#pragma unroll
        for (int group = 0; group < kGroups; ++group)
          top[n][i] = fmaxf(top[n][i], fmaxf(scores[group][n][i] + logarithms[group][0],
                                             scores[group][n][i + 2] + logarithms[group][1]));
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
          const int column = 16 * step + (kWiden ? lane / 4 * 2 : lane / 4);
          space.out[warp][row][column] = out[n][step][i] * value_scale;
          space.out[warp][row][column + (kWiden ? 1 : 8)] = out[n][step][i + 2] * value_scale;
        }
      }
    }
  }
};
