// What the checkers know of a program before it runs, by its registers alone and whatever the order
// in which its instructions are executed.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "emu/decode/program.h"

namespace warpwright::emu {

[[nodiscard]] bool is_move(std::string_view opcode);  // of values, not of predicates
[[nodiscard]] bool is_wgmma(std::string_view opcode);
[[nodiscard]] bool is_parameter(std::string_view opcode);

// True when all that comes of the instruction is a value in the lane whose registers it reads.
[[nodiscard]] bool stays_in_lane(InstClass klass, std::string_view opcode);

// Adds the registers whose values reach one of `registers` by the instructions `through`, however
// many of them, but for guards.
void add_what_feeds(const Program& program, const std::vector<std::uint32_t>& through,
                    std::unordered_set<std::uint32_t>& registers);

// By pc: whether the instruction, which is no wgmma, writes a register that some wgmma reads or
// adds to, or one that moves copy into such a register. Empty for a program without wgmma.
[[nodiscard]] std::vector<bool> find_wgmma_feeders(const Program& program);

// True when a loop around the load ends, or goes on, by what it reads: a word that is polled stands
// for itself.
[[nodiscard]] bool is_polled(const Program& program, std::uint32_t load);

// By pc: whether what the instruction does, or when it ends, may depend on what other warps happen
// to have executed by then even where every two accesses of memory are ordered: atomics and flags,
// asynchronous operations, barriers that do not wait for the whole block, clocks, output. Empty for
// a program without any. What is not known to be free of it counts.
[[nodiscard]] std::vector<bool> find_schedule_sensitive(const Program& program);

// By pc: whether it is a plain load whose value goes, by moves alone, into the comparison of an
// atom.cas of the same address. Empty for a program without any.
[[nodiscard]] std::vector<bool> find_cas_reads(const Program& program);

}  // namespace warpwright::emu
