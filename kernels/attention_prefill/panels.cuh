// Tiles of 16-bit elements as a tensor map leaves them in shared memory, and fragments of mma read from them.
//
// A tile of kRows rows is cut into panels of kSpan bytes of each row, which lie one after the other: [panel][row][kSpan bytes].
// kSwizzle (0, 32, 64, 128) says how pieces of 16 bytes are exchanged within a panel, so that the eight rows that one
// matrix of ldmatrix takes lie in different banks: all eight with 128, four pairs with 64, two fours with 32, and with 0,
// where kSpan is 128, eight rows are in the same banks. The tile starts at a multiple of 1024.
#pragma once

#include "ldmatrix.cuh"
#include "tma.cuh"

template <int kRows, int kSpan, int kSwizzle>
struct Panels {
  u32 tile;  // address in shared memory

  [[nodiscard]] __device__ __forceinline__ u32 address(int row, int byte) const {
    return tile + static_cast<u32>(byte / kSpan * (kRows * kSpan)) +
           swizzled_offset<kSpan, kSwizzle>(static_cast<u32>(row), static_cast<u32>(byte % kSpan));
  }

  // Rows first_row to + 15, columns 16*step to + 15, as the left operand of mma.
  __device__ __forceinline__ void load_left(u32 (&words)[4], int first_row, int step, int lane) const {
    ldmatrix_x4(words, address(first_row + lane % 16, 32 * step + lane / 16 * 16));
  }
  // The same block as the right operand, its rows being columns of the sums: words 0 and 1 for the first eight, 2 and 3 for
  // the others.
  __device__ __forceinline__ void load_right(u32 (&words)[4], int first_row, int step, int lane) const {
    ldmatrix_x4(words, address(first_row + lane / 16 * 8 + lane % 8, 32 * step + lane / 8 % 2 * 16));
  }
  // The same block as the right operand, its columns being columns of the sums.
  __device__ __forceinline__ void load_right_transposed(u32 (&words)[4], int first_row, int step, int lane) const {
    ldmatrix_x4_transposed(words, address(first_row + lane % 16, 32 * step + lane / 16 * 16));
  }
};
