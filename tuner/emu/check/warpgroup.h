// A warpgroup's wgmma as the checker sees them: which every warp of the four has started, and what
// each was given, until all have waited for it. Products are counted as WgmmaProgress does.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emu/model/clock.h"
#include "emu/tensor/wgmma_progress.h"

namespace warpwright::emu {

struct WarpgroupChecks {
  struct Operation {
    std::uint32_t product = 0;
    Actor actor;  // of one warp
  };
  std::vector<Operation> operations;                    // some warp has not waited for them
  std::array<std::uint32_t, kWarpgroupWarps> waited{};  // products, by warp of the group

  // What the first warp to get there was given, for those to come.
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
