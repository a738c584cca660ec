// wmma: products of 16 x 16 matrices by one warp, sums[16 x 16] += a[16 x 16] * b[16 x 16], of
// 16-bit elements with f32 sums.
//
// The oldest interface of the tensor cores and the simplest: a warp loads matrices from memory,
// multiplies, and stores. Which lane holds which element is unspecified and differs between
// architectures, so a fragment can only be worked on through memory; mma.cuh says where elements
// are and is what fast kernels use.
//
// In memory, elements of a line follow each other and lines are `stride` elements apart. Lines of a
// and of sums are rows; those of b are rows, or columns for Lines::columns, which multiplies by the
// transpose of what is stored there in rows. Matrices are in shared memory, aligned to 32 bytes;
// strides are multiples of 16 bytes. With a stride of 16 bytes more than a multiple of 128, the
// eight rows that are read together lie in different banks.
// All lanes of the warp call these together. Requires compute capability 8.0 (f16: 7.0).
#pragma once

#include "operands.cuh"

enum class Lines { rows, columns };

// a or b of 16 x 16. On the first tensor cores two lanes held every element of f16, and fragments
// have kept that size.
template <typename T>
struct WmmaOperand {
  static constexpr bool kHalf = kOperandOf<T> == Operand::f16;
  u32 words[kHalf ? 8 : 4];
};

struct WmmaSums {
  float values[8];
};

__device__ __forceinline__ u32 wmma_address(const void* shared) {
  return static_cast<u32>(__cvta_generic_to_shared(shared));
}

// The instructions differ in the operand's letter and its lines.
#define WW_WMMA_LOAD(operand, from, stride, name)                                          \
  if constexpr (WmmaOperand<T>::kHalf)                                                     \
    asm volatile("wmma.load." name                                                         \
                 ".m16n16k16.shared.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"       \
                 : "=r"(operand.words[0]), "=r"(operand.words[1]), "=r"(operand.words[2]), \
                   "=r"(operand.words[3]), "=r"(operand.words[4]), "=r"(operand.words[5]), \
                   "=r"(operand.words[6]), "=r"(operand.words[7])                          \
                 : "r"(wmma_address(from)), "r"(stride)                                    \
                 : "memory");                                                              \
  else                                                                                     \
    asm volatile("wmma.load." name ".m16n16k16.shared.bf16 {%0, %1, %2, %3}, [%4], %5;"    \
                 : "=r"(operand.words[0]), "=r"(operand.words[1]), "=r"(operand.words[2]), \
                   "=r"(operand.words[3])                                                  \
                 : "r"(wmma_address(from)), "r"(stride)                                    \
                 : "memory")

template <typename T>
__device__ __forceinline__ void wmma_load_a(WmmaOperand<T>& a, const T* from, int stride) {
  WW_WMMA_LOAD(a, from, stride, "a.sync.aligned.row");
}

template <Lines kLines, typename T>
__device__ __forceinline__ void wmma_load_b(WmmaOperand<T>& b, const T* from, int stride) {
  if constexpr (kLines == Lines::rows)
    WW_WMMA_LOAD(b, from, stride, "b.sync.aligned.row");
  else
    WW_WMMA_LOAD(b, from, stride, "b.sync.aligned.col");
}

#undef WW_WMMA_LOAD

__device__ __forceinline__ void wmma_load_sums(WmmaSums& sums, const float* from, int stride) {
  float(&c)[8] = sums.values;
  asm volatile(
      "wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], "
      "%9;"
      : "=f"(c[0]), "=f"(c[1]), "=f"(c[2]), "=f"(c[3]), "=f"(c[4]), "=f"(c[5]), "=f"(c[6]),
        "=f"(c[7])
      : "r"(wmma_address(from)), "r"(stride)
      : "memory");
}

__device__ __forceinline__ void wmma_store_sums(float* to, const WmmaSums& sums, int stride) {
  const float(&d)[8] = sums.values;
  asm volatile(
      "wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%0], {%1, %2, %3, %4, %5, %6, %7, %8}, "
      "%9;" ::"r"(wmma_address(to)),
      "f"(d[0]), "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]),
      "r"(stride)
      : "memory");
}

#define WW_WMMA_SUMS \
  "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
#define WW_WMMA(lines)                                                                          \
  if constexpr (WmmaOperand<T>::kHalf)                                                          \
    asm volatile(                                                                               \
        "wmma.mma.sync.aligned." lines                                                          \
        ".m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, "                                 \
        "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23}, "    \
        "{%0, %1, %2, %3, %4, %5, %6, %7};"                                                     \
        : WW_WMMA_SUMS                                                                          \
        : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]), "r"(a.words[4]),  \
          "r"(a.words[5]), "r"(a.words[6]), "r"(a.words[7]), "r"(b.words[0]), "r"(b.words[1]),  \
          "r"(b.words[2]), "r"(b.words[3]), "r"(b.words[4]), "r"(b.words[5]), "r"(b.words[6]),  \
          "r"(b.words[7]));                                                                     \
  else                                                                                          \
    asm volatile("wmma.mma.sync.aligned." lines                                                 \
                 ".m16n16k16.f32.bf16.bf16.f32 "                                                \
                 "{%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, {%12, %13, %14, %15}, " \
                 "{%0, %1, %2, %3, %4, %5, %6, %7};"                                            \
                 : WW_WMMA_SUMS                                                                 \
                 : "r"(a.words[0]), "r"(a.words[1]), "r"(a.words[2]), "r"(a.words[3]),          \
                   "r"(b.words[0]), "r"(b.words[1]), "r"(b.words[2]), "r"(b.words[3]))

// kLines is how b was loaded.
template <Lines kLines, typename T>
__device__ __forceinline__ void wmma_multiply(WmmaSums& sums, const WmmaOperand<T>& a,
                                              const WmmaOperand<T>& b) {
  float(&c)[8] = sums.values;
  if constexpr (kLines == Lines::rows)
    WW_WMMA("row.row");
  else
    WW_WMMA("row.col");
}

#undef WW_WMMA_SUMS
#undef WW_WMMA
