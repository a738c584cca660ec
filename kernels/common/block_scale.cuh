// Block-scaled formats as they lie in memory, and their elements as floats.
//
//   nvfp4   e2m1, two to a byte, the lower nibble first; a ue4m3 scale for every 16 along the row
//   mxf8    e4m3; a ue8m0 scale for every 32 along the row
//
// Rows of elements and rows of scales, one byte each, both row-major. A value is its element times
// its block's scale, which a float holds exactly (6 bits of fraction at most) as long as its
// exponent does. Decoding is by bits and needs no instruction of a later architecture.
#pragma once

#include "types.cuh"

enum class BlockFormat { nvfp4, mxf8 };

template <BlockFormat kFormat>
struct BlockLayout;
template <>
struct BlockLayout<BlockFormat::nvfp4> {
  static constexpr int kElements = 16;  // that share a scale
  static constexpr int kBytes = 8;      // of them
};
template <>
struct BlockLayout<BlockFormat::mxf8> {
  static constexpr int kElements = 32;
  static constexpr int kBytes = 32;
};

// The fields of a small float become those of an f32, whose larger bias a multiplication takes
// back; subnormals come out right, because f32 has them too.
__device__ __forceinline__ float decode_e2m1(u32 code) {
  return __uint_as_float((code & 7) << 22 | (code & 8) << 28) * 0x1p126f;
}

__device__ __forceinline__ float decode_e4m3(u32 code) {
  const float value = __uint_as_float((code & 0x7f) << 20 | (code & 0x80) << 24) * 0x1p120f;
  return (code & 0x7f) == 0x7f ? __uint_as_float(0x7fffffffu) : value;
}

__device__ __forceinline__ float decode_ue8m0(u32 code) {
  return __uint_as_float(code == 0 ? 0x00400000u : code == 255 ? 0x7fffffffu : code << 23);
}

template <BlockFormat kFormat>
__device__ __forceinline__ float decode_scale(u32 code) {
  return kFormat == BlockFormat::nvfp4 ? decode_e4m3(code & 0x7f) : decode_ue8m0(code);
}

// Element i of a word.
template <BlockFormat kFormat>
__device__ __forceinline__ float decode_element(u32 word, int i) {
  return kFormat == BlockFormat::nvfp4 ? decode_e2m1(word >> 4 * i & 15)
                                       : decode_e4m3(word >> 8 * i & 255);
}
