// ldmatrix: a warp reads four 8 x 8 matrices of 16-bit elements from shared memory in the layout of
// mma's fragments.
//
// Lane l names the address of row l%8 of matrix l/8, 16 bytes aligned to 16; lane l then holds in
// words[i] the elements 2*(l%4) and 2*(l%4) + 1 of row l/4 of matrix i. `transposed` delivers
// columns in place of rows, which is how a row-major tile becomes the second operand along its
// rows. Rows of one matrix that lie in the same banks take up to 8 times as long: swizzle. Requires
// compute capability 7.5.
#pragma once

#include "types.cuh"

__device__ __forceinline__ void ldmatrix_x4(u32 (&words)[4], u32 shared_row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(shared_row)
               : "memory");
}

__device__ __forceinline__ void ldmatrix_x4_transposed(u32 (&words)[4], u32 shared_row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(shared_row)
               : "memory");
}
