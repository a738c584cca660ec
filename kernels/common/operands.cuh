// Operand types of the tensor cores, as the PTX of mma and wgmma names them.
//
// A row of an operand is treated as 32-bit words: an instruction takes 32 bytes of every row
// whatever the type, and a lane finds its words in the same places, so one layout serves all types.
// Only the instruction's name and the type of the sums differ.
#pragma once

#include "types.cuh"

enum class Operand { f16, bf16, tf32, e4m3, i8 };

template <Operand kOperand>
constexpr bool kIntegerSums = kOperand == Operand::i8;

// The operand that holds elements of a 16-bit type.
template <typename T>
constexpr Operand kOperandOf = Operand::bf16;
template <>
inline constexpr Operand kOperandOf<f16> = Operand::f16;

template <bool kInteger>
struct SumType {
  using Type = float;
};
template <>
struct SumType<true> {
  using Type = i32;
};
template <Operand kOperand>
using Sum32 = typename SumType<kIntegerSums<kOperand>>::Type;

// A word from memory as the tensor cores take it. They ignore the lower bits of an f32, so it is
// rounded here.
template <Operand kOperand>
__device__ __forceinline__ u32 as_operand(u32 word) {
  if constexpr (kOperand == Operand::tf32) {
    u32 rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(__uint_as_float(word)));
    return rounded;
  } else {
    return word;
  }
}
