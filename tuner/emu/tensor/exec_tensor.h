// Handlers of the tensor-core instructions. All are warp-wide: it is a fault if only part of a
// warp's lanes reach one and no other lane can still arrive.
//
// Register lists are in Inst's extra, in the order of the instruction's operands.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emu/exec/warp.h"
#include "emu/tensor/tensor_format.h"

namespace warpwright::emu {

// Returns true when all 32 lanes execute the current instruction; false when it will be run again
// once the others have arrived. Throws KernelFault when they cannot arrive.
// `orders`: the instruction orders the memory accesses of its lanes.
[[nodiscard]] bool whole_warp(Warp& warp, bool orders = true);

// --- ldmatrix, stmatrix: the address as for ld and st; count: matrices
struct MatrixFlags {  // with MemoryFlags
  static constexpr std::uint16_t kTransposed = 0x0200;
  static constexpr std::uint16_t kColumnMajor = 0x0400;
  static constexpr std::uint16_t kSixBits = 0x0800;  // ldmatrix: 16 elements to bytes
  static constexpr std::uint16_t kFourBits = 0x1000;
};
void exec_ldmatrix(Warp& warp, const Inst& inst);
void exec_stmatrix(Warp& warp, const Inst& inst);
void exec_movmatrix(Warp& warp, const Inst& inst);  // dst and src[0]: fragments of 8 x 8 halves

// --- mma, wmma.mma: immediate: MmaForm; extra: d, a, b, c
void exec_mma(Warp& warp, const Inst& inst);
void exec_double_mma(Warp& warp, const Inst& inst);
void exec_bit_mma(Warp& warp, const Inst& inst);

// --- block-scaled mma: immediate: MmaForm; extra: d, a, b, c, then scale-a-data, byte-id-a,
// thread-id-a, the same of b, and a BlockScale
void exec_scaled_mma(Warp& warp, const Inst& inst);

// --- wmma.load, wmma.store: the address as for ld and st; src[1]: stride in elements; extra: a
// WmmaForm, then `count` registers
enum class WmmaRole : std::uint8_t { kA, kB, kAccumulator };
struct WmmaForm {
  WmmaRole role = WmmaRole::kA;
  TensorFormat format = TensorFormat::kF16;
  std::uint8_t lines = 0;   // m of A and accumulators, n of B
  std::uint8_t length = 0;  // k of A and B, n of accumulators
};
static_assert(sizeof(WmmaForm) == sizeof(std::uint32_t));
void exec_wmma_load(Warp& warp, const Inst& inst);
void exec_wmma_store(Warp& warp, const Inst& inst);

// --- wgmma.mma_async: immediate: MmaForm; src[0], src[1]: descriptors of A (unless kRegisterA) and
// B; src[2]: scale-d, a predicate; extra: d, which the instruction both reads and writes, then A's
// registers; count: registers of d
void exec_wgmma(Warp& warp, const Inst& inst);
void exec_wgmma_fence(Warp& warp, const Inst& inst);
void exec_wgmma_commit(Warp& warp, const Inst& inst);
void exec_wgmma_wait(Warp& warp, const Inst& inst);  // immediate: groups that may be unfinished

}  // namespace warpwright::emu
