// Which rows and keys a block works on: what kernels of attention of many queries share.
//
// Row i of q sees the keys 0 to visible_keys(i) - 1: all of them, or with a causal mask those up to
// its own position, the last row of q being aligned with the last key. A tile of rows needs the
// keys that its last row sees.
#pragma once

#include "types.cuh"

// Sizes of a launch, from its arguments.
struct Shape {
  int heads, kv_heads;  // of one batch entry
  int q_len, kv_len;
  bool causal;

  [[nodiscard]] __device__ __forceinline__ int visible_keys(int row) const {
    const int own = row + 1 + kv_len - q_len;
    return causal ? max(0, min(own, kv_len)) : kv_len;
  }
  // The head of K and V for head `head`, counted over all batch entries; neighbouring heads share
  // one.
  [[nodiscard]] __device__ __forceinline__ int kv_head(int head) const {
    return head / (heads / kv_heads);
  }
};

__device__ __forceinline__ int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Tiles of kKeys keys that rows first_row to first_row + kRows - 1 need.
template <int kRows, int kKeys>
__device__ __forceinline__ int count_key_tiles(const Shape& shape, int first_row) {
  return ceil_div(shape.visible_keys(min(first_row + kRows, shape.q_len) - 1), kKeys);
}

// Tile number `step` of `tiles` in the order in which they are worked on.
template <bool kDescending>
__device__ __forceinline__ int key_tile(int step, int tiles) {
  return kDescending ? tiles - 1 - step : step;
}

// Goes through `tiles` tiles of kTileKeys keys, last ones first, and calls step(tile, masked);
// `unmasked` is how many keys all rows of the block see. The tiles that the mask cuts then come
// first: with kSplitMask they have a loop of their own, and the other loop is free of masking;
// without it there is one loop, and less code.
template <int kTileKeys, bool kSplitMask, typename Step>
__device__ __forceinline__ void for_key_tiles(int tiles, int unmasked, Step step) {
  const auto is_masked = [&](int tile) { return (tile + 1) * kTileKeys > unmasked; };
  int tile = tiles - 1;
  if constexpr (kSplitMask) {
#pragma unroll 1
    for (; tile >= 0 && is_masked(tile); --tile) step(tile, true);
#pragma unroll 1
    for (; tile >= 0; --tile) step(tile, false);
  } else {
#pragma unroll 1
    for (; tile >= 0; --tile) step(tile, is_masked(tile));
  }
}

// The order of tiles. Sections of `section` heads come one after the other, so that the K and V of
// the heads being worked on stay in L2; within a section, tiles of the same rank of all heads come
// together. Rank 0 is the last rows: with a causal mask they see the most keys, and long work that
// starts last would finish alone.
struct TileOrder {
  int row_tiles, heads;  // heads of all batch entries
  int section;           // heads
  bool longest_first;

  struct Tile {
    int head, row_tile;
  };
  [[nodiscard]] __device__ __forceinline__ Tile at(int index) const {
    const int first_head = index / (section * row_tiles) * section;
    const int width = min(section, heads - first_head);
    const int within = index - first_head * row_tiles;
    const int rank = within / width;
    return {first_head + within % width, longest_first ? row_tiles - 1 - rank : rank};
  }
};
