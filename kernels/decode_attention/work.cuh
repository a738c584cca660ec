// Which keys a query sees, and how the work of a launch is dealt to its blocks.
//
// A unit of work is the queries (up to kRows of them) that share a head of the cache, against all
// keys that any of them sees; those come in tiles of kTile keys. A unit's tiles may be spread over
// several blocks: a piece is what one block has of one unit. Every warp finds the block's pieces by
// itself from the lengths, so that warps with different roles need not tell each other.
//
//   kSplits > 0    block i has part i % kSplits of unit i / kSplits
//   kSplits == 0   tiles of all sequences stand in a row and are cut into equal shares, one tile
//                  more or less, whatever the lengths are. A block has at most one piece that
//                  continues a unit of the block before it and one that the block after it
//                  continues.
//     Order::heads   the row is of one head's tiles, and each share is cut for every unit: blocks
//                    that are neighbours read the same keys of different heads at the same time,
//                    which lie side by side in memory and share DRAM pages. The SMs that remain
//                    when units do not divide them are idle; memory is busy without them
//     Order::flat    the row is of all units' tiles, so that all SMs have an equal share
#pragma once

#include "types.cuh"
#include "warp.cuh"

__device__ __forceinline__ int ceil_div(int a, int b) { return (a + b - 1) / b; }

// Sizes of a launch, from its arguments. Integer divisions take dozens of instructions, so those
// that are the same for all blocks come with the arguments.
struct Shape {
  int batch, heads, kv_heads, q_len;
  int group;          // heads of q to a head of the cache
  int kv_len, pages;  // of a sequence
  int window, sinks;  // keys; window 0 is all
  const int* __restrict__ lengths;
  const int* __restrict__ table;

  [[nodiscard]] __device__ __forceinline__ int rows() const { return group * q_len; }
  // Units that the queries of a head of the cache make.
  template <int kRows>
  [[nodiscard]] __device__ __forceinline__ int query_parts() const {
    return ceil_div(rows(), kRows);
  }
  [[nodiscard]] __device__ __forceinline__ int length(int sequence) const {
    return min(max(__ldg(lengths + sequence), 0), kv_len);
  }
  // The place of a key in the cache; kPage 0 has no pages.
  template <int kPage>
  [[nodiscard]] __device__ __forceinline__ int slot(int sequence, int key) const {
    if constexpr (kPage == 0)
      return sequence * kv_len + key;
    else
      return __ldg(table + sequence * pages + key / kPage) * kPage + key % kPage;
  }
};

// The keys of a sequence that its queries see. Query t stands at position length - q_len + t.
struct Visible {
  int length;
  int first;  // of the keys in the windows of all queries; those before it are seen as sinks only
  int sinks, window;

  __device__ __forceinline__ Visible(const Shape& shape, int sequence_length)
      : length(sequence_length),
        first(shape.window == 0 ? 0
                                : max(0, max(sequence_length - shape.q_len, 0) - shape.window + 1)),
        sinks(shape.window == 0 ? 0 : shape.sinks),
        window(shape.window) {}

  // To the query at `position`, which is negative where there is none.
  [[nodiscard]] __device__ __forceinline__ bool to(int position, int key) const {
    return key <= position && (window == 0 || key > position - window || key < sinks);
  }
  // Whether any query sees the key. Keys that no query sees may be NaN.
  [[nodiscard]] __device__ __forceinline__ bool to_any(int key) const {
    return key < length && (key >= first || key < sinks);
  }
  // Whether any of `count` keys from `key` on is seen by any query.
  [[nodiscard]] __device__ __forceinline__ bool some(int key, int count) const {
    return key < length && (key + count > first || key < sinks);
  }
  // Whether every query sees all of `count` keys from `key` on; `first_position` is the position of
  // query 0.
  [[nodiscard]] __device__ __forceinline__ bool all(int key, int count, int first_position) const {
    return key + count - 1 <= first_position && (window == 0 || key > length - 1 - window);
  }
};

// The tiles that hold visible keys, numbered without those between the sinks and the window.
template <int kTile>
struct Tiles {
  int sink_tiles, skipped, count;

  __device__ __forceinline__ explicit Tiles(const Visible& visible) {
    const int first_tile = visible.first / kTile;
    sink_tiles = min(ceil_div(min(visible.sinks, visible.length), kTile), first_tile);
    skipped = first_tile - sink_tiles;
    count = ceil_div(visible.length, kTile) - skipped;
  }
  // The first key of tile `number`.
  [[nodiscard]] __device__ __forceinline__ int key(int number) const {
    return (number < sink_tiles ? number : number + skipped) * kTile;
  }
};

// A block's share of a unit.
struct Piece {
  int sequence, kv_head, query_part;  // the unit
  int begin, end;                     // tiles of it
  int tiles;                          // that it has
  u32 unit_begin;                     // kSplits == 0: its first tile in the row of all tiles
};

