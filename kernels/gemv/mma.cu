// y[m, n] = sum of x[m, k] * w[n, k] over k, for up to 8 tokens, on the tensor cores: 16 rows of w
// are the left operand of m16n8k16, the tokens are the 8 columns of the right; or 8 rows of w are
// the columns, and the tokens half of the rows of the left; or the columns are 4 rows in 2 segments
// of k or 2 rows in 4, and so are the rows of the left, of 8 or 4 tokens.
//
// The tensor cores have nothing to do here: a tile of 16 rows and 16 elements, 512 bytes, is one
// instruction, and 20 bytes a clock and SM are one every 26 clocks, of which it takes 2. They are
// used for what they spare: on the ordinary pipes a vector of 8 weights is 8 instructions to unpack
// and 8 per token to multiply; here it is half an instruction, for 8 tokens as for one. Weights in
// e4m3 are converted, at 2 instructions a weight in bf16 and a half in f16, and 39 of 128 lanes a
// clock suffice at full speed.
//
// Algorithm: operands are loaded as they lie. Lane (g, q) = (lane / 4, lane % 4) needs, of rows g
// and g + 8 of the tile, pairs of elements that it finds in the 16 bytes at q of a piece of 64: any
// order of k will do, as long as that of x is the same, and lane (g, q) takes the same 16 bytes of
// token g. So a piece of 16 rows is 2 loads of 16 bytes a lane, and 2 instructions of the tensor
// cores (4 with e4m3, whose vectors are 16 elements); x is a third load, of lanes whose token is
// there. With 8 rows a lane loads row g alone, and the other half of the left operand is zero. A
// warp's UNROLL pieces lie side by side: 64 * UNROLL bytes of each row. Warps and blocks share k,
// and their sums meet as in split_k.cu (block_sums.cuh).
//
// With 4 rows or 2 a load takes whole lines of them, where with 8 it takes halves: with S segments
// a piece is S * 64 bytes, column g is row g / S in segment g % S, and row g of the left operand is
// token g / S in the same segment. Sums of a token in one segment by a row in another are not
// wanted, and stay where they are: the tensor cores have time for them. For 8192 x 8192 on an H200,
// 4 tokens take 31.3 us instead of 33.2, and 8 tokens 31.5 instead of 33.8, with two tiles that
// share what is read of x; with one, 32.7 and 32.9.
//
// x comes from L1, which the streaming hint leaves to it: 16 KiB a token for k = 8192, once from L2
// for each SM.
//
// Tunables:
//   WARPS           warps that share a tile's rows
//   TILE_ROWS       16 read x half as often; fewer are read in longer pieces, and memory likes
//                   order; 2 are for up to 4 tokens
//   TILES           tiles of a block: x is read once for all of them
//   UNROLL          pieces in flight, of each of which a thread loads 16 bytes a tile, 32 with 16
//                   rows
//   SPLITS          blocks that share a tile, for few rows: 4096 rows are 256 tiles
//   THREADS_PER_SM  how many threads must fit; registers a thread follow from it
//   LOAD_HINT       streaming keeps w out of L1. A warp asks for 64 bytes of each of 8 rows at a
//                   time; ahead has L2 fetch 256, in which memory is read faster: 45.0 us instead
//                   of 46.1 for 4 tokens and 8192 x 8192 on an H100
//
// Requires: compute capability 8.0, 8.9 for e4m3; rows of a multiple of 16 bytes.
//
// The next turn is not fetched to L2 in advance, because that was slower (NOTES.md).
//
// Next idea: copies by the copy engine, which need no registers for what is in flight (tma.cu).
#include "block_sums.cuh"
#include "defaults.cuh"
#include "mma.cuh"
#include "warp.cuh"
#include "weights.cuh"

