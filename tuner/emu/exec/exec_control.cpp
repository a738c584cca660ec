// Branches, calls (also those through registers, where lanes of a warp may call different functions
// at once), exits, barriers and the special registers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "core/words.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"
#include "emu/exec/memory.h"
#include "emu/exec/observer.h"
#include "emu/exec/special_register.h"

namespace warpwright::emu {

void exec_branch(Warp& warp, const Inst& inst) {
  warp.branch(static_cast<std::uint32_t>(inst.immediate));
}

namespace {

[[noreturn]] void fail_call(std::uint32_t lane, const std::string& what) {
  throw KernelFault{FindingKind::kTrap, what, lane};
}

// "(8, 4) -> (4)": the sizes of a function's parameters and returns, in bytes.
std::string shape_of(const Signature& signature) {
  return fmt::format("({}) -> ({})", fmt::join(signature.parameter_sizes, ", "),
                     fmt::join(signature.return_sizes, ", "));
}

// Returns the function at one lane's address; throws KernelFault if the call may not call it.
std::uint32_t callee_of(const Program& program, const CallSite& site, std::uint64_t address,
                        std::uint32_t lane) {
  constexpr std::string_view kSet =
      "set function pointers on the device, and objects with virtual functions up there, too";
  if (address == 0)
    fail_call(lane, fmt::format("a call through a null function pointer at {{place}}; {}", kSet));
  const std::uint64_t offset = address - kCodeWindow;
  if ((address & kWindowMask) != kCodeWindow || offset % kCodeBytes != 0 ||
      offset / kCodeBytes >= program.functions.size()) {
    fail_call(lane, fmt::format("a call of address {:#x}, where no function is, at {{place}}; {}",
                                address, kSet));
  }
  const auto index = static_cast<std::uint32_t>(offset / kCodeBytes);
  const Function& callee = program.functions[index];
  if (callee.is_entry) {
    fail_call(lane, fmt::format("a call of the kernel '{}' through a pointer at {{place}}; call a "
                                "__device__ function",
                                callee.name));
  }
  if (callee.end_pc == callee.first_pc) {
    fail_call(lane, fmt::format("a call of '{}' through a pointer at {{place}}, which the module "
                                "declares and does not define; define it",
                                callee.name));
  }
  if (callee.signature != site.signature) {
    fail_call(lane,
              fmt::format("'{}', which takes and returns {} bytes, is called as {} at {{place}}; "
                          "call it through a pointer of its own type",
                          callee.name, shape_of(callee.signature), shape_of(site.signature)));
  }
  if (!site.targets.empty() &&
      std::find(site.targets.begin(), site.targets.end(), index) == site.targets.end()) {
    fail_call(lane, fmt::format("'{}' is called at {{place}}, where .calltargets does not name it; "
                                "add it to the list",
                                callee.name));
  }
  return index;
}

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
  Observer* observer = warp.block().observer();
  if (const std::uint32_t beyond = lanes_beyond(warp, index, targets);
      observer != nullptr && beyond != 0) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(beyond));
    observer->report(
        FindingKind::kBranchIndex, warp, first, "jump through a table",
        fmt::format("the lanes {:#010x} of the warp jump through a table of {} with an "
                    "index beyond it, lane {} with {}: where they go is undefined",
                    beyond, plural(targets, "target"), first, index[first]),
        "give the switch a default, or bound what it switches on");
  }
  warp.branch_indexed(warp.extra(inst), targets, index);
}

void exec_call(Warp& warp, const Inst& inst) {
  const CallSite& site = warp.program().calls[static_cast<std::size_t>(inst.immediate)];
  warp.call(site, site.function);
}

void exec_call_indirect(Warp& warp, const Inst& inst) {
  const CallSite& site = warp.program().calls[static_cast<std::size_t>(inst.immediate)];
  const std::uint64_t* addresses = warp.wide(inst.src[0]);
  for (std::uint32_t left = warp.mask(); left != 0;) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(left));
    std::uint32_t same = 0;
    for (std::uint32_t lane = first; lane < kWarpSize; ++lane) {
      if ((left >> lane & 1) != 0 && addresses[lane] == addresses[first]) same |= 1u << lane;
    }
    left &= ~same;
    const std::uint32_t callee = callee_of(warp.program(), site, addresses[first], first);
    warp.as_lanes(same, [&] { warp.call(site, callee); });
  }
}

void exec_missing_function(Warp& warp, const Inst& inst) {
  const Function& callee = warp.program().functions[static_cast<std::size_t>(inst.immediate)];
  fail_call(static_cast<std::uint32_t>(std::countr_zero(warp.mask())),
            fmt::format("a call of '{}' at {{place}}, a function that the emulator lacks; keep "
                        "kernels that run here from it",
                        callee.name));
}

void exec_ret(Warp& warp, const Inst&) { warp.ret(); }
void exec_exit(Warp& warp, const Inst&) { warp.exit_lanes(); }
void exec_nothing(Warp&, const Inst&) {}

void exec_left_out(Warp& warp, const Inst& inst) {
  if (Observer* observer = warp.block().observer()) observer->pass_left_out();
  warp.set_predicate(inst.dst, kAllLanes);
}

void exec_nanosleep(Warp& warp, const Inst&) { warp.note_shared_progress(); }

void exec_trap(Warp& warp, const Inst&) {
  throw KernelFault{FindingKind::kTrap, "trap executed at {place}; the kernel itself asked to stop",
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
  Observer* observer = warp.block().observer();
  const std::uint32_t elsewhere = warp.lanes_at_barrier_elsewhere(id);
  if (observer != nullptr && elsewhere != 0 && (inst.flags & BarrierFlags::kUnaligned) == 0) {
    observer->report(
        FindingKind::kDivergentBarrier, warp, first, "barrier",
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