// The other blocks with pieces of the unit, and the place of the partial results of part i.
struct Parts {
  int count, first_share;
};

enum class Order { heads, flat };

// Config: kTile, kRows, kSplits and kOrder.
template <typename Config>
struct Pieces {
  static constexpr int kTile = Config::kTile, kRows = Config::kRows, kSplits = Config::kSplits;
  static constexpr bool kFlat = Config::kOrder == Order::flat;

  const Shape& shape;
  u32 at = 0, end = 0;        // the block's rest in the row of tiles; kSplits > 0: in the unit
  Piece current{};            // the unit of `at`
  u32 share = 0, longer = 0;  // kSplits == 0: tiles of a share, shares that have one more

  [[nodiscard]] __device__ __forceinline__ int units() const {
    return shape.kv_heads * shape.query_parts<kRows>();
  }
  [[nodiscard]] __device__ __forceinline__ int count_tiles(int sequence) const {
    return Tiles<kTile>(Visible(shape, shape.length(sequence))).count;
  }
  // Which unit of all.
  [[nodiscard]] __device__ __forceinline__ int unit(const Piece& piece) const {
    return (piece.sequence * shape.kv_heads + piece.kv_head) * shape.query_parts<kRows>() +
           piece.query_part;
  }

  // Called by all lanes of a warp.
  __device__ __forceinline__ explicit Pieces(const Shape& s) : shape(s) {
    u32 block = blockIdx.x;
    if constexpr (kSplits > 0) {
      const int all = static_cast<int>(blockIdx.x) / kSplits;
      const u32 split = blockIdx.x % kSplits;
      current.sequence = all / units();
      begin_unit(all - current.sequence * units());
      current.tiles = count_tiles(current.sequence);
      // Parts beyond the number of tiles have nothing to do, and no block waits for them.
      const u32 tiles = static_cast<u32>(current.tiles);
      const u32 splits = min(static_cast<u32>(kSplits), tiles);
      if (split < splits) {
        at = tiles * split / splits;
        end = tiles * (split + 1) / splits;
      }
      return;
    }
    // Tiles before each of the first 32 sequences, summed up by the warp; seldom are there more.
    const int lane = lane_id();
    const u32 own = lane < shape.batch ? static_cast<u32>(count_tiles(lane)) : 0;
    const u32 sum = running_sum(own);
    u32 total = __shfl_sync(kFullMask, sum, kWarpSize - 1);
    const u32 of_first = total;
#pragma unroll 1
    for (int base = kWarpSize; base < shape.batch; base += kWarpSize)
      total += static_cast<u32>(warp_sum(base + lane < shape.batch ? count_tiles(base + lane) : 0));
    const u32 all_units = static_cast<u32>(units());
    const u32 per_tile = kFlat ? all_units : 1;
    total *= per_tile;
    u32 blocks = gridDim.x;
    if constexpr (!kFlat) {
      blocks /= all_units;
      block /= all_units;
      begin_unit(static_cast<int>(blockIdx.x - block * all_units));
    }
    blocks = min(blocks, total);  // fewer tiles than blocks: a tile each
    if (block >= blocks) return;
    share = total / blocks;
    longer = total - share * blocks;
    at = first_of(block);
    end = first_of(block + 1);
    u32 before = find_sequence(0, 0, own, sum, per_tile) ? 0 : of_first;
    if (current.tiles == 0) {
#pragma unroll 1
      for (int base = kWarpSize; base < shape.batch; base += kWarpSize) {
        const u32 next = base + lane < shape.batch ? static_cast<u32>(count_tiles(base + lane)) : 0;
        const u32 next_sum = running_sum(next);
        if (find_sequence(base, before, next, next_sum, per_tile)) break;
        before += __shfl_sync(kFullMask, next_sum, kWarpSize - 1);
      }
    }
    if constexpr (kFlat) {
      const u32 tiles = static_cast<u32>(current.tiles);
      const u32 of_sequence = (at - current.unit_begin) / tiles;
      begin_unit(static_cast<int>(of_sequence));
      current.unit_begin += of_sequence * tiles;
    }
  }

  // The sum over the lanes up to this one.
  __device__ __forceinline__ static u32 running_sum(u32 value) {
#pragma unroll
    for (int distance = 1; distance < kWarpSize; distance *= 2) {
      const u32 lower = __shfl_up_sync(kFullMask, value, distance);
      if (lane_id() >= distance) value += lower;
    }
    return value;
  }
  // Whether tile `at` belongs to one of the sequences from `base` on, of which lanes have the tiles
  // and their running sum; `before` is the sum of those before.
  __device__ __forceinline__ bool find_sequence(int base, u32 before, u32 own, u32 sum,
                                                u32 per_tile) {
    const u32 here = __ballot_sync(kFullMask, (before + sum) * per_tile > at);
    if (here == 0) return false;
    const int found = __ffs(static_cast<int>(here)) - 1;
    current.sequence = base + found;
    current.tiles = static_cast<int>(__shfl_sync(kFullMask, own, found));
    current.unit_begin = (before + __shfl_sync(kFullMask, sum - own, found)) * per_tile;
    return true;
  }
  __device__ __forceinline__ void begin_unit(int unit) {
    const int query_parts = shape.query_parts<kRows>();
    current.kv_head = query_parts == 1 ? unit : unit / query_parts;
    current.query_part = unit - current.kv_head * query_parts;
  }