using T = DTYPE;
using W = WEIGHT;
constexpr int kThreads = 32 * WARPS;
constexpr int kWarps = WARPS;
constexpr int kTiles = TILES;
constexpr int kHalves = TILE_ROWS == 16 ? 2 : 1;              // rows of a tile that a lane loads
constexpr int kSegments = TILE_ROWS < 8 ? 8 / TILE_ROWS : 1;  // of k, next to each other
constexpr int kTokenHalves = kSegments == 1 ? 1 : 2;          // tokens that a lane loads
constexpr int kTokenStep = 8 / kSegments;  // from the first of them to the second
constexpr int kRows = TILE_ROWS * kTiles;
static_assert(TILE_ROWS == 16 || 8 % TILE_ROWS == 0 && TILE_ROWS > 1, "2, 4, 8 or 16 rows");
constexpr int kUnroll = UNROLL;
constexpr int kSplits = SPLITS;
constexpr int kBlocksPerSm = THREADS_PER_SM / kThreads;
constexpr LoadHint kLoadHint = LoadHint::LOAD_HINT;
constexpr int kTokens = 8;                    // columns of the right operand
constexpr int kPieceVectors = 4 * kSegments;  // of a row: one for each lane of its quads

// The tokens of which a lane loads vectors. Those that are not there are zeros.
struct OwnTokens {
  const T* rows[kTokenHalves];
  bool exists[kTokenHalves];

  __device__ __forceinline__ OwnTokens(const T* __restrict__ x, int m, int k) {
#pragma unroll
    for (int half = 0; half < kTokenHalves; ++half) {
      const int token = lane_id() / 4 / kSegments + kTokenStep * half;
      exists[half] = token < m;
      rows[half] = x + static_cast<i64>(exists[half] ? token : 0) * k;
    }
  }
};

// With 16 rows value i of lane (g, q) is of row g + 8 * (i / 2) and token 2 * q + i % 2. With fewer
// it is of column 2 * q + i % 2 and row g + 8 * (i / 2) of the left operand, which with 8 rows are
// row and token, those from 8 on being none.
struct TileSums {
  float values[kTiles][4] = {};

  // UNROLL pieces of all rows. A lane's vectors are `vector`, vector + kPieceVectors, ...; those
  // from `end` on do not exist. `Whole` says that all do, so that no load of w is behind a
  // condition.
  template <bool Whole>
  __device__ __forceinline__ void add(const W* __restrict__ const (&rows)[kTiles][kHalves],
                                      const OwnTokens& own, int vector, int end) {
    Vector<W> weights[kUnroll][kTiles][kHalves];
    Tokens<T, W> tokens[kUnroll][kTokenHalves];
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int at = vector + u * kPieceVectors;
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
        for (int half = 0; half < kHalves; ++half)
          weights[u][tile][half] = load_weights<kLoadHint>(Whole || at < end, rows[tile][half], at);
      }
    }
    // After the loads of w, which take longest; lanes whose token is not there load nothing, and
    // the zeros that they hold make columns that are not read.
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      const int at = vector + u * kPieceVectors;
#pragma unroll
      for (int half = 0; half < kTokenHalves; ++half)
        tokens[u][half].load_if(own.exists[half] && (Whole || at < end), own.rows[half], at);
    }
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
      constexpr int kWords = Vector<W>::kElements / 2;
      u32 token[kTokenHalves][kWords];
#pragma unroll
      for (int half = 0; half < kTokenHalves; ++half) tokens[u][half].words(token[half]);
