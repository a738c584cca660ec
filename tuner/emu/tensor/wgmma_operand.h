// Operands of wgmma in shared memory: matrix descriptors and the layouts they describe (PTX ISA,
// "Asynchronous warpgroup level matrix shared memory layout").
//
// An operand consists of 16-byte pieces. If it is K-major, a piece holds bytes along k of one line
// (a row of A or a column of B) and every line has two pieces; if it is MN-major, a piece holds
// eight 16-bit elements of consecutive lines for one k. With a swizzle of w bytes, bits 4 and up of
// a piece's shared address are XORed with its bits 7 and up, which permutes the pieces within w
// bytes by eight lines.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emu/exec/warp.h"

namespace warpwright::emu {

// All in bytes.
struct MatrixDescriptor {
  std::uint32_t start = 0;
  std::uint32_t leading = 0;      // offset from one column of pieces to the next
  std::uint32_t stride = 0;       // offset from eight lines (K-major) or rows of pieces to the next
  std::uint32_t base_offset = 0;  // offset of the pattern's start, in rows of 128 bytes
  std::uint32_t swizzle = 0;      // 0, 32, 64 or 128
};

// Throws KernelFault for bits that are not valid in the format; `operand` is 'A' or 'B'.
[[nodiscard]] MatrixDescriptor decode_descriptor(std::uint64_t bits, char operand);

struct OperandRequest {
  char name = 'A';
  bool mn_major = false;
  std::size_t first_line = 0;  // a multiple of 8
  std::size_t lines = 0;       // a multiple of 8, at most 256
  std::size_t row_bytes = 0;  // from one line (K-major) or one k (MN-major) to the next in the copy
};

// Copies the operand's lines out of shared memory: K-major as lines of 32 bytes, MN-major as 16
// rows, one for every k, with 2 bytes per line. wgmma reads shared memory only here. Throws
// KernelFault outside the block's shared memory.
void read_operand_rows(Warp& warp, const MatrixDescriptor& descriptor,
                       const OperandRequest& request, std::byte* copy);

}  // namespace warpwright::emu
