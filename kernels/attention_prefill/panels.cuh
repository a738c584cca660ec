// Tiles of 16-bit elements as a tensor map leaves them in shared memory, and fragments of mma read
// from them.
//
// A tile of kRows rows is cut into panels of kSpan bytes of each row, which lie one after the
// other: [panel][row][kSpan bytes]. kSwizzle (0, 32, 64, 128) says how pieces of 16 bytes are
// exchanged within a panel. With any swizzle the eight rows that ldmatrix reads as one matrix lie
// in different banks; without one, where kSpan is 128, all eight lie in the same banks. The copy
// engine writes narrower panels in shorter runs. The tile starts at a multiple of 1024.
//
// A warp reads blocks of 16 rows and 16 columns; each lane gives the address of one piece. A
// piece's place within its block is the same in all blocks: exchanges repeat every 8 rows, and the
// address bits that choose the block are not those that choose the piece. So a lane computes its
// place once and adds a constant for each block, which takes one register instead of one for each
// block.
#pragma once

#include "ldmatrix.cuh"
#include "tma.cuh"

template <int kSpan, int kSwizzle>
struct PanelReader {
  u32 left, right;  // the lane's place in a block, for the two operands

  __device__ __forceinline__ explicit PanelReader(u32 lane)
      : left(swizzled_offset<kSpan, kSwizzle>(lane % 16, lane / 16 * 16)),
        right(swizzled_offset<kSpan, kSwizzle>(lane / 16 * 8 + lane % 8, lane / 8 % 2 * 16)) {}

  // The lane's address in the block that starts at row `first_row` and column 16*step.
  template <int kRows>
  [[nodiscard]] __device__ __forceinline__ static u32 address(u32 tile, u32 place, int first_row,
                                                              int step) {
    const int panel = 32 * step / kSpan, byte = 32 * step % kSpan;
    return tile + static_cast<u32>((panel * kRows + first_row) * kSpan) +
           (place ^ static_cast<u32>(byte));
  }

  // Reads the block as the left operand of mma.
  template <int kRows>
  __device__ __forceinline__ void read_left(u32 (&words)[4], u32 tile, int first_row,
                                            int step) const {
    ldmatrix_x4(words, address<kRows>(tile, left, first_row, step));
  }
  // Reads the block as the right operand, whose rows are columns of the sums: words 0 and 1 are for
  // the first eight, 2 and 3 for the others.
  template <int kRows>
  __device__ __forceinline__ void read_right(u32 (&words)[4], u32 tile, int first_row,
                                             int step) const {
    ldmatrix_x4(words, address<kRows>(tile, right, first_row, step));
  }
  // Reads the block as the right operand, whose columns are columns of the sums.
  template <int kRows>
  __device__ __forceinline__ void read_right_transposed(u32 (&words)[4], u32 tile, int first_row,
                                                        int step) const {
    ldmatrix_x4_transposed(words, address<kRows>(tile, left, first_row, step));
  }
};
