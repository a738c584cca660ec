// From channels first to rows along the channels, as products by tensor cores want them: x
// [batch][c_in][length] to [batch][length][c_rows], w [c_out][c_in][width] to [width][c_out][c_rows].
// Rows are c_in rounded up to 8, so that they are multiples of 16 bytes; the rest is zeros.
//
// Both are transpositions of 32 x 32 tiles through shared memory, one tile a block of 256 threads:
// of x in (channel, time), of w in (channel, tap) x output channel: a row of w is read as it lies,
// c_in*width elements, and its elements go to the row of their tap. Blocks first make the tiles of x,
// then those of w.
#pragma once

#include "problem.cuh"

constexpr int kPackTile = 32, kPackThreads = 256;

__host__ __device__ constexpr int tiles_of(int count) { return (count + kPackTile - 1) / kPackTile; }

template <typename Element>
__device__ __forceinline__ void pack_x(u16 (&tile)[kPackTile][kPackTile + 2], int index,
                                       const Element* __restrict__ x,
                                       Element* __restrict__ x_rows, const Sizes& sizes,
                                       int c_rows) {
  const int time_tiles = tiles_of(sizes.length), channel_tiles = tiles_of(c_rows);
  const int time = index % time_tiles * kPackTile;
  const int channel = index / time_tiles % channel_tiles * kPackTile;
  const int b = index / time_tiles / channel_tiles;
  const int lane = static_cast<int>(threadIdx.x) % kPackTile;
  const int group = static_cast<int>(threadIdx.x) / kPackTile;
#pragma unroll
  for (int i = group; i < kPackTile; i += kPackThreads / kPackTile) {
    u16 bits = 0;
    if (channel + i < sizes.c_in && time + lane < sizes.length)
      bits = x[(static_cast<i64>(b) * sizes.c_in + channel + i) * sizes.length + time + lane].bits;
    tile[i][lane] = bits;
  }
  __syncthreads();
#pragma unroll
  for (int i = group; i < kPackTile; i += kPackThreads / kPackTile) {
    if (time + i < sizes.length && channel + lane < c_rows)
      x_rows[(static_cast<i64>(b) * sizes.length + time + i) * c_rows + channel + lane] = {
          tile[lane][i]};
  }
}

// Reads 256 channels' worth of a row of w in the order of memory; every tap's elements of these are
// neighbours where they go. A warp writes 64 bytes at a time.
template <typename Element>
__device__ __forceinline__ void pack_w(int index, const Element* __restrict__ w,
                                       Element* __restrict__ w_rows, const Sizes& sizes,
                                       int c_rows) {
  const int parts = (c_rows + kPackThreads - 1) / kPackThreads;
  const int co = index / parts;
  const int ci = index % parts * kPackThreads + static_cast<int>(threadIdx.x);
  if (ci >= c_rows) return;
  const Element* const from = w + (static_cast<i64>(co) * sizes.c_in + ci) * sizes.width;
#pragma unroll 4
  for (int tap = 0; tap < sizes.width; ++tap) {
    Element element{};
    if (ci < sizes.c_in) element = from[tap];
    w_rows[(static_cast<i64>(tap) * sizes.c_out + co) * c_rows + ci] = element;
  }
}

template <typename Element>
__device__ __forceinline__ void pack(const Element* __restrict__ x, const Element* __restrict__ w,
                                     Element* __restrict__ x_rows, Element* __restrict__ w_rows,
                                     const Sizes& sizes, int c_rows) {
  __shared__ u16 tile[kPackTile][kPackTile + 2];  // columns 17 banks apart: no conflicts
  const int x_tiles = sizes.batch * tiles_of(sizes.length) * tiles_of(c_rows);
  const int block = static_cast<int>(blockIdx.x);
  if (block < x_tiles)
    pack_x(tile, block, x, x_rows, sizes, c_rows);
  else
    pack_w(block - x_tiles, w, w_rows, sizes, c_rows);
}
