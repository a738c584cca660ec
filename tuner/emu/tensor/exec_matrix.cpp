// ldmatrix and stmatrix: 8 x 8 matrices of 16-bit elements between shared memory and fragments. A
// matrix of 8 x 16 smaller elements has the same fragments, a byte for each element. movmatrix
// transposes a fragment.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "emu/exec/address.h"
#include "emu/tensor/exec_tensor.h"

namespace warpwright::emu {
namespace {

// Lane 8i + r holds the address of row r of matrix i.
void resolve_matrix_rows(Warp& warp, const Inst& inst, AccessKind kind, LanePointers& pointers) {
  LaneAddresses addresses;
  compute_addresses(warp, inst, addresses);
  const auto space = static_cast<Space>(inst.flags & MemoryFlags::kSpaceMask);
  const std::uint32_t mask = inst.count == 4 ? kAllLanes : (1u << (8 * inst.count)) - 1;
  resolve(warp, space, mask, addresses, 16, kind, pointers);
}

// Moves elements 4t ... 4t+3 of a line of 16 to the lower bits of four bytes. Each element has
// `bits` bits, and the first one is in the lowest bits.
std::uint32_t widen_four(const std::byte* line, std::size_t t, std::size_t bits) {
  std::uint64_t packed = 0;
  std::memcpy(&packed, line + bits * t / 2, bits / 2);
  std::uint32_t bytes = 0;
  for (std::size_t i = 0; i < 4; ++i)
    bytes |= static_cast<std::uint32_t>(packed >> bits * i & ((1u << bits) - 1)) << 8 * i;
  return bytes;
}

}  // namespace

bool whole_warp(Warp& warp, bool orders) {
  if (!warp.arrive_sync(kAllLanes, orders)) return false;
  if (warp.mask() == kAllLanes) return true;
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
  throw KernelFault{
      FaultKind::kTrap,
      fmt::format(
          "`{}` is executed by {} of the 32 threads of a warp at {{place}}; it needs all of "
          "them: move it out of the branch, and make the block a multiple of 32 threads",
          warp.program().opcodes[warp.current_pc()], std::popcount(warp.mask())),
      lane};
}

void exec_ldmatrix(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  LanePointers pointers;
  resolve_matrix_rows(warp, inst, AccessKind::kLoad, pointers);
  const std::uint32_t* registers = warp.extra(inst);
  const bool transposed = (inst.flags & MatrixFlags::kTransposed) != 0;
  const std::size_t narrow = (inst.flags & MatrixFlags::kSixBits) != 0    ? 6
                             : (inst.flags & MatrixFlags::kFourBits) != 0 ? 4
                                                                          : 0;
  for (std::size_t matrix = 0; matrix < inst.count; ++matrix) {
    if (registers[matrix] == kNoRegister) continue;
    std::uint32_t* row = warp.row(registers[matrix]);
    const std::byte* const* lines = pointers.at + 8 * matrix;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const std::size_t g = lane / 4;
      const std::size_t t = lane % 4;
      if (narrow != 0) {
        row[lane] = widen_four(lines[g], t, narrow);
      } else if (transposed) {
        std::uint16_t halves[2];
        std::memcpy(&halves[0], lines[2 * t] + 2 * g, 2);
        std::memcpy(&halves[1], lines[2 * t + 1] + 2 * g, 2);
        row[lane] = halves[0] | std::uint32_t{halves[1]} << 16;
      } else {
        std::memcpy(&row[lane], lines[g] + 4 * t, 4);
      }
    }
  }
}

void exec_stmatrix(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  LanePointers pointers;
  resolve_matrix_rows(warp, inst, AccessKind::kStore, pointers);
  const std::uint32_t* registers = warp.extra(inst);
  const bool transposed = (inst.flags & MatrixFlags::kTransposed) != 0;
  for (std::size_t matrix = 0; matrix < inst.count; ++matrix) {
    const std::uint32_t* row = warp.row(registers[matrix]);
    std::byte* const* lines = pointers.at + 8 * matrix;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const std::size_t g = lane / 4;
      const std::size_t t = lane % 4;
      if (transposed) {
        const std::uint16_t halves[2] = {static_cast<std::uint16_t>(row[lane]),
                                         static_cast<std::uint16_t>(row[lane] >> 16)};
        std::memcpy(lines[2 * t] + 2 * g, &halves[0], 2);
        std::memcpy(lines[2 * t + 1] + 2 * g, &halves[1], 2);
      } else {
        std::memcpy(lines[g] + 4 * t, &row[lane], 4);
      }
    }
  }
}

// Like a shuffle, movmatrix orders nothing, because it does not access memory.
void exec_movmatrix(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp, false)) return;
  std::uint16_t matrix[8][8];
  std::memcpy(matrix, warp.row(inst.src[0]), sizeof matrix);
  std::uint32_t* to = warp.row(inst.dst);
  for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
    const std::size_t column = lane / 4;
    const std::size_t row = lane % 4 * 2;
    to[lane] = matrix[row][column] | std::uint32_t{matrix[row + 1][column]} << 16;
  }
}

}  // namespace warpwright::emu
