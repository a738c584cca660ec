// The scaling (attention_prefill/scaling.cuh) of rows whose queries are multiplied by the factor of
// their position.
//
// s q k^T is s times the scores of q, so the factor goes into the softmax scale of the row: two
// registers of a lane for its two rows, where the uniform scale is an operand from the parameters,
// and no other instruction per score. q stays as it is, unrounded.
#pragma once

#include "irope.cuh"
#include "types.cuh"

// A lane's rows: their positions, which may still be on their way, until settle_scales(); then
// their scales.
template <int kRows>
struct IropeRows {
  i32 positions[kRows];
  float of[kRows];
  float scale, floor_scale, attn_scale;
};

struct IropeScaling {
  float scale;  // before the factor
  const i32* positions;
  float floor_scale, attn_scale;

  template <int kRows>
  using Rows = IropeRows<kRows>;

  // Starts the loads. They are 4 bytes a row of a tile, and heads share them: from L2, or L1 when
  // the block's last tile had the same rows.
  template <int kRows, typename RowAt>
  [[nodiscard]] __device__ __forceinline__ IropeRows<kRows> rows(const RowAt& row_at) const {
    IropeRows<kRows> rows;
#pragma unroll
    for (int i = 0; i < kRows; ++i) rows.positions[i] = __ldg(positions + row_at(i));
    rows.scale = scale;
    rows.floor_scale = floor_scale;
    rows.attn_scale = attn_scale;
    return rows;
  }
};

template <int kRows>
__device__ __forceinline__ void settle_scales(IropeRows<kRows>& rows) {
#pragma unroll
  for (int i = 0; i < kRows; ++i)
    rows.of[i] = rows.scale * irope_factor(rows.positions[i], rows.floor_scale, rows.attn_scale);
}

template <int kRows>
__device__ __forceinline__ float scale_of(const IropeRows<kRows>& rows, int row) {
  return rows.of[row];
}
