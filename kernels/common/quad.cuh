// A quad is four consecutive lanes. In fragments of mma and wgmma they hold the columns of one row
// between them: 2 of every 8 each.
#pragma once

#include "types.cuh"

// Word i of lane q goes to word q of lane i. If lane q holds columns 2q and 2q + 1 of four blocks
// of 8 columns, one word each, it holds the whole of block q afterwards: 16 bytes per store instead
// of 4. Called by all lanes of the warp.
__device__ __forceinline__ void quad_transpose(u32 (&words)[4]) {
  const bool odd = (threadIdx.x & 1) != 0, upper = (threadIdx.x & 2) != 0;
  // Blocks of 1 across the lanes of a pair, then blocks of 2 across the pairs. Each lane sends the
  // words that it does not keep.
#pragma unroll
  for (int i = 0; i < 4; i += 2) {
    const u32 got = __shfl_xor_sync(0xffffffffu, odd ? words[i] : words[i + 1], 1);
    if (odd)
      words[i] = got;
    else
      words[i + 1] = got;
  }
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    const u32 got = __shfl_xor_sync(0xffffffffu, upper ? words[i] : words[i + 2], 2);
    if (upper)
      words[i] = got;
    else
      words[i + 2] = got;
  }
}
