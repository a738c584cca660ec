// The common part of the bandwidth kernels: a row is 8 KiB, which the lanes of a warp access in
// packets of 16 bytes, neighbours next to each other, and the warps of the whole grid walk over the
// rows. A row is long enough that the work around it (an index, a reduction) does not show, and
// short enough that all SMs get nearly the same share.
#pragma once

#include "packet.cuh"
#include "warp.cuh"

using Words = Packet<u32, 16>;

constexpr int kRowPackets = 512;                       // of 16 bytes
constexpr int kLanePackets = kRowPackets / kWarpSize;  // 16

// How loads are cached, beyond the two policies of packet.cuh: `l2` bypasses L1.
enum class LoadHint { none, streaming, l2 };

template <LoadHint Policy>
__device__ __forceinline__ uint4 load_words(const u32* __restrict__ x, i64 packet) {
  const uint4* from = reinterpret_cast<const uint4*>(x) + packet;
  if constexpr (Policy == LoadHint::l2)
    return __ldcg(from);
  else if constexpr (Policy == LoadHint::streaming)
    return load_once(from);
  else
    return __ldg(from);
}

__device__ __forceinline__ int first_row() {
  return (blockIdx.x * blockDim.x + threadIdx.x) / kWarpSize;
}
__device__ __forceinline__ int row_stride() { return gridDim.x * blockDim.x / kWarpSize; }
