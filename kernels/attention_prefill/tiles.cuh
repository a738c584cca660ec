// Which rows and keys a block works on: what every variant of attention_prefill shares.
//
// Row i of q sees the keys 0 to visible_keys(i) - 1: all of them, or with a causal mask those up to its own position, where
// the last row of q stands at the last key. A tile of rows needs the keys that its last row sees.
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
  // Of K and V, for head `head` of all batch entries; heads that follow each other share.
  [[nodiscard]] __device__ __forceinline__ int kv_head(int head) const { return head / (heads / kv_heads); }
};

__device__ __forceinline__ int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Tiles of kKeys keys that rows first_row to first_row + kRows - 1 need.
template <int kRows, int kKeys>
__device__ __forceinline__ int count_key_tiles(const Shape& shape, int first_row) {
  return ceil_div(shape.visible_keys(min(first_row + kRows, shape.q_len) - 1), kKeys);
}

// The order of tiles. Sections of `section` heads come one after the other, so that the K and V of those that are
// worked on at one time stay in L2; within a section all heads take their tiles of the same rank together.
// Rank 0 are the last rows: with a causal mask they see most keys, and long work that starts last would finish alone.
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
