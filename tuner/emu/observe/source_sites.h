// The place in the kernel's own sources for each program counter: of the chain of inlined calls
// that leads to an instruction, the innermost line in a file of the entry's folder, else the
// innermost line.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "core/source_location.h"
#include "emu/program/program.h"

namespace warpwright::emu {

class SourceSites {
 public:
  SourceSites(const Program& program, const Function& entry);
  // Numbers of places ascend by file, then by line; 0 is an unknown place.
  [[nodiscard]] std::uint32_t of(std::uint32_t pc) const { return by_pc_[pc]; }
  // Those of the numbers, without unknown places.
  [[nodiscard]] std::vector<SourceLocation> locations(const std::set<std::uint32_t>& sites) const;

 private:
  std::vector<std::uint32_t> by_pc_;
  std::vector<SourceLocation> sites_;
};

}  // namespace warpwright::emu
