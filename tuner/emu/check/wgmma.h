// The rules for wgmma: its registers are in flight until the wait, a wgmma.fence orders earlier
// writes of them before it, and the four warps of a warpgroup execute the same products.
#pragma once

#include <cstdint>
#include <vector>

#include "emu/check/registers.h"
#include "emu/exec/observer.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

class Findings;
class Orders;
struct LaunchContext;

class Wgmma {
 public:
  Wgmma(const LaunchContext& context, Orders& orders, Findings& findings);
  void start(Block& block);

  // --- events, as in Observer
  [[nodiscard]] Actor begin(Warp& warp, const WgmmaStart& start);
  void fence(Warp& warp);
  void commit(Warp& warp);
  void wait(Warp& warp, std::uint32_t unfinished, std::uint32_t products);
  void end_block(Block& block);

  // Before the warp executes an instruction, as in Observer::step. step_feeder() is for those that
  // is_feeder() names, step_flights() for a warp with registers in flight.
  [[nodiscard]] bool is_feeder(std::uint32_t pc) const { return !feeders_.empty() && feeders_[pc]; }
  void step_feeder(WgmmaChecks& checks, std::uint32_t pc) const;
  void step_flights(Warp& warp, WgmmaChecks& checks, std::uint32_t pc);

 private:
  void require_fence(Warp& warp, WgmmaChecks& checks, bool adds);
  void compare_in_group(Warp& warp, const WgmmaStart& start);

  const LaunchContext* context_;
  Orders* orders_;
  Findings* findings_;
  std::vector<bool> feeders_;  // by pc; empty without any
};

}  // namespace warpwright::emu
