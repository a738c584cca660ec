// Loads that a compiler may have moved up past the branch that guards them in the source. These are
// loads of shared memory at an address known at compile time, the only ones that the compiler may
// execute for threads that do not need them. Such a load counts as a read only by the lanes that
// use its value: it is compared with other accesses when the value first affects something, or when
// the lane next synchronises, and never if the value is thrown away.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/decode/program.h"

namespace warpwright::emu {

struct TentativeRead {
  std::uint32_t pc = 0;
  std::uint64_t address = 0;  // in the block's shared memory; the same for all lanes
  std::size_t bytes = 0;
  std::uint32_t open = 0;  // lanes for which it has not counted yet
};

// The lanes of a register that hold the value of such a load, or a value computed from it.
struct TentativeValue {
  std::shared_ptr<TentativeRead> read;
  std::uint32_t lanes = 0;
};
// By register; no entry if there is none.
using TentativeValues = std::unordered_map<std::uint32_t, std::vector<TentativeValue>>;

// By pc: whether it is such a load, and its value may be thrown away: it reaches a selection, an
// instruction with a guard, or another basic block. Empty for a program without any.
[[nodiscard]] std::vector<bool> find_tentative_loads(const Program& program);

}  // namespace warpwright::emu