  // The first tile of a share, and the share that has a tile.
  [[nodiscard]] __device__ __forceinline__ u32 first_of(u32 block) const {
    return block * share + min(block, longer);
  }
  [[nodiscard]] __device__ __forceinline__ int block_of(u32 tile) const {
    const u32 in_longer = longer * (share + 1);
    return static_cast<int>(tile < in_longer ? tile / (share + 1)
                                             : longer + (tile - in_longer) / share);
  }

  // The block's next piece; false if there is none. All lanes get the same.
  __device__ __forceinline__ bool next(Piece& piece) {
    if (at >= end) return false;
    if constexpr (kSplits > 0) {
      piece = current;
      piece.begin = static_cast<int>(at);
      piece.end = static_cast<int>(end);
      at = end;
      return true;
    }
    const u32 unit_end = current.unit_begin + static_cast<u32>(current.tiles);
    piece = current;
    piece.begin = static_cast<int>(at - current.unit_begin);
    at = min(end, unit_end);
    piece.end = static_cast<int>(at - current.unit_begin);
    if (at < end) {  // on to the next unit
      current.unit_begin = unit_end;
      bool next_sequence = true;
      if constexpr (kFlat) {
        next_sequence = false;
        if (++current.query_part == shape.query_parts<kRows>()) {
          current.query_part = 0;
          if (++current.kv_head == shape.kv_heads) {
            current.kv_head = 0;
            next_sequence = true;
          }
        }
      }
      if (next_sequence) {
        do {
          current.tiles = count_tiles(++current.sequence);
        } while (current.tiles == 0);
      }
    }
    return true;
  }

  [[nodiscard]] __device__ __forceinline__ Parts parts(const Piece& piece) const {
    if constexpr (kSplits > 0) return {min(kSplits, piece.tiles), 0};
    // A unit that the block has as a whole needs no divisions to say so.
    if (piece.end - piece.begin == piece.tiles) return {1, 0};
    const int first = block_of(piece.unit_begin);
    const int last = block_of(piece.unit_begin + static_cast<u32>(piece.tiles) - 1);
    return {last - first + 1, first};
  }
  // The place where part number `part` of the unit is left. A block has two places: the first for a
  // part that continues the unit of a block before it.
  [[nodiscard]] __device__ __forceinline__ int place(const Piece& piece, const Parts& parts,
                                                     int part) const {
    if constexpr (kSplits > 0) return unit(piece) * kSplits + part;
    int block = parts.first_share + part;
    if constexpr (!kFlat)
      block = block * units() + piece.kv_head * shape.query_parts<kRows>() + piece.query_part;
    return 2 * block + (part == 0 ? 1 : 0);
  }
  [[nodiscard]] __device__ __forceinline__ int own_place(const Piece& piece,
                                                         const Parts& parts) const {
    if constexpr (kSplits > 0)
      return place(piece, parts, static_cast<int>(blockIdx.x % kSplits));
    else
      return 2 * static_cast<int>(blockIdx.x) + (piece.begin == 0 ? 1 : 0);
  }
};

// The tiles of a block in the order in which they are worked on, numbered from 0 on through all of
// its pieces. Warp w of kWorkers takes those whose number is w modulo kWorkers; a producer takes
// all.
template <typename Config, int kWorkers>
struct TileWalk {
  Pieces<Config> pieces;  // a copy, from the first on
  Piece piece{};
  int number;     // of the tile
  int after = 0;  // the number of the first tile after the piece
  Visible visible;
  Tiles<Config::kTile> layout;

  __device__ __forceinline__ TileWalk(const Pieces<Config>& all, int worker)
      : pieces(all), number(worker - kWorkers), visible(all.shape, 0), layout(visible) {}

  // Goes on to the next tile; false if there is none.
  __device__ __forceinline__ bool next() {
    number += kWorkers;
    while (number >= after) {
      if (!pieces.next(piece)) return false;
      after += piece.end - piece.begin;
      visible = Visible(pieces.shape, pieces.shape.length(piece.sequence));
      layout = Tiles<Config::kTile>(visible);
    }
    return true;
  }
  [[nodiscard]] __device__ __forceinline__ int key() const {
    return layout.key(piece.end - (after - number));
  }
};
