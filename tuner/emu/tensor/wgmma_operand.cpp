#include "emu/tensor/wgmma_operand.h"

#include <fmt/format.h>

#include <cstring>

#include "emu/check/checker.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kPieceBytes = 16;
constexpr std::size_t kMaxPieces = 512;  // 256 lines of 32 bytes

// Offset of a piece before swizzling. `line` counts lines (K-major) or runs of eight of them.
std::uint32_t k_major_offset(const MatrixDescriptor& d, std::uint32_t line, std::uint32_t piece) {
  const std::uint32_t in_group = line % 8;
  const std::uint32_t group = line / 8 * d.stride;
  return d.swizzle == 0 ? group + in_group * 16 + piece * d.leading
                        : group + in_group * d.swizzle + piece * 16;
}
std::uint32_t mn_major_offset(const MatrixDescriptor& d, std::uint32_t run, std::uint32_t k) {
  if (d.swizzle == 0) return run * d.stride + k % 8 * 16 + k / 8 * d.leading;
  const std::uint32_t width = d.swizzle / 16;
  return run % width * 16 + run / width * d.leading + k % 8 * d.swizzle + k / 8 * d.stride;
}

std::uint32_t swizzled(const MatrixDescriptor& d, std::uint32_t address) {
  const std::uint32_t row = (address >> 7) - d.base_offset;
  const std::uint32_t mask = d.swizzle == 0 ? 0 : d.swizzle / 16 - 1;
  return address ^ (row & mask) << 4;
}

[[noreturn]] void fail_outside(Warp& warp, char name, std::uint32_t address,
                               const MatrixDescriptor& d) {
  throw KernelFault{
      FaultKind::kOutOfBounds,
      fmt::format("wgmma reads 16 bytes of operand {} at shared address {} at {{place}}, but the "
                  "block has {} bytes of shared memory; the descriptor says start {}, leading "
                  "offset {}, stride offset {}, swizzle {}: check them or launch with more dynamic "
                  "shared memory",
                  name, address, warp.block().shared_bytes(), d.start, d.leading, d.stride,
                  d.swizzle)};
}

}  // namespace

MatrixDescriptor decode_descriptor(std::uint64_t bits, char operand) {
  constexpr std::uint64_t kReserved = std::uint64_t{3} << 14 | std::uint64_t{3} << 30 |
                                      std::uint64_t{7} << 46 | std::uint64_t{0x3ff} << 52;
  if ((bits & kReserved) != 0) {
    throw KernelFault{
        FaultKind::kTrap,
        fmt::format("descriptor {:#018x} of wgmma's operand {} has reserved bits {:#x} set at "
                    "{{place}}; expected address, leading and stride offset, each shifted right by "
                    "4 and of 14 bits, in bits 0, 16 and 32, base offset in bits 49-51, swizzle in "
                    "62-63",
                    bits, operand, bits & kReserved)};
  }
  static constexpr std::uint32_t kSwizzles[] = {0, 128, 64, 32};
  MatrixDescriptor d;
  d.start = static_cast<std::uint32_t>(bits & 0x3fff) << 4;
  d.leading = static_cast<std::uint32_t>(bits >> 16 & 0x3fff) << 4;
  d.stride = static_cast<std::uint32_t>(bits >> 32 & 0x3fff) << 4;
  d.base_offset = static_cast<std::uint32_t>(bits >> 49 & 7);
  d.swizzle = kSwizzles[bits >> 62];
  if (d.swizzle == 0 && d.base_offset != 0) {
    throw KernelFault{FaultKind::kTrap,
                      fmt::format("descriptor {:#018x} of wgmma's operand {} has base offset {} "
                                  "without a swizzle at {{place}}; expected 0 in bits 49-51",
                                  bits, operand, d.base_offset)};
  }
  return d;
}

void read_operand_rows(Warp& warp, const MatrixDescriptor& descriptor,
                       const OperandRequest& request, std::byte* copy) {
  struct Piece {
    std::uint32_t address;
    std::uint32_t to;
  };
  Piece pieces[kMaxPieces];
  std::size_t count = 0;
  const auto add = [&](std::uint32_t offset, std::size_t to) {
    pieces[count++] = {swizzled(descriptor, descriptor.start + offset),
                       static_cast<std::uint32_t>(to)};
  };
  if (request.mn_major) {
    const auto first = static_cast<std::uint32_t>(request.first_line / 8);
    for (std::uint32_t k = 0; k < 16; ++k) {
      for (std::uint32_t run = 0; run < request.lines / 8; ++run)
        add(mn_major_offset(descriptor, first + run, k), k * request.row_bytes + run * kPieceBytes);
    }
  } else {
    const auto first = static_cast<std::uint32_t>(request.first_line);
    for (std::uint32_t line = 0; line < request.lines; ++line) {
      for (std::uint32_t piece = 0; piece < 2; ++piece)
        add(k_major_offset(descriptor, first + line, piece),
            line * request.row_bytes + piece * kPieceBytes);
    }
  }
  const std::size_t limit = warp.block().shared_bytes();
  const std::byte* shared = warp.block().shared();
  Checker* checker = warp.block().checker();
  for (std::size_t i = 0; i < count; ++i) {
    const Piece piece = pieces[i];
    if (piece.address + kPieceBytes > limit)
      fail_outside(warp, request.name, piece.address, descriptor);
    std::memcpy(copy + piece.to, shared + piece.address, kPieceBytes);
    if (checker == nullptr) continue;
    checker->async_access(warp, 0, warp.async_actor(), kSharedWindow | piece.address, kPieceBytes,
                          false, true);
  }
}

}  // namespace warpwright::emu
