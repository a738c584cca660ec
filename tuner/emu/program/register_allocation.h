// Assigns rows to virtual registers so that a warp's register file is small enough for the host's
// caches: unrolled PTX names thousands of registers, of which a few dozen are live at a time.
// Each lane executes the program in its own column, so liveness along the control-flow graph holds
// for every lane, in whatever order diverged lanes run.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/program/program.h"

namespace warpwright::emu {

struct RegisterUse {
  std::uint32_t inst = 0;
  std::uint8_t field = 0;   // CodeBuilder::Field
  std::uint32_t extra = 0;  // index for Field::kExtra
  std::uint32_t reg = 0;
  bool defines = false;
  bool whole = false;  // the definition overwrites every lane that runs: not guarded
};

struct Allocation32 {
  std::vector<std::uint32_t> place;  // by register: row or predicate; kNoRegister when unused
  std::uint32_t rows = 0;            // one past the last row
  std::uint32_t predicates = 1;
  std::vector<std::uint32_t> undefined_at_entry;  // registers that some path reads before it writes
};

// Successors of an instruction within the function; empty at its ends.
using Successors = std::vector<std::vector<std::uint32_t>>;

// `bits` by register; rows below `first_row` are taken. `uses` are in instruction order.
[[nodiscard]] Allocation32 allocate_registers(const std::vector<int>& bits,
                                              const std::vector<RegisterUse>& uses,
                                              const Successors& successors,
                                              std::uint32_t first_row);

}  // namespace warpwright::emu
