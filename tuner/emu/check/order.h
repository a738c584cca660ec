// The memory order of an instruction, from its qualifiers.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpwright::emu {

struct Order {
  static constexpr std::uint8_t kKnown = 1;     // already computed
  static constexpr std::uint8_t kStrong = 2;    // other threads may access it at the same time
  static constexpr std::uint8_t kRelease = 4;   // publishes what came before without a fence
  static constexpr std::uint8_t kReadOnly = 8;  // a load of data that the launch does not write
  static constexpr std::uint8_t kAcquire = 16;  // sees what was published, without a fence
  static constexpr std::uint8_t kOfBlock = 32;  // its scope is the block
  static constexpr std::uint8_t kVolatile = 64;
};

// Returns the order of an opcode as written: "atom.add.release.gpu.global.u32". Cluster scope
// counts as device scope if `in_clusters`, and as block scope if every cluster is one block.
[[nodiscard]] std::uint8_t memory_order(std::string_view opcode, bool in_clusters);

}  // namespace warpwright::emu
