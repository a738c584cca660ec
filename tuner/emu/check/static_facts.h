// Facts about a program that the checkers need before it runs: the memory order of an instruction,
// from its qualifiers, and a static analysis that looks at registers only and ignores the order in
// which the instructions are executed.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "emu/program/program.h"

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

[[nodiscard]] bool is_move(std::string_view opcode);  // of values, not of predicates
[[nodiscard]] bool is_wgmma(std::string_view opcode);
[[nodiscard]] bool is_parameter(std::string_view opcode);

// True when the only effect of the instruction is a value in the lane whose registers it reads.
[[nodiscard]] bool stays_in_lane(InstClass klass, std::string_view opcode);

// Adds the registers whose values reach one of `registers` through any number of the instructions
// `through`. Guards are ignored.
void add_what_feeds(const Program& program, const std::vector<std::uint32_t>& through,
                    std::unordered_set<std::uint32_t>& registers);

// By pc: whether the instruction, other than a wgmma, writes a register that some wgmma reads or
// adds to, or a register that moves copy into such a register. Empty for a program without wgmma.
[[nodiscard]] std::vector<bool> find_wgmma_feeders(const Program& program);

// True when the value of the load decides whether a loop around it ends. A polled word is a message
// in itself.
[[nodiscard]] bool is_polled(const Program& program, std::uint32_t load);

// By pc: whether the effect of the instruction, or the time when it ends, may depend on the
// progress of other warps even if all memory accesses are ordered: atomics and flags, asynchronous
// operations, barriers that do not wait for the whole block, clocks, output. Instructions count
// unless they are known to be insensitive. Empty for a program without any.
[[nodiscard]] std::vector<bool> find_schedule_sensitive(const Program& program);

// By pc: whether it is a plain load whose value reaches, through moves only, the compared operand
// of an atom.cas of the same address. Empty for a program without any.
[[nodiscard]] std::vector<bool> find_cas_reads(const Program& program);

}  // namespace warpwright::emu
