// The checker's state of one warp's registers: which ones hold a value that was never computed or
// comes from unwritten shared memory, which ones an unfinished wgmma still writes or reads, and
// which ones no wgmma may use before the next wgmma.fence. Indexed by the PTX's own registers, not
// by the rows that they share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/check/tentative_reads.h"
#include "emu/decode/program.h"

namespace warpwright::emu {

// A load from shared or local memory that had not been written, or a shuffle from lanes that do not
// take part in it.
struct UnwrittenRead {
  std::uint32_t pc = 0;
  std::uint32_t lanes = 0;
  std::size_t bytes = 0;  // 0: a shuffle
  bool is_local = false;
  std::array<std::uint64_t, kWarpSize> addresses{};  // of `lanes`

  [[nodiscard]] bool is_shuffle() const { return bytes == 0; }
};

struct RegisterChecks {
  // The lanes in which a register is undefined; no entry if there are none.
  std::unordered_map<std::uint32_t, std::uint32_t> undefined;

  // Registers that hold the value of such a load, or a value computed from it, with the lanes in
  // which they do; no entry if there are none. If there were several loads, one is recorded.
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

// For each source register of a selp, d = p ? a : b, the lanes that select it. Constant sources are
// left out, as they are in the uses.
[[nodiscard]] std::vector<std::uint32_t> lanes_of_selection(Warp& warp, const Inst& inst);

}  // namespace warpwright::emu
