// mma.sync with block scaling, of one warp: sums[16 x 8] += (a * scale_a)[16 x 32 bytes] *
// (b * scale_b)[8 x 32 bytes]^T. Fragments are those of mma.cuh: words of rows along k, whatever is
// in them.
//
// Scales: `scale_a` and `scale_b` are words of four scales. The four threads of a quad (lane/4)
// have words of the same row g; some of them give the scales:
//   thread_a 0: lanes 4g and 4g + 1 give those of rows g and g + 8 of a; 1: lanes 4g + 2 and 4g + 3
//   thread_b t: lane 4g + t gives those of row g of b
// So one word in every lane has the scales of 32 rows of a, or of 32 rows of b: lane 4g + t that of
// row g + 8t, as row_of_scales() says, and selectors choose among them. All four are constants.
//   nvfp4   a word belongs to the 32 bytes, a byte to 8 of them; byte_a and byte_b are 0
//   mxf8    byte_a and byte_b choose the byte that belongs to the 32 bytes
// Source: PTX ISA, "Block scaling for mma.sync". Requires sm_120a.
#pragma once

#include "block_scale.cuh"

template <BlockFormat kFormat>
__device__ __forceinline__ void scaled_mma(float (&sums)[4], const u32 (&a)[4], const u32 (&b)[2],
                                           u32 scale_a, u16 byte_a, u16 thread_a, u32 scale_b,
                                           u16 byte_b, u16 thread_b) {
  if constexpr (kFormat == BlockFormat::nvfp4) {
    asm volatile(
        "mma.sync.aligned.kind::mxf4nvf4.block_scale.scale_vec::4X.m16n8k64.row.col"
        ".f32.e2m1.e2m1.f32.ue4m3 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, "
        "{%10}, {%11, %12}, {%13}, {%14, %15};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(scale_a),
          "h"(byte_a), "h"(thread_a), "r"(scale_b), "h"(byte_b), "h"(thread_b));
  } else {
    asm volatile(
        "mma.sync.aligned.kind::mxf8f6f4.block_scale.scale_vec::1X.m16n8k32.row.col"
        ".f32.e4m3.e4m3.f32.ue8m0 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3}, "
        "{%10}, {%11, %12}, {%13}, {%14, %15};"
        : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(scale_a),
          "h"(byte_a), "h"(thread_a), "r"(scale_b), "h"(byte_b), "h"(thread_b));
  }
}

// Of 32 rows of either operand, the one whose scales this lane holds.
__device__ __forceinline__ int row_of_scales() {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return lane / 4 + 8 * (lane % 4);
}
