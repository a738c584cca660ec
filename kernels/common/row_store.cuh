// How a warp writes rows of the output that it holds as sums of mma or wgmma: a quad writes 64
// bytes of a row, 16 per lane.
#pragma once

#include "packet.cuh"
#include "quad.cuh"

// One row of kColumns. at(n, i) is the sum of column 8*n + 2*(lane % 4) + i, `total` the row's sum
// of probabilities, `out` where the row begins; nothing is written unless `inside`. Called by all
// lanes of the warp.
template <int kColumns, typename Element, typename At>
__device__ __forceinline__ void store_row(Element* out, int lane, const At& at, float total,
                                          bool inside) {
  const float normal = total == 0 ? 0.0f : 1 / total;  // a row that sees no key is 0
  out += 8 * (lane % 4);
#pragma unroll
  for (int column = 0; column < kColumns; column += 32) {
    u32 words[4];
#pragma unroll
    for (int j = 0; j < 4; ++j)
      words[j] = pack_pair<Element>(at(column / 8 + j, 0) * normal, at(column / 8 + j, 1) * normal);
    quad_transpose(words);
    if (inside)
      *reinterpret_cast<uint4*>(out + column) = make_uint4(words[0], words[1], words[2], words[3]);
  }
}
