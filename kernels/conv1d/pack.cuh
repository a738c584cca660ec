// From channels first to rows along the channels, as products by tensor cores want them: x
// [batch][c_in][length] to [batch][length][c_rows], w [c_out][c_in][width] to
// [width][c_out][c_rows]. Rows are c_in rounded up to 8, so that they are multiples of 16 bytes;
// the rest is zeros.
//
// One launch of 256 threads a block: first blocks for x, then for w. 1280 x 3000 times and 1280 x
// 1280 x 3 weights are 17.5 MB to read, for which a thread has 24 to 32 bytes on their way, 48 KB
// an SM; what is written stays in L2 for the product.
#pragma once

#include "packet.cuh"
#include "problem.cuh"

constexpr int kPackTile = 64, kPackThreads = 256;

// In u32, one of two elements: rows of a tile start in different banks.
struct PackTile {
  u32 rows[kPackTile][kPackTile / 2 + 1];
};

__device__ __forceinline__ int pack_tiles(int count) { return (count + kPackTile - 1) / kPackTile; }

// A transposition of 64 channels x 64 times through shared memory. A warp reads 128 bytes of a
// channel and writes 128 bytes of a time.
template <typename Element>
__device__ __forceinline__ void pack_x(PackTile& tile, int index, const Element* __restrict__ x,
                                       Element* __restrict__ x_rows, const Sizes& sizes,
                                       int c_rows) {
  const int time_tiles = pack_tiles(sizes.length), channel_tiles = pack_tiles(c_rows);
  const int first_time = index % time_tiles * kPackTile;
  const int first_channel = index / time_tiles % channel_tiles * kPackTile;
  const int b = index / time_tiles / channel_tiles;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  constexpr int kRows = kPackTile / (kPackThreads / 32);  // of a warp
  const int time = first_time + 2 * lane;
  const bool pairs = sizes.length % 2 == 0;  // a channel starts at a multiple of two elements
  u32 words[kRows];
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int channel = first_channel + warp + i * (kPackThreads / 32);
    const Element* const from =
        x + (static_cast<i64>(b) * sizes.c_in + channel) * sizes.length + time;
    words[i] = 0;
    if (channel < sizes.c_in) {
      if (pairs) {
        if (time < sizes.length) words[i] = __ldg(reinterpret_cast<const u32*>(from));
      } else {
        if (time < sizes.length) words[i] = from[0].bits;
        if (time + 1 < sizes.length) words[i] |= static_cast<u32>(from[1].bits) << 16;
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kRows; ++i) tile.rows[warp + i * (kPackThreads / 32)][lane] = words[i];
  __syncthreads();
  const int channel = first_channel + 2 * lane;
#pragma unroll
  for (int i = 0; i < kRows; ++i) {
    const int column = warp + i * (kPackThreads / 32), t = first_time + column;
    const u32 selector =
        column % 2 == 0 ? 0x5410 : 0x7632;  // the lower halves of two words, or the upper
    const u32 word =
        __byte_perm(tile.rows[2 * lane][column / 2], tile.rows[2 * lane + 1][column / 2], selector);
    if (t < sizes.length && channel < c_rows)
      *reinterpret_cast<u32*>(x_rows + (static_cast<i64>(b) * sizes.length + t) * c_rows +
                              channel) = word;
  }
}

// A thread has four channels of an output channel: 4 * kWidth elements in a row, of which it makes
// four for each tap.
template <int kWidth, typename Element>
__device__ __forceinline__ void pack_w(int index, const Element* __restrict__ w,
                                       Element* __restrict__ w_rows, const Sizes& sizes,
                                       int c_rows) {
  const int quads = c_rows / 4, number = index * kPackThreads + static_cast<int>(threadIdx.x);
  const int co = number / quads, ci = number % quads * 4;
  if (co >= sizes.c_out) return;
  const Element* const from = w + (static_cast<i64>(co) * sizes.c_in + ci) * kWidth;
  u16 elements[4 * kWidth];
  if (sizes.c_in % 4 == 0 && ci < sizes.c_in) {
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      const uint2 four = __ldg(reinterpret_cast<const uint2*>(from) + i);
      elements[4 * i] = static_cast<u16>(four.x);
      elements[4 * i + 1] = static_cast<u16>(four.x >> 16);
      elements[4 * i + 2] = static_cast<u16>(four.y);
      elements[4 * i + 3] = static_cast<u16>(four.y >> 16);
    }
  } else {
#pragma unroll
    for (int i = 0; i < 4 * kWidth; ++i)
      elements[i] = ci + i / kWidth < sizes.c_in ? from[i].bits : static_cast<u16>(0);
  }
#pragma unroll
  for (int tap = 0; tap < kWidth; ++tap) {
    const auto two = [&](int i) {
      return elements[i * kWidth + tap] | static_cast<u32>(elements[(i + 1) * kWidth + tap]) << 16;
    };
    *reinterpret_cast<uint2*>(w_rows + (static_cast<i64>(tap) * sizes.c_out + co) * c_rows + ci) =
        make_uint2(two(0), two(2));
  }
}

template <typename Element>
__device__ __forceinline__ void pack(const Element* __restrict__ x, const Element* __restrict__ w,
                                     Element* __restrict__ x_rows, Element* __restrict__ w_rows,
                                     const Sizes& sizes, int c_rows) {
  __shared__ PackTile tile;
  const int x_tiles = sizes.batch * pack_tiles(sizes.length) * pack_tiles(c_rows);
  const int block = static_cast<int>(blockIdx.x);
  if (block < x_tiles) {
    pack_x(tile, block, x, x_rows, sizes, c_rows);
    return;
  }
  // The width is compiled in, so that elements are registers.
  switch (sizes.width) {
    case 1:
      return pack_w<1>(block - x_tiles, w, w_rows, sizes, c_rows);
    case 2:
      return pack_w<2>(block - x_tiles, w, w_rows, sizes, c_rows);
    case 3:
      return pack_w<3>(block - x_tiles, w, w_rows, sizes, c_rows);
    case 4:
      return pack_w<4>(block - x_tiles, w, w_rows, sizes, c_rows);
    case 5:
      return pack_w<5>(block - x_tiles, w, w_rows, sizes, c_rows);
    case 6:
      return pack_w<6>(block - x_tiles, w, w_rows, sizes, c_rows);
    case 7:
      return pack_w<7>(block - x_tiles, w, w_rows, sizes, c_rows);
  }
}
