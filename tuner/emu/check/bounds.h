// Uses of something that is there but not meant: accesses of shared memory outside of the variable
// that their address comes from, pointers into the local memory of another thread, and warp-wide
// operations whose mask and lanes do not match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/check/shadow.h"

namespace warpwright::emu {

class Findings;
class Warp;
struct LaunchContext;

class Bounds {
 public:
  struct Range {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
  };

  Bounds(const LaunchContext& context, Findings& findings);

  // The bounds of the first object in shared memory that the instruction may access, or of all
  // shared memory if that is unknown.
  [[nodiscard]] const Range& likely(std::uint32_t pc) const { return likely_[pc]; }
  // Reports an access through a variable that is outside the variable, although it is inside the
  // block's shared memory.
  void check(const AccessRecord& now, std::uint64_t address, std::size_t bytes) {
    const Range& range = likely_[now.pc];
    if (address >= range.begin && address + bytes <= range.end) return;
    if (!is_within(now, address, bytes)) overrun(now, address, bytes);
  }

  // --- events, as in Observer
  void local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address);
  void masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                    std::uint32_t theirs);
  // Lanes execute a warp-wide operation although its mask does not name them.
  void outside_mask(Warp& warp, std::uint32_t pc, std::uint32_t lanes, std::uint32_t members);

 private:
  [[nodiscard]] bool is_within(const AccessRecord& now, std::uint64_t address,
                               std::size_t bytes) const;
  void overrun(const AccessRecord& now, std::uint64_t address, std::size_t bytes);

  const LaunchContext* context_;
  Findings* findings_;
  std::vector<Range> bounds_;  // by shared object
  std::vector<Range> likely_;  // by pc
};

}  // namespace warpwright::emu
