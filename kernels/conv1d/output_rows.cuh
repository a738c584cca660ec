// How rows of the output are written from sums in the layout of mma and wgmma: a quad has 32
// columns of a row and writes 64 bytes of it.
#pragma once

#include "packet.cuh"
#include "problem.cuh"
#include "quad.cuh"
#include "warp.cuh"

// The largest power of two of elements, up to 8, that divides the rows' length: rows then start,
// and end, at multiples of it.
__device__ __forceinline__ int row_granule(int columns) {
  return columns % 8 == 0 ? 8 : columns % 4 == 0 ? 4 : columns % 2 == 0 ? 2 : 1;
}

// 8 elements from column `column` on, as many as there are, in accesses of `granule` elements,
// which is the same for all threads.
template <typename Element>
__device__ __forceinline__ void store_eight(Element* row, int column, int columns, int granule,
                                            const u32 (&words)[4]) {
  static_assert(sizeof(Element) == 2);
  Element* const to = row + column;
  const int rest = columns - column;
  if (granule == 8) {
    if (rest > 0)
      *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
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

// Bias, activation, and 16 rows of a warp to memory: kN columns from `first_column` on, of rows
// `row` and row + 8, where `row` is the first row of the warp's plus lane/4. four(i) are the sums
// of columns 8*i + 2*(lane % 4) and the next, of both rows; added(i) the bias of these columns
// where columns are channels. Called by all lanes of the warp.
template <bool kWhole, typename Element, Function kFunction, Order kOrder, int kN, typename Four,
          typename Added>
__device__ __forceinline__ void write_some_rows(const Four& four, const Added& added,
                                                const Sizes& sizes, int b, int row,
                                                int first_column, const Element* __restrict__ bias,
                                                Element* __restrict__ out) {
  constexpr bool kFirst = kOrder == Order::channels_first;
  const int lane = lane_id();
  const int rows = kFirst ? sizes.c_out : sizes.t_out;
  const int columns = kFirst ? sizes.t_out : sizes.c_out;
  const int granule = kWhole ? 8 : row_granule(columns);
  float row_bias[2] = {};
  if constexpr (kFirst) {
    row_bias[0] = row < rows ? to_float(bias[row]) : 0.0f;
    row_bias[1] = row + 8 < rows ? to_float(bias[row + 8]) : 0.0f;
  }
  Element* const to = out + (static_cast<i64>(b) * rows + row) * columns;
#pragma unroll
  for (int n = 0; n < kN; n += 32) {
    // 32 columns, or 16 where no more are left: then two lanes of a quad have nothing to write.
    u32 words[2][4] = {};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (n + 8 * j >= kN) continue;
      const float4 sum = four(n / 8 + j);
      float2 more = make_float2(0, 0);
      if constexpr (!kFirst) more = added(n / 8 + j);
      const auto pair = [&](float x, float y, float of_row) {
        return pack_pair<Element>(activated<Element, kFunction>(x + (kFirst ? of_row : more.x)),
                                  activated<Element, kFunction>(y + (kFirst ? of_row : more.y)));
      };
      words[0][j] = pair(sum.x, sum.y, row_bias[0]);
      words[1][j] = pair(sum.z, sum.w, row_bias[1]);
    }
    const int column = n + 8 * (lane % 4);
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      quad_transpose(words[half]);
      if (row + 8 * half < rows && column < kN)
        store_eight(to + static_cast<i64>(8 * half) * columns, first_column + column, columns,
                    granule, words[half]);
    }
  }
}

// The same, by one of two copies of the code: rows that are multiples of 8 elements need no choice
// at every store, which is a fifth of the instructions and lets stores and arithmetic mix.
template <typename Element, Function kFunction, Order kOrder, int kN, typename Four, typename Added>
__device__ __forceinline__ void write_rows(const Four& four, const Added& added, const Sizes& sizes,
                                           int b, int row, int first_column,
                                           const Element* __restrict__ bias,
                                           Element* __restrict__ out) {
  if ((kOrder == Order::channels_first ? sizes.t_out : sizes.c_out) % 8 == 0)
    write_some_rows<true, Element, kFunction, kOrder, kN>(four, added, sizes, b, row, first_column,
                                                          bias, out);
  else
    write_some_rows<false, Element, kFunction, kOrder, kN>(four, added, sizes, b, row, first_column,
                                                           bias, out);
}
