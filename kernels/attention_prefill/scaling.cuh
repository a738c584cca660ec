// The source of the softmax scales of a consumer's rows: a `Scaling`, which the kernel passes.
//
// A scaling is known to the whole grid. rows<kRows>(row_at) is what a lane keeps for the rows
// row_at(0) to row_at(kRows - 1) of a head, of the type Rows<kRows>; it may start loads.
// settle_scales() is called once before the first use, when other work has given loads the time to
// arrive, and scale_of() of online_softmax.cuh says the scale of one of the rows. Scales multiply
// scores before exp2, so log2(e) is in them.
#pragma once

#include "online_softmax.cuh"

// One scale for all rows, which is not a register but an operand from the kernel's parameters.
struct UniformScaling {
  float scale;

  template <int kRows>
  using Rows = float;

  template <int kRows, typename RowAt>
  [[nodiscard]] __device__ __forceinline__ float rows(const RowAt&) const {
    return scale;
  }
};

__device__ __forceinline__ void settle_scales(float) {}
