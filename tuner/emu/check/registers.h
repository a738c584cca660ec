// The checkers' state of the registers of one warp, and of a warpgroup's wgmma. By register: which
// ones hold a value that was never computed or comes from unwritten memory (UnsetValues), which
// ones hold the value of a load that has not counted yet (TentativeReads), which ones an unfinished
// wgmma still writes or reads, and which ones no wgmma may use before the next wgmma.fence (Wgmma).
// Indexed by the PTX's own registers, not by the rows that they share.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emu/exec/wgmma_progress.h"
#include "emu/model/clock.h"
#include "emu/program/program.h"

namespace warpwright::emu {

class Warp;

// --- tentative reads
//
// Loads that a compiler may have moved up past the branch that guards them in the source. These are
// loads of shared memory at an address known at compile time, the only ones that the compiler may
// execute for threads that do not need them. Such a load counts as a read only by the lanes that
// use its value: it is compared with other accesses when the value first affects something, or when
// the lane next synchronises, and never if the value is thrown away.

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

// --- values that were never set

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

struct ValueChecks {
  // The lanes in which a register is undefined; no entry if there are none.
  std::unordered_map<std::uint32_t, std::uint32_t> undefined;

  // Registers that hold the value of such a load, or a value computed from it, with the lanes in
  // which they do; no entry if there are none. If there were several loads, one is recorded.
  struct Unwritten {
    std::uint32_t lanes = 0;
    std::shared_ptr<const UnwrittenRead> read;
  };
  std::unordered_map<std::uint32_t, Unwritten> unwritten;
};

// --- registers of wgmma

struct WgmmaChecks {
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
};

// --- all of a warp

struct RegisterChecks {
  ValueChecks values;
  TentativeValues tentative;
  WgmmaChecks wgmma;

  // Whether no register holds anything that has to be followed from instruction to instruction.
  [[nodiscard]] bool idle() const {
    return values.undefined.empty() && values.unwritten.empty() && wgmma.flights.empty() &&
           tentative.empty();
  }
};

// For each source register of a selp, d = p ? a : b, the lanes that select it. Constant sources are
// left out, as they are in the uses.
[[nodiscard]] std::vector<std::uint32_t> lanes_of_selection(Warp& warp, const Inst& inst);

// --- warpgroups

// The checkers' state of a warpgroup's wgmma: the products that each of the four warps has started,
// and their operands, until all warps have waited for them. Counts products like WgmmaProgress.
struct WarpgroupChecks {
  struct Operation {
    std::uint32_t product = 0;
    Actor actor;  // of one warp
  };
  std::vector<Operation> operations;                    // those that some warp has not waited for
  std::array<std::uint32_t, kWarpgroupWarps> waited{};  // products, by warp of the group

  // The operands of the first warp that reached the product, for comparison with later warps.
  struct Product {
    std::uint32_t pc = 0;
    std::uint32_t warp = 0;
    std::uint64_t a = 0;  // descriptors
    std::uint64_t b = 0;
  };
  std::vector<Product> products;  // from `first_product` on
  std::uint32_t first_product = 0;
};

}  // namespace warpwright::emu
