// The use of mbarriers: operations on one must be ordered after its init, the asynchronous proxy
// must see the init, and no store may overlap its bytes while it is in use.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emu/exec/mbarrier.h"

namespace warpwright::emu {

class Block;
class Findings;
class Orders;
class Warp;
struct LaunchContext;

class MbarrierUse {
 public:
  MbarrierUse(const LaunchContext& context, Orders& orders, Findings& findings)
      : context_(&context), orders_(&orders), findings_(&findings) {}

  // --- events, as in Observer
  void init(Warp& warp, std::uint32_t lane, Mbarrier& barrier);
  void fence_inits(Warp& warp);
  void complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier, std::uint32_t address);
  void use(Warp& warp, std::uint32_t lane, const Mbarrier& barrier, std::uint32_t address);
  // A lane, or its copy, stores to shared memory of `target`.
  void store_over(Warp& warp, Block& target, std::uint32_t lane, std::uint64_t address,
                  std::size_t bytes);

 private:
  const LaunchContext* context_;
  Orders* orders_;
  Findings* findings_;
};

}  // namespace warpwright::emu
