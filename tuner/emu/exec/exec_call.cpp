// Calls through registers: lanes of a warp may call different functions at once.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "emu/exec/exec.h"
#include "emu/exec/memory.h"

namespace warpwright::emu {
namespace {

[[noreturn]] void fail_call(std::uint32_t lane, const std::string& what) {
  throw KernelFault{FaultKind::kTrap, what, lane};
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

}  // namespace

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

}  // namespace warpwright::emu
