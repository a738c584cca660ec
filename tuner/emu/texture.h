// The texture behind a handle in a launch: texels in global memory, and the way they are sampled.
// Launch::textures binds handles; a tex of any other handle is a fault.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpwright::emu {

struct Texture {
  enum class Texel : std::uint8_t { kUnsigned, kSigned, kFloat };
  enum class Addressing : std::uint8_t { kWrap, kClamp, kMirror, kBorder };

  std::uint64_t address = 0;  // device address of the first texel
  std::size_t width = 1;      // in texels
  std::size_t height = 0;     // 0: one dimension
  std::size_t row_bytes = 0;  // from one row to the next
  Texel texel = Texel::kFloat;
  int bits = 32;     // of a channel: 8, 16, 32
  int channels = 1;  // 1, 2, 4
  // Linear memory, like cudaResourceTypeLinear: integer coordinates only; texels outside are 0.
  bool linear_memory = false;
  std::array<Addressing, 2> addressing{Addressing::kClamp, Addressing::kClamp};
  bool linear_filter = false;
  bool normalized_coordinates = false;
  bool normalized_texels = false;  // integers of 8 and 16 bits are read as floats up to 1
};

}  // namespace warpwright::emu
