// A block of wmma.cu: phases between barriers, everything in shared memory.
//
// Config says what the kernel chose: Element, kD, kRows, kKeys (of a tile) and kWarps. Scaling:
// scaling.cuh.
#pragma once

#include "online_softmax.cuh"
#include "packet.cuh"
#include "scaling.cuh"
#include "tiles.cuh"
#include "types.cuh"
#include "wmma.cuh"

constexpr int kMatrix = 16;  // rows and columns of a fragment
// Rows in shared memory are 8 elements longer than their contents. Otherwise rows that are read
// together would be a multiple of 128 bytes apart, all in the same banks, and a fragment's eight
// rows of 16 bytes would take eight turns.
constexpr int kPad = 8;

template <typename Config>
struct alignas(32) PhasesShared {
  using Element = typename Config::Element;
  static constexpr int kD = Config::kD, kRows = Config::kRows, kKeys = Config::kKeys;
  static_assert(kRows % kMatrix == 0 && kKeys % kMatrix == 0 && kD % kMatrix == 0);

  Element q[kRows][kD + kPad];
  Element kv[kKeys][kD + kPad];  // K, then V once the scores are computed
  float scores[kRows][kKeys + kPad];
  Element probabilities[kRows][kKeys + kPad];
  float outputs[kRows][kD + kPad];
};

// In the softmax four lanes share a row and a warp has eight rows at a time, as online_softmax.cuh
// expects. Warps take bands of eight rows in turn; if there are more warps than bands, whole warps
// have no row.
constexpr int kBandRows = 8;
template <typename Config>
constexpr int kBandsOf =
    (Config::kRows / kBandRows + Config::kWarps - 1) / Config::kWarps;  // of a warp

// Loads rows first_row to first_row + kCount - 1 of a matrix of `rows` rows; zeros beyond its end,
// so that products of what does not exist are finite.
template <int kThreads, typename Element, int kCount, int kWidth>
__device__ __forceinline__ void load_tile(Element (&to)[kCount][kWidth], const Element* from,
                                          int first_row, int rows) {
  constexpr int kD = kWidth - kPad;
  constexpr int kPiece = 16 / sizeof(Element);
  constexpr int kPieces = kD / kPiece;  // of a row
  for (int i = static_cast<int>(threadIdx.x); i < kCount * kPieces; i += kThreads) {
    const int row = i / kPieces, column = i % kPieces * kPiece;
    uint4 piece = make_uint4(0, 0, 0, 0);
    if (first_row + row < rows)
      piece =
          *reinterpret_cast<const uint4*>(from + static_cast<i64>(first_row + row) * kD + column);
    *reinterpret_cast<uint4*>(&to[row][column]) = piece;
  }
}

// scores = q * kv^T, kv holding K: its rows are the columns of the right operand. Warps take 16 x
// 16 scores in turn.
template <typename Config>
__device__ __forceinline__ void make_scores(PhasesShared<Config>& shared, int warp) {
  using Element = typename Config::Element;
  constexpr int kD = Config::kD, kRows = Config::kRows, kKeys = Config::kKeys,
                kWarps = Config::kWarps;
  constexpr int kAcross = kKeys / kMatrix;
  for (int i = warp; i < kRows / kMatrix * kAcross; i += kWarps) {
    const int row = i / kAcross * kMatrix, key = i % kAcross * kMatrix;
    WmmaSums sums{};
#pragma unroll 4
    for (int depth = 0; depth < kD; depth += kMatrix) {
      WmmaOperand<Element> q, k;
      wmma_load_a(q, &shared.q[row][depth], kD + kPad);
      wmma_load_b<Lines::columns>(k, &shared.kv[key][depth], kD + kPad);
      wmma_multiply<Lines::columns>(sums, q, k);
    }
    wmma_store_sums(&shared.scores[row][key], sums, kKeys + kPad);
  }
}

// outputs += probabilities * kv, kv holding V, whose rows are those of the right operand.
template <typename Config>
__device__ __forceinline__ void add_outputs(PhasesShared<Config>& shared, int warp) {
  using Element = typename Config::Element;
  constexpr int kD = Config::kD, kRows = Config::kRows, kKeys = Config::kKeys,
                kWarps = Config::kWarps;
  constexpr int kAcross = kD / kMatrix;
  for (int i = warp; i < kRows / kMatrix * kAcross; i += kWarps) {
    const int row = i / kAcross * kMatrix, column = i % kAcross * kMatrix;
    WmmaSums sums;
    wmma_load_sums(sums, &shared.outputs[row][column], kD + kPad);
#pragma unroll 4
    for (int key = 0; key < kKeys; key += kMatrix) {
      WmmaOperand<Element> p, v;
      wmma_load_a(p, &shared.probabilities[row][key], kKeys + kPad);
      wmma_load_b<Lines::rows>(v, &shared.kv[key][column], kD + kPad);
      wmma_multiply<Lines::rows>(sums, p, v);
    }
    wmma_store_sums(&shared.outputs[row][column], sums, kD + kPad);
  }
}

// The lane's part of one row in one tile: pairs of keys, 8 apart. Masked keys count as scores of
// -infinity. Scores are read twice rather than kept, which would take up to 64 registers. Loops are
// unrolled only in part: in full, once per band, they would take seconds to compile.
template <typename Config>
struct RowPart {
  using Element = typename Config::Element;
  static constexpr int kD = Config::kD, kKeys = Config::kKeys;

