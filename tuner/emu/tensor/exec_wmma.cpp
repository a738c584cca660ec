// wmma.load and wmma.store: fragments of matrices whose rows or columns are `stride` elements apart
// in memory.
#include <bit>
#include <cstring>

#include "emu/exec/address.h"
#include "emu/tensor/exec_tensor.h"
#include "emu/tensor/tensor_fragment.h"

namespace warpwright::emu {
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
