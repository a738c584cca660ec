// The common part of the tensor kernels: a tile is the product of 64 and 256 rows of 128 bytes,
// which both instructions multiply in four steps of 32 bytes.
#pragma once

#include "operands.cuh"

// The contract's names, so that -DCEILING=tensor_bf16 names an operand.
constexpr Operand tensor_f16 = Operand::f16, tensor_bf16 = Operand::bf16,
                  tensor_tf32 = Operand::tf32, tensor_e4m3 = Operand::e4m3, tensor_i8 = Operand::i8;

constexpr int kRows = 64, kColumns = 256;  // of a tile's product
constexpr int kRowWords = 32;              // of an operand's row
constexpr int kSteps = 4;                  // of 8 words
