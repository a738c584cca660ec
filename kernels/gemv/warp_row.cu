// y[m, n] = sum of x[m, k] * w[n, k] over k, for up to TOKENS tokens: a warp takes ROWS rows of w.
//
// Each weight is used m times, so the time is that of reading w, once. Algorithm: a warp walks over
// its rows in pieces of 512 bytes, a vector of 16 bytes per lane, and holds ROWS * TOKENS sums; 5
// shuffles end each. No shared memory, no barrier: no warp ever waits for another, and as warps end
// at different times the SM's loads never stop.
//
// x is read from L1 (L2 the first time), again for each group of rows: as many bytes as w at ROWS
// 1 and one token, a quarter at ROWS 4. L1 delivers 128 bytes a clock, and memory not quite 20 a
// clock and SM (4.4 TB/s over 132 SMs at 1.7 GHz), so that suffices for one token and not for 8.
// Instructions for a vector of 8 weights: 1 load, 8 to unpack, 8 * m to multiply, and (1 + 8) * m /
// ROWS for x. Memory brings 1.2 vectors a clock: with m = 1 and ROWS 2 they keep 26 of an SM's 128
// lanes busy, with m = 8 more than all of them. That is what mma.cu is for.
//
// Tunables:
//   WARPS           only groups rows into blocks; small blocks drain evenly
//   ROWS            rows of a warp. More: x is read less often; fewer, longer warps
//   TOKENS          tokens that there are sums for; the smallest that holds m
//   UNROLL          vectors of each row in flight: ROWS * UNROLL * THREADS_PER_SM * 16 bytes on an
//                   SM, 64 KiB or more
//   THREADS_PER_SM  how many threads must fit; registers a thread follow from it
//   LOAD_HINT       streaming keeps w out of L1; ahead has L2 fetch more than a lane asks for
//
// Rows whose bytes are not a multiple of 16 are read element by element. Requires compute
// capability 8.9 for e4m3.
//
// Next idea: several warps to a row, so that a block of the grid ends sooner (split_k.cu).
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
constexpr int kBlocksPerSm = THREADS_PER_SM / kThreads;
constexpr LoadHint kLoadHint = LoadHint::LOAD_HINT;
static_assert(kRows * kTokens <= 64, "a lane stores at most two results");

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   x          [m, k] of dtype
//   w          [n, k] of the type of the weights
//   scale      [n] of f32, of the rows of w in e4m3; not read otherwise
//   bias       [n] of dtype; not read without bias
//   y          [m, n] of dtype, written
//   m          tokens, rows of x
//   n          outputs, rows of w
//   k          length of a row of x and of w
//   with_bias  1 adds a bias
extern "C" __global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    gemv(const T* __restrict__ x, const W* __restrict__ w, const float* __restrict__ scale,
         const T* __restrict__ bias, T* __restrict__ y, int m, int n, int k, int with_bias) {
  const int first_row = (static_cast<int>(blockIdx.x) * kWarps + warp_id()) * kRows;
  if (first_row >= n) return;

  RowSums<T, W, kRows, kTokens, kUnroll, kLoadHint> sums;
  sums.begin(x, w, first_row, m, n, k);
  if (k % Vector<W>::kElements == 0)
    sums.add_vectors(0, k / Vector<W>::kElements, lane_id(), kWarpSize);
  else
    sums.add_elements(lane_id(), kWarpSize);

  const Result<T, W> result{scale, bias, y, n, with_bias != 0};
  // Every lane gets every sum, and lane i stores sum i.
  float mine[2] = {};
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
#pragma unroll
    for (int token = 0; token < kTokens; ++token) {
      const int place = row * kTokens + token;
      const float sum = warp_sum(sums.values[row][token]);
      if (lane_id() == place % kWarpSize) mine[place / kWarpSize] = sum;
    }
  }
#pragma unroll
  for (int i = 0; i < (kRows * kTokens + 31) / 32; ++i) {
    const int place = lane_id() + i * kWarpSize;
    const int row = first_row + place / kTokens, token = place % kTokens;
    if (place < kRows * kTokens && row < n && token < m) result.store(token, row, mine[i]);
  }
}
