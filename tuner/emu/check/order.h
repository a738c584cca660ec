// What an instruction's qualifiers say about memory order.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpwright::emu {

struct Order {
  static constexpr std::uint8_t kKnown = 1;     // looked at
  static constexpr std::uint8_t kStrong = 2;    // other threads may access it at the same time
  static constexpr std::uint8_t kRelease = 4;   // publishes what came before without a fence
  static constexpr std::uint8_t kReadOnly = 8;  // a load of what nobody writes during the launch
};

// Of an opcode as written: "atom.add.release.gpu.global.u32".
[[nodiscard]] std::uint8_t memory_order(std::string_view opcode);

}  // namespace warpwright::emu
