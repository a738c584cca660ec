// y[m, n] = sum of x[m, k] * w[n, k] over k, for up to TOKENS tokens: the warps of a block share
// its ROWS rows of w, and SPLITS blocks share them in turn.
//
// warp_row.cu has n / ROWS warps, each on its way for the whole row; here their number is free.
// With 4096 rows of 8 KiB and 132 SMs, a warp per row is 31 warps on each, of which some start
// later, and the SMs that have 32 are the last. Here a block is 8 warps for ROWS rows, its threads
// load all that they have of them in one or two turns, and the next block takes its place.
//
// Algorithm: thread t of the block takes vectors t, t + threads, ... of its part of each row. The
// warps' sums meet in shared memory (block_sums.cuh). SPLITS blocks take contiguous parts; the last
// to end adds up, in one launch.
//
// Tunables:
//   WARPS           threads that share a row. 32 * WARPS * UNROLL vectors are a turn: with k = 8192
//                   in bf16, 1024 vectors, WARPS 8 and UNROLL 4 take a row in one
//   ROWS            rows of a block. More: x is read less often, and fewer blocks start and end
//   TOKENS          tokens that there are sums for; the smallest that holds m
//   UNROLL          vectors of each row in flight
//   SPLITS          blocks that share rows. For few rows; every one more costs traffic of f32 sums
//   THREADS_PER_SM  how many threads must fit; registers a thread follow from it
//   LOAD_HINT       streaming keeps w out of L1; ahead has L2 fetch more than a lane asks for
//
// Requires: rows of a multiple of 16 bytes; compute capability 8.9 for e4m3.
//
// Next idea: let the tensor cores multiply (mma.cu).
#include "block_sums.cuh"
#include "defaults.cuh"
#include "row_sums.cuh"
#include "warp.cuh"
#include "weights.cuh"

using T = DTYPE;
using W = WEIGHT;
constexpr int kThreads = 32 * WARPS;
constexpr int kWarps = WARPS;
constexpr int kRows = ROWS;
constexpr int kTokens = TOKENS;
constexpr int kUnroll = UNROLL;
constexpr int kSplits = SPLITS;
constexpr int kBlocksPerSm = THREADS_PER_SM / kThreads;
constexpr LoadHint kLoadHint = LoadHint::LOAD_HINT;

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [m, k] of dtype
//   w          [n, k] of the type of the weights
//   scale      [n] of f32, of the rows of w in e4m3; not read otherwise
//   bias       [n] of dtype; not read without bias
//   y          [m, n] of dtype, written
//   partial    [SPLITS, m, n] of f32, scratch: sums of the blocks that share rows
//   arrived    [ceil_div(n, ROWS)] of u32, scratch, zeros before the first launch: blocks of each
//              group of rows that are done; the last one leaves it at 0
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

  // Parts meet on lines of 128 bytes; the last of short rows may be empty.
  const int vectors = k / Vector<W>::kElements;
  const int part = ((vectors + kSplits - 1) / kSplits + 7) / 8 * 8;
  const int first = min(split * part, vectors);

  RowSums<T, W, kRows, kTokens, kUnroll, kLoadHint> sums;
  sums.begin(x, w, first_row, m, n, k);
  sums.add_vectors(first, min(first + part, vectors), static_cast<int>(threadIdx.x), kThreads);

#pragma unroll
  for (int row = 0; row < kRows; ++row) {
#pragma unroll
    for (int token = 0; token < kTokens; ++token) {
      const float sum = warp_sum(sums.values[row][token]);
      if (lane_id() == 0) shared.values[warp_id()][token][row] = sum;
    }
  }
  const Result<T, W> result{scale, bias, y, n, with_bias != 0};
  shared.template finish<kSplits>(result, partial, arrived + group, split, first_row, m);
}
