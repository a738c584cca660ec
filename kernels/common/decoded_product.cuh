// The product of scaled_product.cuh on any GPU: elements are decoded to floats on their way to
// shared memory, and multiplied by fused multiply-adds in f32.
//
// 256 threads have 64 x 64 sums, 4 x 4 each. A step is 32 elements of 64 rows of either operand;
// they lie as columns, so that a thread's four neighbours are one 16-byte load.
#pragma once

#include "block_scale.cuh"

struct DecodedProduct {
  static constexpr int kThreads = 256, kTile = 64, kStep = 32;

  struct alignas(16) Shared {
    float a[kStep][kTile], b[kStep][kTile];
  };

  float sums[4][4] = {};

  // Rows from the tile's first on, `length` elements each, of which `rows` exist.
  template <BlockFormat kFormat>
  static __device__ __forceinline__ void load(float (&to)[kStep][kTile],
                                              const u8* __restrict__ elements,
                                              const u8* __restrict__ scales, int rows, int length,
                                              int first) {
    constexpr int kBlock = BlockLayout<kFormat>::kElements;
    constexpr int kInWord = 4 * kBlock / BlockLayout<kFormat>::kBytes;  // elements of four bytes
    const int row = static_cast<int>(threadIdx.x) % kTile;
    for (int k = static_cast<int>(threadIdx.x) / kTile * kInWord; k < kStep;
         k += kThreads / kTile * kInWord) {
      const bool exists = row < rows && first + k < length;
      const int words = length / kInWord;
      const u32 word = exists ? reinterpret_cast<const u32*>(
                                    elements)[static_cast<i64>(row) * words + (first + k) / kInWord]
                              : 0u;
      const float scale =
          exists ? decode_scale<kFormat>(
                       scales[static_cast<i64>(row) * (length / kBlock) + (first + k) / kBlock])
                 : 0.0f;
#pragma unroll
      for (int i = 0; i < kInWord; ++i) to[k + i][row] = decode_element<kFormat>(word, i) * scale;
    }
  }

  __device__ __forceinline__ void multiply(const Shared& shared) {
    const int x = static_cast<int>(threadIdx.x) % 16, y = static_cast<int>(threadIdx.x) / 16;
#pragma unroll 8
    for (int k = 0; k < kStep; ++k) {
      const float4 a = *reinterpret_cast<const float4*>(&shared.a[k][4 * y]);
      const float4 b = *reinterpret_cast<const float4*>(&shared.b[k][4 * x]);
      const float left[4] = {a.x, a.y, a.z, a.w}, right[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] = fmaf(left[i], right[j], sums[i][j]);
      }
    }
  }

  template <typename T>
  __device__ __forceinline__ void store(T* __restrict__ out, i64 pitch, int rows, int columns,
                                        float factor) const {
    const int x = static_cast<int>(threadIdx.x) % 16, y = static_cast<int>(threadIdx.x) / 16;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (4 * y + i < rows && 4 * x + j < columns)
          out[(4 * y + i) * pitch + 4 * x + j] = from_float<T>(factor * sums[i][j]);
    }
  }
};
