// Moves of matrices between memory and fragments. ldmatrix and stmatrix: 8 x 8 matrices of 16-bit
// elements in shared memory; a matrix of 8 x 16 smaller elements has the same fragments, a byte for
// each element. movmatrix transposes a fragment. wmma.load and wmma.store are at the end.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "emu/exec/address.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"

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
      FindingKind::kTrap,
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

// --- wmma.load and wmma.store: fragments of matrices whose rows or columns are `stride` elements
// apart in memory

namespace {

// One access of every lane: its position in memory, and the bytes of the register that it moves.
struct Piece {
  std::size_t line = 0;      // of the g = t = 0 lane
  std::size_t position = 0;  // along the line, in elements
  std::size_t step = 0;      // from lane t to t + 1, in elements
  std::size_t bytes = 0;
  std::size_t shift = 0;  // into the register, in bytes
};

class WmmaAccess {
 public:
  WmmaAccess(Warp& warp, const Inst& inst)
      : warp_(warp), inst_(inst), form_(std::bit_cast<WmmaForm>(*warp.extra(inst))) {
    compute_addresses(warp, inst, base_);
    element_ = bits_of(form_.format) / 8;
    register_ = element_ == 8 ? 8 : 4;
    column_major_ = (inst.flags & MatrixFlags::kColumnMajor) != 0;
    // Lines of B are columns, so they are contiguous in a column-major matrix.
    along_ = form_.role == WmmaRole::kB ? column_major_ : !column_major_;
  }

  // The number of distinct registers; f16 operands have copies of them after these.
  [[nodiscard]] std::size_t registers() const {
    if (form_.role == WmmaRole::kAccumulator)
      return accumulator_registers(form_.lines, form_.length, form_.format);
    return layout().registers();
  }
  [[nodiscard]] std::size_t register_bytes() const { return register_; }

  // Calls body(pointers, piece) for every access that register `reg` needs.
  template <class Body>
  void for_each_piece(std::size_t reg, AccessKind kind, Body&& body) {
    const std::size_t elements = register_ / element_;
    const std::size_t pieces = along_ ? 1 : elements;
    for (std::size_t i = 0; i < pieces; ++i) {
      Piece piece;
      if (form_.role == WmmaRole::kAccumulator) {
        const AccumulatorPlace place = accumulator_place(form_.lines, form_.length, reg * elements);
        piece = {place.row, place.column + i, 2, register_ / pieces, i * element_};
      } else {
        const OperandPlace place = layout().place(reg);
        piece = {place.line, place.byte / element_ + i, elements, register_ / pieces, i * element_};
      }
      LanePointers pointers;
      resolve_piece(piece, kind, pointers);
      body(pointers, piece);
    }
  }

 private:
  [[nodiscard]] OperandLayout layout() const {
    return form_.role == WmmaRole::kA ? layout_of_a(form_.lines, form_.length, form_.format)
                                      : layout_of_b(form_.lines, form_.length, form_.format);
  }

  void resolve_piece(const Piece& piece, AccessKind kind, LanePointers& pointers) {
    const std::uint32_t* strides = warp_.row(inst_.src[1]);
    LaneAddresses addresses;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t line = piece.line + lane / 4;
      const std::uint64_t position = piece.position + lane % 4 * piece.step;
      const std::uint64_t stride = strides[lane];
      const std::uint64_t offset = along_ ? line * stride + position : position * stride + line;
      addresses.at[lane] = base_.at[lane] + offset * element_;
    }
    resolve(warp_, static_cast<Space>(inst_.flags & MemoryFlags::kSpaceMask), kAllLanes, addresses,
            piece.bytes, kind, pointers);
  }

  Warp& warp_;
  const Inst& inst_;
  WmmaForm form_;
  LaneAddresses base_;
  std::size_t element_ = 0;
  std::size_t register_ = 4;
  bool column_major_ = false;
  bool along_ = false;  // a line's elements are contiguous in memory
};

}  // namespace

void exec_wmma_load(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  WmmaAccess access(warp, inst);
  const std::uint32_t* registers = warp.extra(inst) + 1;
  const std::size_t distinct = access.registers();
  const std::size_t width = access.register_bytes();
  for (std::size_t reg = 0; reg < distinct; ++reg) {
    std::uint64_t values[kWarpSize] = {};
    access.for_each_piece(reg, AccessKind::kLoad,
                          [&](const LanePointers& pointers, const Piece& piece) {
                            for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
                              std::uint64_t value = 0;
                              std::memcpy(&value, pointers.at[lane], piece.bytes);
                              values[lane] |= value << (8 * piece.shift);
                            }
                          });
    for (std::size_t copy = reg; copy < inst.count; copy += distinct) {
      if (registers[copy] == kNoRegister) continue;
      for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        if (width == 8) {
          warp.wide(registers[copy])[lane] = values[lane];
        } else {
          warp.row(registers[copy])[lane] = static_cast<std::uint32_t>(values[lane]);
        }
      }
    }
  }
}

void exec_wmma_store(Warp& warp, const Inst& inst) {
  if (!whole_warp(warp)) return;
  WmmaAccess access(warp, inst);
  const std::uint32_t* registers = warp.extra(inst) + 1;
  for (std::size_t reg = 0; reg < access.registers(); ++reg) {
    access.for_each_piece(reg, AccessKind::kStore,
                          [&](const LanePointers& pointers, const Piece& piece) {
                            for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
                              const std::uint64_t value = access.register_bytes() == 8
                                                              ? warp.wide(registers[reg])[lane]
                                                              : warp.row(registers[reg])[lane];
                              const std::uint64_t part = value >> (8 * piece.shift);
                              std::memcpy(pointers.at[lane], &part, piece.bytes);
                            }
                          });
  }
}

}  // namespace warpwright::emu
