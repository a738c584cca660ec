// The checker's state of a warpgroup's wgmma: the products that each of the four warps has started,
// and their operands, until all warps have waited for them. Counts products like WgmmaProgress.
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
