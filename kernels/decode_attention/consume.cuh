// The work of a warp that calculates, independent of the source of its block's tiles: the pieces of
// the block one after the other, in each piece the tiles that are the warp's, then the end of the
// piece together with the other warps.
//
// Source hands out tiles: wait(number) says where tile `number` of the block is, and
// release(number) gives it back. Both are called by all lanes of the warp.
#pragma once

#include "merge.cuh"
#include "warp_tile.cuh"
#include "work.cuh"

// The scales of a cache of 8 bits: [slots, kv_heads] with kTokenScales, otherwise [kv_heads].
struct Scales {
  const float* __restrict__ k, * __restrict__ v;
};

// Starts the copies of a tile's scales: those of K, then those of V, kTile of each. slot_of(i) is
// where key i of the tile lies in the cache, negative if no query sees it. Called by all lanes.
template <int kTile, typename SlotOf>
__device__ __forceinline__ void copy_scales(u32 to, const Scales& scales, int kv_heads, int kv_head,
                                            const SlotOf& slot_of) {
#pragma unroll
  for (int base = 0; base < 2 * kTile; base += kWarpSize) {
    const int i = base + lane_id(), slot = slot_of(i % kTile);
    const i64 from = slot < 0 ? 0 : static_cast<i64>(slot) * kv_heads + kv_head;
    copy_async<4>(to + 4 * static_cast<u32>(i), (i < kTile ? scales.k : scales.v) + from,
                  slot >= 0);
  }
}

// `pieces` are all of the block's.
template <typename Config, typename Space, typename Source, typename Element>
__device__ __forceinline__ void consume_pieces(Space& space, Source& source, Pieces<Config> pieces,
                                               const Element* __restrict__ q,
                                               const Results<Element>& results,
                                               const Scales& scales, float scale, int warp) {
  constexpr int kWarps = Config::kWarps, kTile = Config::kTile;
  const Shape& shape = pieces.shape;
  const PieceEnd<Config::kD, Config::kRows, kWarps, Element> end{space, results,
                                                                 32 * warp + lane_id()};
  WarpTile<Config> work(scale);
  Piece piece;
  int before = 0, number = warp;  // tiles of earlier pieces; the warp's next tile
#pragma unroll 1
  while (pieces.next(piece)) {
    const Visible visible(shape, shape.length(piece.sequence));
    const Tiles<kTile> layout(visible);
    const int first_position = visible.length - shape.q_len;
    float key_scale = 1, value_scale = 1;
    if constexpr (WarpTile<Config>::kWiden && !Config::kTokenScales) {
      key_scale = __ldg(scales.k + piece.kv_head);
      value_scale = __ldg(scales.v + piece.kv_head);
    }
    work.begin(q, shape, piece, visible.length, key_scale, value_scale);
    const int after = before + piece.end - piece.begin;
#pragma unroll 1
    for (; number < after; number += kWarps) {
      const int key = layout.key(piece.begin + number - before);
      const TileAt tile = source.wait(number);
      // Nearly all tiles are seen as a whole, and their code is free of masks.
      if (visible.all(key, kTile, first_position))
        work.template add<false>(tile, key, visible);
      else
        work.template add<true>(tile, key, visible);
      source.release(number);
    }
    before = after;
    work.publish(space, warp);
    end(shape, pieces, piece);
  }
  end.store_unseen(shape);
}
