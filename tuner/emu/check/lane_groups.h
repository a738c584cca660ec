// Groups the lanes of an access by their address. An instruction mostly repeats its access pattern
// at a new base address, so the groups of the last time are kept.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "emu/exec/address.h"

namespace warpwright::emu {

class LaneGroups {
 public:
  // Computes the groups of `lanes`, which must not be empty. Returns false, without groups, if the
  // addresses are too far apart.
  [[nodiscard]] bool set(std::uint32_t lanes, const LaneAddresses& addresses) {
    std::array<std::int32_t, kWarpSize> offsets;
    if (!measure(lanes, addresses, offsets)) return false;
    if (lanes == lanes_ && offsets == offsets_) return true;
    lanes_ = lanes;
    offsets_ = offsets;
    std::size_t count = 0;
    for (std::uint32_t left = lanes; left != 0;) {
      std::uint32_t same = 0;
      const std::int32_t at = offsets[static_cast<std::size_t>(std::countr_zero(left))];
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        same |= static_cast<std::uint32_t>(offsets[lane] == at) << lane;
      groups_[count++] = same &= left;
      left &= ~same;
    }
    return true;
  }
  // The group of the lowest lane, then that of the lowest lane outside it, and so on.
  [[nodiscard]] std::uint32_t operator[](std::size_t index) const { return groups_[index]; }

 private:
  using Offsets = std::array<std::int32_t, kWarpSize>;
  // Computes offsets from the lowest lane's address; 0 for lanes that take no part.
  static bool measure(std::uint32_t lanes, const LaneAddresses& addresses, Offsets& offsets) {
    const std::uint64_t first = addresses.at[std::countr_zero(lanes)];
    std::uint64_t far = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t on = 0 - std::uint64_t{lanes >> lane & 1};
      const std::uint64_t offset = (addresses.at[lane] - first) & on;
      offsets[lane] = static_cast<std::int32_t>(offset);
      far |= offset + (std::uint64_t{1} << 31);
    }
    return far >> 32 == 0;
  }

  std::uint32_t lanes_ = 0;
  Offsets offsets_{};
  std::array<std::uint32_t, kWarpSize> groups_{};
};

}  // namespace warpwright::emu
