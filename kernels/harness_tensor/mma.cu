// mma.sync: every tile's product, `passes` times, from operands that stay in registers.
//
// The ceiling of the tensor cores for kernels that feed them by mma.sync, on any architecture since
// Ampere. Hopper reaches about two thirds of its rate this way; the rest is for wgmma.
//
// Algorithm: the warps of a block share one tile of 64 x 256. A warp has all of its operands in
// registers, 128 bytes of each row in four steps of 32, and enough independent sums that no
// instruction waits for an earlier one of the same sum. Every pass begins with sums of zero: tensor
// cores truncate sums instead of rounding them, and over hundreds of passes that would add up. The
// instructions are volatile, so that no pass is hoisted out of the loop. The operands are random
// and differ between the instructions of a step, so that bits toggle as in a real product.
//
// Tunables:
//   WARPS  of a tile: 8 hold 64 x 32 sums each, 16 hold 32 x 32 with fewer registers and more
//          operands in all
#include "defaults.cuh"
#include "mma.cuh"
#include "tile.cuh"
#include "warp.cuh"

constexpr Operand kOperand = CEILING;
constexpr int kWarps = WARPS;

constexpr int kWarpColumns = 32;  // of sums
constexpr int kColumnWarps = kColumns / kWarpColumns;
constexpr int kWarpRows = kRows * kColumnWarps / kWarps;
constexpr int kM = kWarpRows / 16, kN = kWarpColumns / 8;  // instructions that cover a warp's sums

// Parameters (row-major arrays; kernel.yaml names sizes and types):
//   a       [tiles, 64, k] of dtype
//   b       [tiles, 256, k] of dtype
//   c       [tiles, 64, 256] of f32, written
//   tiles   products
//   passes  how often each product is made
extern "C" __global__ void __launch_bounds__(32 * kWarps)
    tensor_mma(const u32* __restrict__ a, const u32* __restrict__ b, float* __restrict__ c,
               int tiles, int passes) {
  const i64 tile = blockIdx.x;
  if (tile >= tiles) return;
  const int group = lane_id() / 4, quad = lane_id() % 4;
  const int first_row = warp_id() / kColumnWarps * kWarpRows;
  const int first_column = warp_id() % kColumnWarps * kWarpColumns;

  u32 left[kSteps][kM][4], right[kSteps][kN][2];
#pragma unroll
  for (int step = 0; step < kSteps; ++step) {
#pragma unroll
    for (int m = 0; m < kM; ++m) {
      const u32* row =
          a + (tile * kRows + first_row + 16 * m + group) * kRowWords + 8 * step + quad;
      left[step][m][0] = as_operand<kOperand>(row[0]);
      left[step][m][1] = as_operand<kOperand>(row[8 * kRowWords]);
      left[step][m][2] = as_operand<kOperand>(row[4]);
      left[step][m][3] = as_operand<kOperand>(row[8 * kRowWords + 4]);
    }
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      const u32* row =
          b + (tile * kColumns + first_column + 8 * n + group) * kRowWords + 8 * step + quad;
      right[step][n][0] = as_operand<kOperand>(row[0]);
      right[step][n][1] = as_operand<kOperand>(row[4]);
    }
  }

  Sum32<kOperand> sums[kM][kN][4] = {};
#pragma unroll 1
  for (int pass = 0; pass < passes; ++pass) {
#pragma unroll
    for (int m = 0; m < kM; ++m) {
#pragma unroll
      for (int n = 0; n < kN; ++n)
        sums[m][n][0] = sums[m][n][1] = sums[m][n][2] = sums[m][n][3] = 0;
    }
#pragma unroll
    for (int step = 0; step < kSteps; ++step) {
#pragma unroll
      for (int m = 0; m < kM; ++m) {
#pragma unroll
        for (int n = 0; n < kN; ++n) mma<kOperand>(sums[m][n], left[step][m], right[step][n]);
      }
    }
  }

#pragma unroll
  for (int m = 0; m < kM; ++m) {
#pragma unroll
    for (int n = 0; n < kN; ++n) {
      float* at = c + (tile * kRows + first_row + 16 * m + group) * kColumns + first_column +
                  8 * n + 2 * quad;
      at[0] = static_cast<float>(sums[m][n][0]);
      at[1] = static_cast<float>(sums[m][n][1]);
      at[8 * kColumns] = static_cast<float>(sums[m][n][2]);
      at[8 * kColumns + 1] = static_cast<float>(sums[m][n][3]);
    }
  }
}
