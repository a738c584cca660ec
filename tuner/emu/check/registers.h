// Registers as one warp's checker sees them: which hold a value that was never computed or comes
// from shared memory that nobody wrote, which an unfinished wgmma still writes or reads, and which
// no wgmma may use before the next wgmma.fence. By the PTX's own registers, not by the rows that
// they share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/check/tentative_reads.h"
#include "emu/decode/program.h"

namespace warpwright::emu {

// A load from shared or local memory that nobody had written; or a shuffle from lanes that take no
// part in it.
struct UnwrittenRead {
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;
  std::size_t bytes = 0;  // 0: a shuffle
  bool is_local = false;
  std::array<std::uint64_t, kWarpSize> addresses{};  // of `lanes`

  [[nodiscard]] bool is_shuffle() const { return bytes == 0; }
};

struct RegisterChecks {
  // Lanes in which a register is undefined; absent when in none.
  std::unordered_map<std::uint32_t, std::uint32_t> undefined;

  // Registers that hold what such a load read, or was computed from it, with the lanes in which
  // they do; absent when in none. Of several loads one is remembered.
  struct Unwritten {
    std::uint32_t lanes = 0;
    std::shared_ptr<const UnwrittenRead> read;
  };
  std::unordered_map<std::uint32_t, Unwritten> unwritten;
  TentativeValues tentative;

  enum class Use : std::uint8_t { kWritten, kRead };
  struct Flight {
    Use use = Use::kRead;
    std::uint32_t group = 0;
    std::uint32_t pc = 0;
  };
  std::unordered_map<std::uint32_t, Flight> flights;
  std::uint32_t committed = 0;  // groups of wgmma

  // Registers that a wgmma reads or adds to and that were written since the last wgmma.fence, with
  // the writing instruction.
  std::unordered_map<std::uint32_t, std::uint32_t> unfenced;
  bool fenced = false;  // the warp has executed a wgmma.fence

  [[nodiscard]] bool idle() const {
    return undefined.empty() && unwritten.empty() && flights.empty() && tentative.empty();
  }
};

// For each of the sources of a selp, the lanes that take it: d = p ? a : b. Its uses leave out what
// is a constant.
[[nodiscard]] std::vector<std::uint32_t> lanes_of_selection(Warp& warp, const Inst& inst);

}  // namespace warpwright::emu
