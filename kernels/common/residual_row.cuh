// One thread's share of a row of z = x + r, in registers: what the RMSNorm kernels that read a row
// once have in common.
//
// A thread owns packets first, first + Stride, ...: Count of them; those from `packets` on do not
// exist and are never touched. The steps are separate so that a kernel can put the loads of one row
// before the arithmetic of another.
#pragma once

#include "kept_load.cuh"
#include "packet.cuh"
#include "types.cuh"

// x and r as loaded.
template <typename T, int Bytes, int Count, int Stride>
struct ResidualInputs {
  Packet<T, Bytes> x[Count];
  Packet<T, Bytes> r[Count];

  template <Hint Policy>
  __device__ __forceinline__ void load(const T* __restrict__ x_row, const T* __restrict__ r_row,
                                       int first, int packets) {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      x[k] = Packet<T, Bytes>::template load_if<Policy>(packet < packets, x_row, packet);
      r[k] = Packet<T, Bytes>::template load_if<Policy>(packet < packets, r_row, packet);
    }
  }

  __device__ __forceinline__ void load_kept(const T* __restrict__ x_row,
                                            const T* __restrict__ r_row, int first, int packets) {
    const u64 policy = keep_policy();
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      x[k] = load_kept_if<T, Bytes>(packet < packets, x_row, packet, policy);
      r[k] = load_kept_if<T, Bytes>(packet < packets, r_row, packet, policy);
    }
  }
};

// By the hint for L2 where there is one, else by that for L1.
template <L2Hint kL2Hint, Hint Policy, typename Inputs, typename T>
__device__ __forceinline__ void load_row(Inputs& inputs, const T* x_row, const T* r_row, int first,
                                         int packets) {
  if constexpr (kL2Hint == L2Hint::keep)
    inputs.load_kept(x_row, r_row, first, packets);
  else
    inputs.template load<Policy>(x_row, r_row, first, packets);
}

// The weights of the same columns. Every row uses them, so they are loaded with the default policy
// and come from L1 or L2.
template <typename T, int Bytes, int Count, int Stride>
struct RowWeights {
  Packet<T, Bytes> w[Count];

  __device__ __forceinline__ void load(const T* __restrict__ weights, int first, int packets) {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      w[k] = Packet<T, Bytes>::load_if(packet < packets, weights, packet);
    }
  }

  // `value`, once the weights are there. Independently of the order in the source, ptxas begins
  // these loads as late as it can, behind the sums, to have their registers until then; with few
  // rows w comes from memory and takes the same time once more. So that value depends on them, as
  // far as ptxas can see: `zero` must be 0 without the compiler's knowledge.
  __device__ __forceinline__ float then(float value, int zero) const {
    u32 words = 0;
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      if constexpr (Bytes >= 4)
        words |= reinterpret_cast<const u32&>(w[k].storage);
      else
        words |= w[k].storage;
    }
    return words == 0x7fc12345u ? value + static_cast<float>(zero) : value;
  }
};

// The sums in f32: as precise as they are ever known, between the reduction and the scaling.
template <typename T, int Bytes, int Count, int Stride>
struct ResidualSums {
  static constexpr int kElements = Packet<T, Bytes>::kElements;
  float values[Count][kElements];

  // Adds, and returns this thread's part of the sum of squares, in a fixed order. Packets that do
  // not exist are zero.
  __device__ __forceinline__ float add(const ResidualInputs<T, Bytes, Count, Stride>& inputs) {
    float squares = 0.0f;
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      float other[kElements];
      inputs.x[k].unpack(values[k]);
      inputs.r[k].unpack(other);
#pragma unroll
      for (int i = 0; i < kElements; ++i) {
        values[k][i] += other[i];
        squares += values[k][i] * values[k][i];
      }
    }
    return squares;
  }

  template <Hint Policy>
  __device__ __forceinline__ void store(T* __restrict__ z_row, int first, int packets) const {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      Packet<T, Bytes>::pack(values[k]).template store_if<Policy>(packet < packets, z_row, packet);
    }
  }

  template <Hint Policy>
  __device__ __forceinline__ void store_scaled(T* __restrict__ y_row,
                                               const RowWeights<T, Bytes, Count, Stride>& weights,
                                               float scale, int first, int packets) const {
#pragma unroll
    for (int k = 0; k < Count; ++k) {
      const int packet = first + k * Stride;
      float scaled[kElements];
      weights.w[k].unpack(scaled);
#pragma unroll
      for (int i = 0; i < kElements; ++i) scaled[i] *= values[k][i] * scale;
      Packet<T, Bytes>::pack(scaled).template store_if<Policy>(packet < packets, y_row, packet);
    }
  }
};
