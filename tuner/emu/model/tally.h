// Converts the main loop's counts by instruction class to the members of Counters.
#pragma once

#include <cstdint>
#include <span>

#include "emu/decode/program.h"
#include "emu/emulator.h"

namespace warpwright::emu {

struct InstructionTally {
  std::uint64_t instructions = 0;
  std::uint64_t lanes = 0;  // active by mask and guard
};

// Adds the counts of one class to all members that they belong to, including sums over classes.
void add_tally(Counters& to, InstClass klass, const InstructionTally& tally);

// The same for all classes, in the order of InstClass.
void add_tallies(Counters& to, std::span<const InstructionTally> by_class);

}  // namespace warpwright::emu
