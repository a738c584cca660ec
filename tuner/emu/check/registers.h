// Registers as one warp's checker sees them: which hold a value that was never computed, and which
// an unfinished wgmma still writes or reads. By the PTX's own registers, not by the rows that they
// share.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emu/clock.h"

namespace warpwright::emu {

struct RegisterChecks {
  // Lanes in which a register is undefined; absent when in none.
  std::unordered_map<std::uint32_t, std::uint32_t> undefined;

  enum class Use : std::uint8_t { kWritten, kRead };
  struct Flight {
    Use use = Use::kRead;
    std::uint32_t group = 0;
    std::uint32_t pc = 0;
  };
  std::unordered_map<std::uint32_t, Flight> flights;
  std::uint32_t committed = 0;                              // groups of wgmma
  std::vector<std::pair<std::uint32_t, Actor>> operations;  // by group, not waited for

  [[nodiscard]] bool idle() const { return undefined.empty() && flights.empty(); }
};

}  // namespace warpwright::emu
