// The roles of a block's warps, by the code that they execute.
//
// Two warps have the same role if each executes at least three quarters of its instructions at
// places that the other executes too, however often: trip counts may differ, and one warp may write
// a result for all. Names follow from the activities: a producer issues copies into shared memory
// and computes nothing in floating point or on tensor cores; where there is one, warps that compute
// and issue no such copies are consumers. Other roles are named after their warps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emu/observe/block_record.h"
#include "emu/observe/observation.h"

namespace warpwright::emu {

[[nodiscard]] std::vector<Role> find_roles(const std::vector<WarpRecord>& warps);

// The role of each warp of a block, by number.
class RoleOfWarp {
 public:
  explicit RoleOfWarp(const std::vector<Role>& roles) {
    of_.fill(kOtherBlocks);
    for (std::size_t role = 0; role < roles.size(); ++role)
      for (std::uint8_t warp = 0; warp < kForeignWarp; ++warp)
        if ((roles[role].warps >> warp & 1) != 0) of_[warp] = role;
  }
  [[nodiscard]] std::size_t operator[](std::uint8_t warp) const { return of_[warp]; }

 private:
  std::array<std::size_t, kForeignWarp + 1> of_{};
};

// "warp 0", "warps 1-3", "warps 0, 2 and 5".
[[nodiscard]] std::string warps_text(std::uint32_t warps);

}  // namespace warpwright::emu
