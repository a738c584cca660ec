// Branches, calls, exits, barriers and the special registers.
#include <fmt/format.h>

#include <bit>

#include "emu/check/checker.h"
#include "emu/decode/special_register.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

void exec_branch(Warp& warp, const Inst& inst) {
  warp.branch(static_cast<std::uint32_t>(inst.immediate));
}

namespace {

// The active lanes whose index is outside the table of targets.
std::uint32_t lanes_beyond(const Warp& warp, const std::uint32_t* index, std::uint32_t targets) {
  std::uint32_t beyond = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
    beyond |= static_cast<std::uint32_t>(index[lane] >= targets) << lane;
  return beyond & warp.mask();
}

}  // namespace

void exec_branch_indexed(Warp& warp, const Inst& inst) {
  const auto targets = static_cast<std::uint32_t>(inst.immediate);
  const std::uint32_t* index = warp.row(inst.src[0]);
  Checker* checker = warp.block().checker();
  if (const std::uint32_t beyond = lanes_beyond(warp, index, targets);
      checker != nullptr && beyond != 0) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(beyond));
    checker->report(
        HazardKind::kBranchIndex, warp, first, "jump through a table",
        fmt::format("the lanes {:#010x} of the warp jump through a table of {} target{} with an "
                    "index beyond it, lane {} with {}: where they go is undefined",
                    beyond, targets, targets == 1 ? "" : "s", first, index[first]),
        "give the switch a default, or bound what it switches on");
  }
  warp.branch_indexed(warp.extra(inst), targets, index);
}

void exec_call(Warp& warp, const Inst& inst) {
  const CallSite& site = warp.program().calls[static_cast<std::size_t>(inst.immediate)];
  warp.call(site, site.function);
}

void exec_ret(Warp& warp, const Inst&) { warp.ret(); }
void exec_exit(Warp& warp, const Inst&) { warp.exit_lanes(); }
void exec_nothing(Warp&, const Inst&) {}
void exec_nanosleep(Warp& warp, const Inst&) { warp.note_shared_progress(); }

void exec_trap(Warp& warp, const Inst&) {
  throw KernelFault{FaultKind::kTrap, "trap executed at {place}; the kernel itself asked to stop",
                    static_cast<std::uint32_t>(std::countr_zero(warp.mask()))};
}

void exec_barrier(Warp& warp, const Inst& inst) {
  const auto first = static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
  const std::uint32_t id = warp.row(inst.src[0])[first];
  const std::uint32_t threads = inst.src[1] == kNoRegister ? 0 : warp.row(inst.src[1])[first];
  const auto reduction =
      static_cast<BarrierReduction>(inst.flags >> BarrierFlags::kReductionShift & 3);
  std::uint32_t predicate = 0;
  if (reduction != BarrierReduction::kNone) {
    predicate =
        warp.predicate(inst.src[2]) ^ ((inst.flags & BarrierFlags::kNegated) != 0 ? kAllLanes : 0);
  }
  // Unaligned forms (barrier.sync without .aligned) may be reached lane by lane. For aligned forms,
  // lanes that arrive one branch at a time are not an error yet: the compiler may have placed the
  // code that the other lanes run first after the barrier.
  Checker* checker = warp.block().checker();
  const std::uint32_t elsewhere = warp.lanes_at_barrier_elsewhere(id);
  if (checker != nullptr && elsewhere != 0 && (inst.flags & BarrierFlags::kUnaligned) == 0) {
    checker->report(
        HazardKind::kDivergentBarrier, warp, first, "barrier",
        fmt::format(
            "the lanes {:#010x} of the warp execute barrier {} here, {:#010x} another one of "
            "that number",
            warp.mask(), id, elsewhere),
        "move it out of the branch, so that all threads of the warp execute it together");
  }
  warp.block().arrive(warp, id, threads, (inst.flags & BarrierFlags::kArrive) == 0, reduction,
                      predicate);
}

void write_barrier_result(Warp& warp, const Inst& inst, std::uint32_t reduced) {
  const auto reduction =
      static_cast<BarrierReduction>(inst.flags >> BarrierFlags::kReductionShift & 3);
  if (reduction == BarrierReduction::kNone) return;
  if (reduction != BarrierReduction::kPopc) {
    warp.set_predicate(inst.dst, reduced);
    return;
  }
  std::uint32_t* row = warp.row(inst.dst);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((warp.mask() >> lane & 1) != 0) row[lane] = reduced;
  }
}

void exec_special_register(Warp& warp, const Inst& inst) {
  const auto which = static_cast<SpecialRegister>(inst.immediate);
  const bool wide = inst.flags != 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((warp.mask() >> lane & 1) == 0) continue;
    const std::uint64_t value = special_register_value(warp, which, lane);
    if (wide) {
      warp.wide(inst.dst)[lane] = value;
    } else {
      warp.row(inst.dst)[lane] = static_cast<std::uint32_t>(value);
    }
  }
}

}  // namespace warpwright::emu
