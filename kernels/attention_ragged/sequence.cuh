// The sequence that a block works on, of several that lie packed one behind the other.
#pragma once

#include "tiles.cuh"

struct Sequence {
  int first_row, first_key;  // among those of all sequences
  int head;
  Shape shape;  // lengths of this sequence alone

  // `number` counts the heads of the first sequence, then those of the second, and so on.
  __device__ __forceinline__ Sequence(int number, const int* __restrict__ q_offsets,
                                      const int* __restrict__ kv_offsets, int heads, int kv_heads,
                                      bool causal)
      : head(number % heads) {
    const int at = number / heads;
    first_row = __ldg(q_offsets + at);
    first_key = __ldg(kv_offsets + at);
    shape = {heads, kv_heads, __ldg(q_offsets + at + 1) - first_row,
             __ldg(kv_offsets + at + 1) - first_key, causal};
  }
};
