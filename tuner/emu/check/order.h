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
  static constexpr std::uint8_t kAcquire = 16;  // learns what its flag says without a fence
  static constexpr std::uint8_t kOfBlock = 32;  // its scope is the block
  static constexpr std::uint8_t kVolatile = 64;
};

// Of an opcode as written: "atom.add.release.gpu.global.u32". The scope of a cluster counts as the
// device's where `in_clusters`, and as the block's where every cluster is one block.
[[nodiscard]] std::uint8_t memory_order(std::string_view opcode, bool in_clusters);

}  // namespace warpwright::emu