  PhasesShared<Config>& shared;
  int row;      // of the tile
  int first;    // the lane's first column
  int visible;  // keys of the tile that the row sees; may be negative, or more than the tile has

  [[nodiscard]] __device__ __forceinline__ float2 scores(int key) const {
    float2 pair = *reinterpret_cast<const float2*>(&shared.scores[row][key + first]);
    if (key + first >= visible) pair.x = -kInfinity;
    if (key + first + 1 >= visible) pair.y = -kInfinity;
    return pair;
  }

  __device__ __forceinline__ void update(OnlineRow& state, float scale) const {
    float maximum = -kInfinity;
#pragma unroll 4
    for (int key = 0; key < kKeys; key += 8) {
      const float2 pair = scores(key);
      maximum = fmaxf(maximum, fmaxf(pair.x, pair.y));
    }
    const float factor = state.raise<0>(quad_max(maximum), scale);
    const float shift = state.shift(scale);
#pragma unroll 4
    for (int key = 0; key < kKeys; key += 8) {
      const float2 pair = scores(key);
      const float left = exp2_approx(pair.x * scale - shift),
                  right = exp2_approx(pair.y * scale - shift);
      state.sum += left + right;
      *reinterpret_cast<u32*>(&shared.probabilities[row][key + first]) =
          pack_pair<Element>(left, right);
    }
    if (factor == 1.0f) return;  // mostly, after the first tiles
#pragma unroll 4
    for (int column = first; column < kD; column += 8) {
      float2& pair = *reinterpret_cast<float2*>(&shared.outputs[row][column]);
      pair = make_float2(pair.x * factor, pair.y * factor);
    }
  }

  // Writes the whole row, 16 bytes per lane; `to` is the row in memory.
  __device__ __forceinline__ void store(Element* to, float total) const {
    const float normal = total == 0 ? 0.0f : 1 / total;  // a row that sees no key is 0
    for (int column = 4 * first; column < kD; column += 32) {
      const float* from = &shared.outputs[row][column];
      u32 words[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        words[i] = pack_pair<Element>(from[2 * i] * normal, from[2 * i + 1] * normal);
      *reinterpret_cast<uint4*>(to + column) = make_uint4(words[0], words[1], words[2], words[3]);
    }
  }
};

// The whole block.
template <typename Config, typename Scaling>
__device__ __forceinline__ void attend_by_phases(PhasesShared<Config>& shared,
                                                 const typename Config::Element* __restrict__ q,
                                                 const typename Config::Element* __restrict__ k,
                                                 const typename Config::Element* __restrict__ v,
                                                 typename Config::Element* __restrict__ out,
                                                 const Shape& shape, const Scaling& scaling) {
  constexpr int kD = Config::kD, kRows = Config::kRows, kKeys = Config::kKeys,
                kWarps = Config::kWarps;
  constexpr int kThreads = 32 * kWarps, kBands = kBandsOf<Config>;
  const int q_len = shape.q_len, kv_len = shape.kv_len;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int head = static_cast<int>(blockIdx.x);
  // The last rows come first: with a causal mask they see the most keys, and long work that starts
  // last would finish alone.
  const int first_row = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kRows;
  k += static_cast<i64>(shape.kv_head(head)) * kv_len * kD;
  v += static_cast<i64>(shape.kv_head(head)) * kv_len * kD;

  load_tile<kThreads>(shared.q, q + static_cast<i64>(head) * q_len * kD, first_row, q_len);
  for (int i = static_cast<int>(threadIdx.x); i < kRows * kD; i += kThreads)
    shared.outputs[i / kD][i % kD] = 0;
  OnlineRow rows[kBands];
  typename Scaling::template Rows<1> scales[kBands];
#pragma unroll
  for (int band = 0; band < kBands; ++band) {
    const int row = first_row + (band * kWarps + warp) * kBandRows + lane / 4;
    scales[band] = scaling.template rows<1>([&](int) { return min(row, q_len - 1); });
    settle_scales(scales[band]);
  }

  const int key_tiles = count_key_tiles<kRows, kKeys>(shape, first_row);
#pragma unroll 1
  for (int tile = 0; tile < key_tiles; ++tile) {
    load_tile<kThreads>(shared.kv, k, tile * kKeys, kv_len);
    __syncthreads();
    make_scores(shared, warp);
    __syncthreads();
    load_tile<kThreads>(shared.kv, v, tile * kKeys, kv_len);
#pragma unroll
    for (int band = 0; band < kBands; ++band) {
      const int row = (band * kWarps + warp) * kBandRows + lane / 4;
      if (row >= kRows) break;  // a whole warp: exchanges within the quads need all lanes
      const int visible = shape.visible_keys(min(first_row + row, q_len - 1)) - tile * kKeys;
      RowPart<Config>{shared, row, 2 * (lane % 4), visible}.update(rows[band],
                                                                   scale_of(scales[band], 0));
    }
    __syncthreads();
    add_outputs(shared, warp);
    __syncthreads();
  }
  if (key_tiles == 0) __syncthreads();  // outputs are still the zeros that other threads wrote

#pragma unroll
  for (int band = 0; band < kBands; ++band) {
    const int row = (band * kWarps + warp) * kBandRows + lane / 4;
    if (row >= kRows) break;
    const float total = rows[band].total();
    if (first_row + row >= q_len) continue;
    RowPart<Config>{shared, row, 2 * (lane % 4), 0}.store(
        out + (static_cast<i64>(head) * q_len + first_row + row) * kD, total);
  }
}
