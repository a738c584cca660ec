// How the operands of wgmma lie in shared memory, and the descriptors that tell the instruction so.
//
// A descriptor names what one instruction takes: 32 bytes along k of every row. Its fields, in
// units of 16 bytes: bits 0-13 address, 16-29 leading offset, 32-45 stride offset (from eight rows
// to the next eight), and the swizzle in bits 62-63: 0 none, 1 of 128 bytes, 2 of 64, 3 of 32 (PTX
// ISA, "Matrix descriptor").
//
// Rows of exactly 128 bytes, which threads write themselves, lie in either of two layouts:
// operand_offset() says where, operand_descriptor() describes them. Longer rows, of 16-bit
// elements, lie as tensor maps with 64 elements and a swizzle of 128 bytes leave them: panels of
// [rows][128 bytes] one after the other, each from a multiple of 1024 on: tile_descriptor() and
// transposed_tile_descriptor(); panel_descriptor() is for narrower panels, too. Addresses are of
// the shared window (shared_address() of mbarrier.cuh).
#pragma once

#include "types.cuh"

// How an operand's rows lie in shared memory.
//   columns       16-byte columns one after the other, each with all rows: byte b of row r at
//                 (b/16)*16*rows + 16*r + b%16
//   swizzled_128  rows of 128 bytes whose 16-byte pieces are permuted by the row's number: byte b
//                 of row r at 128*r + 16*((b/16) ^ (r%8)) + b%16, from a multiple of 1024 on; this
//                 is what TMA's 128-byte swizzle leaves
enum class Layout { columns, swizzled_128 };

template <Layout kLayout>
__device__ __forceinline__ u32 operand_offset(int row, int piece, int rows) {
  if constexpr (kLayout == Layout::columns)
    return static_cast<u32>(16 * (piece * rows + row));
  else
    return static_cast<u32>(128 * row + 16 * (piece ^ (row % 8)));
}

// Of 32 bytes of every row, from 16-byte piece `piece` on (even). The leading offset is from one
// 16-byte column to the next; swizzled rows do not use it.
template <Layout kLayout>
__device__ __forceinline__ u64 operand_descriptor(u32 shared_address, int piece, int rows) {
  const u32 skip = kLayout == Layout::columns ? 16u * static_cast<u32>(piece * rows)
                                              : 16u * static_cast<u32>(piece);
  const u64 address = (shared_address + skip) >> 4;
  const u64 leading = kLayout == Layout::columns ? static_cast<u64>(rows) : 1;
  const u64 stride = kLayout == Layout::columns ? 8 : 64;
  const u64 swizzle = kLayout == Layout::columns ? 0 : 1;
  return (address & 0x3fff) | leading << 16 | stride << 32 | swizzle << 62;
}

// The descriptor of what lies `bytes` (a multiple of 16) behind what `descriptor` describes: one
// addition to its lower word, since addresses of shared memory end below 2^18 and the sum stays in
// its field. A descriptor that is made anew of another address takes five instructions.
__device__ __forceinline__ u64 advance_descriptor(u64 descriptor, u32 bytes) {
  return (descriptor >> 32 << 32) | (static_cast<u32>(descriptor) + (bytes >> 4));
}

// Of 16 columns along k, from column 16*step of a tile whose rows lie along k: panel (16*step)/64,
// 32 bytes into its rows.
__device__ __forceinline__ u64 tile_descriptor(u32 tile, int rows, int step) {
  return advance_descriptor((tile >> 4 & 0x3fff) | 1ull << 16 | 64ull << 32 | 1ull << 62,
                            static_cast<u32>(step / 4 * rows * 128 + step % 4 * 32));
}

// Of 32 bytes along k, from byte 32*step of a tile whose rows lie along k: panels of kSpan bytes of
// every row, swizzled by kSpan (32, 64 or 128), one after the other. A panel is a multiple of
// 8*kSpan bytes, and so is the tile's address: the swizzle repeats there.
template <int kSpan>
__device__ __forceinline__ u64 panel_descriptor(u32 tile, int rows, int step) {
  static_assert(kSpan == 32 || kSpan == 64 || kSpan == 128);
  constexpr int kSteps = kSpan / 32;
  constexpr u64 kSwizzle = kSpan == 128 ? 1 : kSpan == 64 ? 2 : 3;
  const u64 first =
      (tile >> 4 & 0x3fff) | 1ull << 16 | static_cast<u64>(kSpan / 2) << 32 | kSwizzle << 62;
  return advance_descriptor(first,
                            static_cast<u32>(step / kSteps * rows * kSpan + step % kSteps * 32));
}

// Of 16 rows from row 16*step on, of a tile whose rows lie along n (kTransposed): the stride offset
// leads to the next eight rows, the leading offset to the next panel, which holds the next 64
// columns.
__device__ __forceinline__ u64 transposed_tile_descriptor(u32 tile, int rows, int step) {
  return advance_descriptor(
      (tile >> 4 & 0x3fff) | static_cast<u64>(rows * 8) << 16 | 64ull << 32 | 1ull << 62,
      static_cast<u32>(step * 16 * 128));
}
