// The emulator's format of a tensor map (CUtensorMap), shared by the host's encoding and the PTX
// tensor copies. Sizes are in elements, and dimension 0 is the innermost. Strides are in bytes; the
// stride of dimension 0 is the element size and is left out. The values of the enumerations are
// those of cuda.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace warpwright::emu {

enum class TensorElement : std::uint8_t {  // CUtensorMapDataType
  kU8 = 0,
  kU16 = 1,
  kU32 = 2,
  kS32 = 3,
  kU64 = 4,
  kS64 = 5,
  kF16 = 6,
  kF32 = 7,
  kF64 = 8,
  kBf16 = 9,
  kF32Ftz = 10,
  kTf32 = 11,
  kTf32Ftz = 12,
};
enum class TensorSwizzle : std::uint8_t { kNone = 0, k32 = 1, k64 = 2, k128 = 3 };
enum class TensorFill : std::uint8_t { kZero = 0, kNan = 1 };

inline constexpr std::size_t kTensorMapBytes = 128;  // of CUtensorMap, aligned to 64

struct TensorMap {
  static constexpr std::uint32_t kMagic = 0x50614d54;  // "TMaP"
  std::uint32_t magic = kMagic;
  std::uint8_t rank = 0;  // 1 to 5
  TensorElement element{};
  TensorSwizzle swizzle{};
  TensorFill fill{};
  std::uint64_t address = 0;  // of element (0, ..., 0), multiple of 16
  std::array<std::uint64_t, 5> sizes{};
  std::array<std::uint64_t, 4>
      strides{};                       // strides[d] from one index of dimension d + 1 to the next
  std::array<std::uint16_t, 5> box{};  // at most 256 each
  std::array<std::uint8_t, 5> element_strides{};  // 1 to 8

  [[nodiscard]] std::size_t element_bytes() const {
    switch (element) {
      case TensorElement::kU8:
        return 1;
      case TensorElement::kU16:
      case TensorElement::kF16:
      case TensorElement::kBf16:
        return 2;
      case TensorElement::kU64:
      case TensorElement::kS64:
      case TensorElement::kF64:
        return 8;
      default:
        return 4;
    }
  }
};
static_assert(sizeof(TensorMap) <= kTensorMapBytes);

// The 128 bytes that a kernel gets as its `const __grid_constant__ CUtensorMap` parameter.
[[nodiscard]] inline std::array<std::byte, kTensorMapBytes> to_bytes(const TensorMap& map) {
  std::array<std::byte, kTensorMapBytes> bytes{};
  std::memcpy(bytes.data(), &map, sizeof map);
  return bytes;
}

// Returns nullopt when the bytes are not a tensor map of this emulator.
[[nodiscard]] inline std::optional<TensorMap> tensor_map_of(
    std::span<const std::byte, kTensorMapBytes> bytes) {
  TensorMap map;
  std::memcpy(&map, bytes.data(), sizeof map);
  if (map.magic != TensorMap::kMagic) return std::nullopt;
  return map;
}

}  // namespace warpwright::emu
