// How rows of the output are written from sums in the layout of mma and wgmma: a quad has 32 columns
// of a row and writes 64 bytes of it.
#pragma once

#include "packet.cuh"
#include "quad.cuh"

// The largest power of two of elements, up to 8, that divides the rows' length: rows then start, and
// end, at multiples of it.
__device__ __forceinline__ int row_granule(int columns) {
  return columns % 8 == 0 ? 8 : columns % 4 == 0 ? 4 : columns % 2 == 0 ? 2 : 1;
}

// 8 elements from column `column` on, as many as there are, in accesses of `granule` elements, which
// is the same for all threads.
template <typename Element>
__device__ __forceinline__ void store_eight(Element* row, int column, int columns, int granule,
                                            const u32 (&words)[4]) {
  static_assert(sizeof(Element) == 2);
  Element* const to = row + column;
  const int rest = columns - column;
  if (granule == 8) {
    if (rest > 0) *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
  } else if (granule == 4) {
    if (rest > 0) *reinterpret_cast<uint2*>(to) = make_uint2(words[0], words[1]);
    if (rest > 4) *reinterpret_cast<uint2*>(to + 4) = make_uint2(words[2], words[3]);
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (granule == 2) {
        if (rest > 2 * i) *reinterpret_cast<u32*>(to + 2 * i) = words[i];
      } else {
        if (rest > 2 * i) to[2 * i] = {static_cast<u16>(words[i])};
        if (rest > 2 * i + 1) to[2 * i + 1] = {static_cast<u16>(words[i] >> 16)};
      }
    }
  }
}
