// What a warp that calculates does with the tiles of its block, wherever they come from: the pieces
// of the block one after the other, of each the tiles that are the warp's, then the end of the
// piece together with the other warps.
//
// Source hands out tiles: wait(number) returns the shared address of tile `number` of the block, K
// and then V, and release(number) gives it back. Both are called by all lanes of the warp.
#pragma once

#include "merge.cuh"
#include "warp_tile.cuh"
#include "work.cuh"

// `pieces` are all of the block's.
template <typename Config, typename Space, typename Source, typename Element>
__device__ __forceinline__ void consume_pieces(Space& space, Source& source, Pieces<Config> pieces,
                                               const Element* __restrict__ q,
                                               const Results<Element>& results, float scale,
                                               int warp) {
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
    work.begin(q, shape, piece, visible.length);
    const int after = before + piece.end - piece.begin;
#pragma unroll 1
    for (; number < after; number += kWarps) {
      const int key = layout.key(piece.begin + number - before);
      const u32 tile = source.wait(number);
      // Nearly all tiles are seen as a whole, and their code is free of masks.
      if (visible.all(key, kTile, first_position))
        work.template add<false>(tile, tile + WarpTile<Config>::kBytes, key, visible);
      else
        work.template add<true>(tile, tile + WarpTile<Config>::kBytes, key, visible);
      source.release(number);
    }
    before = after;
    work.publish(space, warp);
    end(shape, pieces, piece);
  }
  end.store_unseen(shape);
}
