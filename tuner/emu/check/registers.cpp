#include "emu/check/registers.h"

#include <algorithm>

#include "emu/exec/warp.h"
#include "emu/lanes/lane_table.h"

namespace warpwright::emu {

std::vector<std::uint32_t> lanes_of_selection(Warp& warp, const Inst& inst) {
  const std::vector<ConstantRow>& constants = warp.frame().function->constants;
  const auto is_constant = [&](std::uint32_t row) {
    return std::any_of(constants.begin(), constants.end(),
                       [row](const ConstantRow& constant) { return constant.row == row; });
  };
  const std::uint32_t chosen =
      warp.predicate(inst.src[2]) ^ ((inst.flags & CompareFlags::kNegated) != 0 ? kAllLanes : 0);
  std::vector<std::uint32_t> lanes;
  if (!is_constant(inst.src[0])) lanes.push_back(chosen);
  if (!is_constant(inst.src[1])) lanes.push_back(~chosen);
  return lanes;
}

}  // namespace warpwright::emu
