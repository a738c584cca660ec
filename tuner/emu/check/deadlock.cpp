#include "emu/check/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "emu/async/cluster.h"
#include "emu/async/mbarrier.h"

namespace warpwright::emu {
namespace {

// Names the warps of the warpgroup that have issued fewer wgmma.
std::string who_lacks(const Block& block, const Warp& warp, std::uint32_t products) {
  const std::uint32_t first = warp.index() / kWarpgroupWarps * kWarpgroupWarps;
  std::vector<std::uint32_t> late;
  for (std::uint32_t i = first; i < first + kWarpgroupWarps; ++i)
    if (block.warp(i).wgmma().issued() < products) late.push_back(i);
  return fmt::format("warp{} {} of its warpgroup {} not executed", late.size() == 1 ? "" : "s",
                     fmt::join(late, ","), late.size() == 1 ? "has" : "have");
}

// One clause of the message.
std::string describe_wait(const Block& block, const Warp& warp, const Group& group) {
  const std::uint32_t lanes = group.mask;
  const std::string place = block.place(group.pc);
  switch (group.wait) {
    case Wait::kBarrier: {
      const auto [arrived, expected] = block.barrier_progress(group.barrier);
      const std::string partial =
          group.arrived
              ? ""
              : fmt::format(" with lanes {:#010x} only, so the warp has not arrived", lanes);
      return fmt::format("waits at barrier {} ({}), where {} of {} threads have arrived{}",
                         group.barrier, place, arrived, expected, partial);
    }
    case Wait::kSync:
      return fmt::format("lanes {:#010x} wait at `{}` ({}) for the lanes {:#010x} of its mask",
                         lanes, block.context().program->opcodes[group.pc], place,
                         group.members & ~lanes);
    case Wait::kMbarrier: {
      const auto found = block.mbarriers().all().find(group.barrier);
      return fmt::format(
          "waits at the mbarrier at shared address {} ({}), whose {}", group.barrier, place,
          found == block.mbarriers().all().end() ? "object is gone" : describe(found->second));
    }
    case Wait::kCluster:
      return fmt::format("waits at the barrier of the cluster ({})", place);
    case Wait::kRegisters:
      return fmt::format("waits for registers that setmaxnreg asks for ({}); {} are free", place,
                         block.free_registers());
    case Wait::kWarpgroup:
      return fmt::format("waits at `{}` ({}) for a wgmma that {}",
                         block.context().program->opcodes[group.pc], place,
                         who_lacks(block, warp, group.barrier));
    case Wait::kNone:
      break;
  }
  return "can run";
}

std::string advice_for(Wait wait) {
  switch (wait) {
    case Wait::kMbarrier:
      return "check the count of its init, the bytes of expect_tx against those of the copies, the "
             "parity waited for, and that every path that is counted arrives";
    case Wait::kSync:
      return "every lane that a mask names, and that has not exited, must execute the operation "
             "with that same mask";
    case Wait::kCluster:
      return "every thread of every block of the cluster must arrive";
    case Wait::kRegisters:
      return "other warpgroups must give theirs back with setmaxnreg.dec first";
    case Wait::kWarpgroup:
      return "all four warps of a warpgroup must execute every wgmma: move it out of the branch, "
             "and "
             "let warps without work of their own take part";
    default:
      return "every thread that a barrier counts must reach it, so move it out of the branch or "
             "the "
             "early return";
  }
}

}  // namespace

// Warps in the same position are named once.
LaunchFault describe_deadlock(const Cluster& cluster) {
  std::string message = "deadlock at {place}: ";
  const Block* first_block = nullptr;
  const Warp* first = nullptr;
  bool begun = false;
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    const Block& block = cluster.block(rank);
    std::vector<std::pair<std::string, std::vector<std::uint32_t>>> positions;
    for (std::size_t i = 0; i < block.warp_count(); ++i) {
      const Warp& warp = block.warp(i);
      std::string text;
      if (warp.state() == Warp::State::kExited) {
        text = "exited";
      } else {
        if (first == nullptr) {
          first = &warp;
          first_block = &block;
        }
        for (const Group& group : warp.groups())
          text += (text.empty() ? "" : " and ") + describe_wait(block, warp, group);
      }
      const auto same = std::find_if(positions.begin(), positions.end(),
                                     [&](const auto& p) { return p.first == text; });
      if (same == positions.end()) {
        positions.push_back({text, {warp.index()}});
      } else {
        same->second.push_back(warp.index());
      }
    }
    const std::string who =
        cluster.size() == 1 ? "" : fmt::format("block {} of the cluster: ", rank);
    for (const auto& [text, warps] : positions) {
      message += fmt::format("{}{}warp{} {} {}", begun ? "; " : "", who,
                             warps.size() == 1 ? "" : "s", fmt::join(warps, ","), text);
      begun = true;
    }
  }
  const Group& group = first->groups().front();
  message += "; " + advice_for(group.wait);
  return first_block->fault(FaultKind::kDeadlock, message, group.pc, first->index(),
                            static_cast<std::uint32_t>(std::countr_zero(group.mask)));
}

}  // namespace warpwright::emu
