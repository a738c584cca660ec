// Attention by plain phases, for any GPU with tensor cores for bf16: out = softmax(q k^T / sqrt(d))
// v. The baseline, and the place to start reading: every step of flash attention is here once, and
// nothing overlaps.
//
// Algorithm (FlashAttention: Dao et al., 2022). A block has TILE_Q rows of q of one head in shared
// memory and goes through the keys that they see, TILE_KV at a time. Between two __syncthreads()
// the whole block does one thing:
//   load      the tile of K, all threads, 16 bytes each
//   scores    S = Q K^T by wmma, into shared memory
//   softmax   P = 2^(S - maximum), rounded to 16 bits; a larger maximum rescales the row's outputs
//             and sum so far. The tile of V comes meanwhile, in place of that of K
//   outputs   O += P V by wmma; O is in shared memory too
// and at the end O / sum is written. The scores of a row never exist all at once, so shared memory
// does not grow with the keys. Fragments of wmma have no known layout, hence the detours through
// shared memory: scores and outputs go there and back for every tile, and that is what takes most
// of the time.
//
// Tunables:
//   TILE_Q   rows of q of a block. More reuse K and V more often: a tile of 64 rows does 64
//            operations per byte of K and V
//   TILE_KV  keys of a tile. More are fewer barriers and rescalings, but fewer blocks fit on an SM
//   WARPS    of a block. More hide the latency of shared memory, but reload the same fragments
//
// Requires: compute capability 8.0, TILE_Q and TILE_KV multiples of 16, q, k and v aligned to 16
// bytes.
//
// Next idea: with the known layouts of mma.cuh, scores, probabilities and outputs could stay in
// registers; asynchronous copies could bring the next tile while this one is worked on.
#include "online_softmax.cuh"
#include "packet.cuh"
#include "tiles.cuh"
#include "wmma.cuh"

#ifndef HEAD_DIM
#define HEAD_DIM 128
#endif
#ifndef DTYPE
#define DTYPE bf16
#endif
#ifndef TILE_Q
#define TILE_Q 64
#endif
#ifndef TILE_KV
#define TILE_KV 128
#endif
#ifndef WARPS
#define WARPS 4
#endif

using Element = DTYPE;
constexpr int kD = HEAD_DIM;
constexpr int kRows = TILE_Q;
constexpr int kKeys = TILE_KV;
constexpr int kWarps = WARPS;
constexpr int kThreads = 32 * kWarps;

constexpr int kMatrix = 16;  // rows and columns of a fragment
static_assert(kRows % kMatrix == 0 && kKeys % kMatrix == 0 && kD % kMatrix == 0);

// Rows in shared memory are 8 elements longer than their contents. Otherwise rows that are read
// together would be a multiple of 128 bytes apart, all in the same banks, and a fragment's eight
// rows of 16 bytes would take eight turns.
constexpr int kPad = 8;

struct alignas(32) Shared {
  Element q[kRows][kD + kPad];
  Element kv[kKeys][kD + kPad];  // K, then V once the scores are computed
  float scores[kRows][kKeys + kPad];
  Element probabilities[kRows][kKeys + kPad];
  float outputs[kRows][kD + kPad];
};

#ifdef WARPWRIGHT_SHARED_BYTES
static_assert(sizeof(Shared) == WARPWRIGHT_SHARED_BYTES,
              "kernel.yaml's shared: and the source differ");
#endif

// In the softmax four lanes share a row and a warp has eight rows at a time, as online_softmax.cuh
// expects. Warps take bands of eight rows in turn; if there are more warps than bands, whole warps
// have no row.
constexpr int kBandRows = 8;
constexpr int kBands = (kRows / kBandRows + kWarps - 1) / kWarps;  // of a warp

// Loads rows first_row to first_row + kCount - 1 of a matrix of `rows` rows; zeros beyond its end,
// so that products of what does not exist are finite.
template <int kCount>
__device__ __forceinline__ void load_tile(Element (&to)[kCount][kD + kPad], const Element* from,
                                          int first_row, int rows) {
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
__device__ __forceinline__ void make_scores(Shared& shared, int warp) {
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
__device__ __forceinline__ void add_outputs(Shared& shared, int warp) {
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
struct RowPart {
  Shared& shared;
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

// At least one block per SM: without the bound ptxas spills to reach an occupancy that shared
// memory does not allow.
extern "C" __global__ void __launch_bounds__(kThreads, 1)
    attention_wmma(const Element* __restrict__ q, const Element* __restrict__ k,
                   const Element* __restrict__ v, Element* __restrict__ out, int heads,
                   int kv_heads, int q_len, int kv_len, int causal, float scale) {
  extern __shared__ u8 dynamic[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic);
  const Shape shape{heads, kv_heads, q_len, kv_len, causal != 0};
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int head = static_cast<int>(blockIdx.x);
  // The last rows come first: with a causal mask they see the most keys, and long work that starts
  // last would finish alone.
  const int first_row = static_cast<int>(gridDim.y - 1 - blockIdx.y) * kRows;
  k += static_cast<i64>(shape.kv_head(head)) * kv_len * kD;
  v += static_cast<i64>(shape.kv_head(head)) * kv_len * kD;

  load_tile(shared.q, q + static_cast<i64>(head) * q_len * kD, first_row, q_len);
  for (int i = static_cast<int>(threadIdx.x); i < kRows * kD; i += kThreads)
    shared.outputs[i / kD][i % kD] = 0;
  OnlineRow rows[kBands];

  const int key_tiles = count_key_tiles<kRows, kKeys>(shape, first_row);
#pragma unroll 1
  for (int tile = 0; tile < key_tiles; ++tile) {
    load_tile(shared.kv, k, tile * kKeys, kv_len);
    __syncthreads();
    make_scores(shared, warp);
    __syncthreads();
    load_tile(shared.kv, v, tile * kKeys, kv_len);
#pragma unroll
    for (int band = 0; band < kBands; ++band) {
      const int row = (band * kWarps + warp) * kBandRows + lane / 4;
      if (row >= kRows) break;  // a whole warp: exchanges within the quads need all lanes
      const int visible = shape.visible_keys(min(first_row + row, q_len - 1)) - tile * kKeys;
      RowPart{shared, row, 2 * (lane % 4), visible}.update(rows[band], scale);
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
    RowPart{shared, row, 2 * (lane % 4), 0}.store(
        out + (static_cast<i64>(head) * q_len + first_row + row) * kD, total);
  }
}
