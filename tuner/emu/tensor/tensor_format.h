// Element formats of the tensor-core instructions, and the static form of one such instruction as
// the decoder packs it into Inst::immediate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "emu/emulator.h"
#include "emu/numbers/small_float.h"

namespace warpwright::emu {

enum class TensorFormat : std::uint8_t {
  kF16,
  kBf16,
  kTf32,
  kE4m3,
  kE5m2,
  kE2m3,  // in the lower 6 bits of a byte
  kE3m2,
  kE2m1,    // in bits 2 to 5 of a byte
  kE2m1x2,  // two in a byte, the format of mxf4
  kS8,
  kU8,
  kS4,
  kU4,
  kB1,   // only for mma
  kF32,  // accumulators only
  kS32,  // accumulators only
  kF64,
};

// Parses a PTX type name such as "bf16"; nullopt when it is not an element format.
[[nodiscard]] std::optional<TensorFormat> parse_tensor_format(std::string_view name);

[[nodiscard]] constexpr std::size_t bits_of(TensorFormat format) {
  switch (format) {
    case TensorFormat::kB1:
      return 1;
    case TensorFormat::kS4:
    case TensorFormat::kU4:
    case TensorFormat::kE2m1x2:
      return 4;
    case TensorFormat::kE4m3:
    case TensorFormat::kE5m2:
    case TensorFormat::kE2m3:
    case TensorFormat::kE3m2:
    case TensorFormat::kE2m1:
    case TensorFormat::kS8:
    case TensorFormat::kU8:
      return 8;
    case TensorFormat::kF16:
    case TensorFormat::kBf16:
      return 16;
    case TensorFormat::kF64:
      return 64;
    default:
      return 32;
  }
}
[[nodiscard]] constexpr bool is_integer(TensorFormat format) {
  return format == TensorFormat::kS8 || format == TensorFormat::kU8 ||
         format == TensorFormat::kS4 || format == TensorFormat::kU4;
}

// Whether the format is a float of at most 8 bits.
[[nodiscard]] constexpr bool is_small(TensorFormat format) {
  return format == TensorFormat::kE4m3 || format == TensorFormat::kE5m2 ||
         format == TensorFormat::kE2m3 || format == TensorFormat::kE3m2 ||
         format == TensorFormat::kE2m1 || format == TensorFormat::kE2m1x2;
}
// The format's values in small_float.h, and the code of element `i` of a line.
[[nodiscard]] SmallFormat small_format(TensorFormat format);
[[nodiscard]] std::uint8_t small_code(TensorFormat format, const std::byte* line, std::size_t i);

// D = A * B + C of mma and wmma, D += A * B of wgmma. Eight bytes, to fit Inst::immediate.
struct MmaForm {
  static constexpr std::uint8_t kSaturate = 1;  // s32 results clamp instead of wrapping
  static constexpr std::uint8_t kNegateProduct =
      2;                                          // exactly one of imm-scale-a, imm-scale-b is -1
  static constexpr std::uint8_t kTransposeA = 4;  // wgmma: MN-major in shared memory
  static constexpr std::uint8_t kTransposeB = 8;
  static constexpr std::uint8_t kRegisterA = 16;  // wgmma: A is a fragment, not a descriptor
  static constexpr std::uint8_t kScaleFlip = 32;  // wgmma: scale-d was written as !p
  static constexpr std::uint8_t kAnd = 64;        // b1: bits are multiplied, not compared

  std::uint8_t m = 0;
  std::uint8_t n_by_8 = 0;
  std::uint8_t k = 0;  // of b1 in bytes
  TensorFormat a = TensorFormat::kF16;
  TensorFormat b = TensorFormat::kF16;
  TensorFormat c = TensorFormat::kF32;
  TensorFormat d = TensorFormat::kF32;
  std::uint8_t options = 0;

  [[nodiscard]] std::size_t n() const { return std::size_t{n_by_8} * 8; }
  [[nodiscard]] std::size_t depth() const { return std::size_t{k} * (bits_of(a) == 1 ? 8 : 1); }
  void set_depth(std::size_t depth) {
    k = static_cast<std::uint8_t>(bits_of(a) == 1 ? depth / 8 : depth);
  }
  [[nodiscard]] bool has(std::uint8_t option) const { return (options & option) != 0; }
};
static_assert(sizeof(MmaForm) == 8);

// The scales of a block-scaled mma: along K, each row of A and each column of B has `blocks` of
// them.
struct BlockScale {
  std::uint8_t blocks = 1;  // .scale_vec::1X, 2X, 4X
  SmallFormat format = SmallFormat::kUe8m0;
  std::uint16_t unused = 0;
};
static_assert(sizeof(BlockScale) == sizeof(std::uint32_t));

// Adds `operations` to the counter of the operand format; a multiplication and an addition are two.
void count_tensor_operations(Counters& counters, TensorFormat operand, std::uint64_t operations);

}  // namespace warpwright::emu