#pragma unroll
      for (int tile = 0; tile < kTiles; ++tile) {
        u32 upper[kWords], lower[kWords];
        weight_words<T>(weights[u][tile][0], upper);
        if constexpr (kHalves == 2) weight_words<T>(weights[u][tile][kHalves - 1], lower);
#pragma unroll
        for (int i = 0; i < kWords; i += 2) {
          if constexpr (kHalves == 2) {
            const u32 left[4] = {upper[i], lower[i], upper[i + 1], lower[i + 1]};
            const u32 columns[2] = {token[0][i], token[0][i + 1]};
            mma<kOperandOf<T>>(values[tile], left, columns);
          } else {
            u32 left[4] = {token[0][i], 0, token[0][i + 1], 0};
            if constexpr (kTokenHalves == 2) {
              left[1] = token[1][i];
              left[3] = token[1][i + 1];
            }
            const u32 columns[2] = {upper[i], upper[i + 1]};
            mma<kOperandOf<T>>(values[tile], left, columns);
          }
        }
      }
    }
  }

  // This warp's sums of a tile, each by one lane, to where those of the block's warps meet.
  template <int kPitch>
  __device__ __forceinline__ void leave(int tile, float (&meeting)[kTokens][kPitch]) const {
    const int g = lane_id() / 4, q = lane_id() % 4;
    if constexpr (kSegments == 1) {
#pragma unroll
      for (int i = 0; i < 2 * kHalves; ++i) {
        if constexpr (kHalves == 2)
          meeting[2 * q + i % 2][16 * tile + 8 * (i / 2) + g] = values[tile][i];
        else
          meeting[g][8 * tile + 2 * q + i] = values[tile][i];
      }
    } else {
      // Columns 2 * q and 2 * q + 1 are of one row; the one in the segment of the lane's tokens, if
      // it is one of the two, counts.
      constexpr int kQuads = kSegments == 4 ? 2 : 1;  // lanes of a quad that have columns of a row
      const bool counts = g % kSegments / 2 == q % kQuads;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float even = values[tile][2 * half], odd = values[tile][2 * half + 1];
        float sum = counts ? (g % 2 == 0 ? even : odd) : 0.f;
#pragma unroll
        for (int lanes = 1; lanes < kQuads; lanes *= 2)
          sum += __shfl_xor_sync(kFullMask, sum, lanes);
#pragma unroll
        for (int segments = 1; segments < kSegments; segments *= 2)
          sum += __shfl_xor_sync(kFullMask, sum, 4 * segments);
        if (g % kSegments == 0 && q % kQuads == 0)
          meeting[g / kSegments + kTokenStep * half][TILE_ROWS * tile + q / kQuads] = sum;
      }
    }
  }
};

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [m, k] of dtype
//   w          [n, k] of the type of the weights
//   scale      [n] of f32, of the rows of w in e4m3; not read otherwise
//   bias       [n] of dtype; not read without bias
//   y          [m, n] of dtype, written
//   partial    [SPLITS, m, n] of f32, scratch: sums of the blocks that share rows
//   arrived    [ceil_div(n, TILE_ROWS*TILES)] of u32, scratch, zeros before the first launch:
//              blocks of each group of rows that are done; the last one leaves it at 0
//   m          tokens, rows of x
//   n          outputs, rows of w
//   k          length of a row of x and of w
//   with_bias  1 adds a bias
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    gemv_parts(const T* __restrict__ x, const W* __restrict__ w, const float* __restrict__ scale,
               const T* __restrict__ bias, T* __restrict__ y, float* __restrict__ partial,
               u32* __restrict__ arrived, int m, int n, int k, int with_bias) {
  __shared__ BlockSums<kWarps, kRows, kTokens> shared;
  const int group = static_cast<int>(blockIdx.x), split = static_cast<int>(blockIdx.y);
  const int first_row = group * kRows;
  const int g = lane_id() / 4, q = lane_id() % 4;

  // Parts meet on lines of 128 bytes; the last of short rows may be empty.
  const int vectors = k / Vector<W>::kElements;
  const int part = ((vectors + kSplits - 1) / kSplits + 7) / 8 * 8;
  const int first = min(split * part, vectors), end = min(first + part, vectors);

  // A row past the end is the last row once more: its sums are right, and are not stored.
  const W* rows[kTiles][kHalves];
#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) {
#pragma unroll
    for (int half = 0; half < kHalves; ++half)
      rows[tile][half] =
          w +
          static_cast<i64>(min(first_row + TILE_ROWS * tile + 8 * half + g / kSegments, n - 1)) * k;
  }
  const OwnTokens tokens(x, m, k);
  const int place = g % kSegments * 4 + q;  // in a piece

  TileSums sums;
  constexpr int kWarpTurn = kUnroll * kPieceVectors, kTurn = kWarps * kWarpTurn;
  // A warp is done when its own share of a turn is past the end.
  for (int turn = first + warp_id() * kWarpTurn; turn < end; turn += kTurn) {
    if (turn + kWarpTurn <= end)
      sums.add<true>(rows, tokens, turn + place, end);
    else
      sums.add<false>(rows, tokens, turn + place, end);
  }

#pragma unroll
  for (int tile = 0; tile < kTiles; ++tile) sums.leave(tile, shared.values[warp_id()]);
  const Result<T, W> result{scale, bias, y, n, with_bias != 0};
  shared.template finish<kSplits>(result, partial, arrived + group, split, first_row, m);
}
