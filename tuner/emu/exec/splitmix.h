// The generator behind every seeded choice of a launch: orders of blocks and warps, lengths of
// turns, delays of copies.
#pragma once

#include <cstdint>

namespace warpwright::emu {

[[nodiscard]] constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace warpwright::emu
