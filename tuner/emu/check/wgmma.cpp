#include "emu/check/wgmma.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "emu/check/block_checks.h"
#include "emu/check/findings.h"
#include "emu/check/orders.h"
#include "emu/check/static_facts.h"
#include "emu/exec/block.h"

namespace warpwright::emu {
namespace {

constexpr const char* kTogether =
    "let all four warps of the warpgroup execute the same wgmma with the same descriptors: a warp "
    "takes its 16 of the 64 rows by itself";

WgmmaChecks& wgmma_of(const Warp& warp) {
  return warp.block().checks()->registers[warp.index()].wgmma;
}
WarpgroupChecks& warpgroup_of(const Warp& warp) {
  return warp.block().checks()->warpgroups[warp.index() / kWarpgroupWarps];
}

}  // namespace

Wgmma::Wgmma(const LaunchContext& context, Orders& orders, Findings& findings)
    : context_(&context),
      orders_(&orders),
      findings_(&findings),
      feeders_(find_wgmma_feeders(*context.program)) {}

void Wgmma::start(Block& block) {
  block.checks()->warpgroups.assign((block.warp_count() + kWarpgroupWarps - 1) / kWarpgroupWarps,
                                    {});
}

// --- registers

void Wgmma::step_flights(Warp& warp, WgmmaChecks& checks, std::uint32_t pc) {
  const Program& program = *context_->program;
  const std::string_view opcode = program.opcodes[pc];
  if (is_wgmma(opcode)) return;  // sums continue in the same registers
  const WgmmaChecks::Flight* carried = nullptr;
  std::uint32_t from = 0;
  for (const OperandUse& use : program.uses_of(pc)) {
    const auto found = checks.flights.find(use.reg);
    if (found == checks.flights.end()) continue;
    const WgmmaChecks::Flight& flight = found->second;
    if (!use.defines && flight.use == WgmmaChecks::Use::kRead) continue;
    if (is_move(opcode)) {
      // The compiler renames PTX registers; the hardware register stays the same.
      if (!use.defines) {
        carried = &flight;
        from = use.reg;
      }
      continue;
    }
    Finding finding;
    finding.kind = FindingKind::kRegisterInFlight;
    finding.message =
        fmt::format("a register that an unfinished wgmma {} is {} by `{}`",
                    flight.use == WgmmaChecks::Use::kWritten ? "accumulates into" : "reads",
                    use.defines ? "overwritten" : "read", opcode);
    finding.advice = "put wgmma.wait_group before it, and keep the compiler from moving it up";
    const std::uint32_t thread =
        warp.index() * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
    finding.here =
        findings_->side(warp.block().linear_index(), pc, thread, use.defines ? "write" : "read");
    finding.other = findings_->side(warp.block().linear_index(), flight.pc, thread, "wgmma");
    findings_->add(std::move(finding), pc, flight.pc);
  }
  if (carried == nullptr) return;
  const WgmmaChecks::Flight flight = *carried;
  checks.flights.erase(from);
  for (const OperandUse& use : program.uses_of(pc)) {
    if (use.defines) checks.flights[use.reg] = flight;
  }
}

// Moves do not change the value of a register, and setting a constant does not count as an access:
// compilers place both wherever they like.
void Wgmma::step_feeder(WgmmaChecks& checks, std::uint32_t pc) const {
  const bool moves = is_move(context_->program->opcodes[pc]);
  std::optional<std::uint32_t> writer;
  if (!moves) writer = pc;
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (!use.defines) {
      const auto known = checks.unfenced.find(use.reg);
      if (moves && known != checks.unfenced.end()) writer = known->second;
    } else if (writer) {
      checks.unfenced[use.reg] = *writer;
    } else {
      checks.unfenced.erase(use.reg);
    }
  }
}

void Wgmma::require_fence(Warp& warp, WgmmaChecks& checks, bool adds) {
  if (checks.fenced && checks.unfenced.empty()) return;
  const std::uint32_t pc = warp.current_pc();
  const std::uint32_t thread =
      warp.index() * kWarpSize + static_cast<std::uint32_t>(std::countr_zero(warp.mask()));
  Finding finding;
  finding.kind = FindingKind::kMissingWgmmaFence;
  finding.advice =
      "put wgmma.fence after the last write of the registers and before the first wgmma that "
      "uses them, and keep the compiler from moving the writes down";
  finding.here = findings_->side(warp.block().linear_index(), pc, thread, "wgmma");
  if (!checks.fenced) {
    finding.message = "the first wgmma of a warp that has not executed any wgmma.fence";
    return findings_->add(std::move(finding), pc, pc);
  }
  const std::span<const OperandUse> uses = context_->program->uses_of(pc);
  std::unordered_set<std::uint32_t> sums;
  for (const OperandUse& use : uses)
    if (use.defines) sums.insert(use.reg);
  for (const OperandUse& use : uses) {
    const bool is_sum = sums.contains(use.reg);
    if (use.bits != 32 || use.guard || use.defines || (is_sum && !adds)) continue;
    const auto written = checks.unfenced.find(use.reg);
    if (written == checks.unfenced.end()) continue;
    finding.message =
        fmt::format("a wgmma {} a register that `{}` has written, with no wgmma.fence in between",
                    is_sum ? "adds to" : "reads", context_->program->opcodes[written->second]);
    finding.other = findings_->side(warp.block().linear_index(), written->second, thread, "write");
    return findings_->add(std::move(finding), pc, written->second);
  }
}

void Wgmma::fence(Warp& warp) {
  orders_->sync_lanes(warp, warp.mask());
  WgmmaChecks& checks = wgmma_of(warp);
  checks.unfenced.clear();
  checks.fenced = true;
}

// --- products of a warpgroup

Actor Wgmma::begin(Warp& warp, const WgmmaStart& start) {
  orders_->sync_lanes(warp, warp.mask());
  compare_in_group(warp, start);
  WgmmaChecks& checks = wgmma_of(warp);
  require_fence(warp, checks, start.adds);
  const std::uint32_t pc = warp.current_pc();
  for (const OperandUse& use : context_->program->uses_of(pc)) {
    if (use.bits != 32 || use.guard) continue;
    // Sums are read and written; definitions come last.
    checks.flights[use.reg] = {use.defines ? WgmmaChecks::Use::kWritten : WgmmaChecks::Use::kRead,
                               checks.committed, pc};
  }
  const Actor actor = orders_->begin_async(warp);
  warpgroup_of(warp).operations.push_back({warp.wgmma().issued(), actor});
  return actor;
}

void Wgmma::compare_in_group(Warp& warp, const WgmmaStart& start) {
  WarpgroupChecks& group = warpgroup_of(warp);
  const std::uint32_t pc = warp.current_pc();
  // All warps have issued the products before this one.
  const std::uint32_t common = warp.block().wgmma_of_group(warp);
  if (common > group.first_product) {
    const auto known = std::min<std::size_t>(common - group.first_product, group.products.size());
    group.products.erase(group.products.begin(),
                         group.products.begin() + static_cast<std::ptrdiff_t>(known));
    group.first_product = common;
  }
  const std::uint32_t place = warp.wgmma().issued() - group.first_product;
  if (place >= group.products.size()) {
    group.products.push_back({pc, warp.index(), start.a, start.b});
    return;
  }
  const WarpgroupChecks::Product& first = group.products[place];
  Finding finding;
  finding.kind = FindingKind::kDivergentWgmma;
  finding.advice = kTogether;
  const auto differs = [&](char operand, std::uint64_t mine, std::uint64_t others) {
    finding.message = fmt::format(
        "a wgmma whose descriptor of operand {} differs between warps {} and {} of the warpgroup "
        "({:#x} and {:#x})",
        operand, first.warp, warp.index(), others, mine);
  };
  if (first.pc != pc) {
    finding.message = fmt::format(
        "warp {} executes a wgmma where warp {} of its warpgroup executes another; they are not "
        "one product",
        warp.index(), first.warp);
  } else if (first.a != start.a) {
    differs('A', start.a, first.a);
  } else if (first.b != start.b) {
    differs('B', start.b, first.b);
  } else {
    return;
  }
  const std::uint64_t block = warp.block().linear_index();
  finding.here = findings_->side(block, pc, warp.index() * kWarpSize, "wgmma");
  finding.other = findings_->side(block, first.pc, first.warp * kWarpSize, "wgmma");
  findings_->add(std::move(finding), pc, first.pc);
}

void Wgmma::commit(Warp& warp) { ++wgmma_of(warp).committed; }

void Wgmma::wait(Warp& warp, std::uint32_t unfinished, std::uint32_t products) {
  WgmmaChecks& checks = wgmma_of(warp);
  std::erase_if(checks.flights, [&](const auto& entry) {
    return entry.second.group + unfinished < checks.committed;
  });
  WarpgroupChecks& group = warpgroup_of(warp);
  std::uint32_t& waited = group.waited[warp.index() % kWarpgroupWarps];
  if (products <= waited) return;
  auto finished = Counted<Clock>::make();
  for (const auto& [product, actor] : group.operations) {
    if (product < products && product >= waited)
      finished->learn(actor.block, actor.index, actor.epoch, kAllLanes);
  }
  waited = products;
  const std::uint32_t by_all = *std::min_element(group.waited.begin(), group.waited.end());
  std::erase_if(group.operations, [&](const auto& known) { return known.product < by_all; });
  Knowledge knowledge;
  knowledge.happened = finished;
  orders_->acquire(warp, warp.mask(), knowledge);
}

// Without a wait, no warp blocks on the missing warp, so it is found only when the block ends.
void Wgmma::end_block(Block& block) {
  for (std::uint32_t at = 0; at < block.checks()->warpgroups.size(); ++at) {
    WarpgroupChecks& group = block.checks()->warpgroups[at];
    const std::uint32_t common = block.wgmma_of_group(block.warp(at * kWarpgroupWarps));
    if (common < group.first_product || group.products.size() <= common - group.first_product)
      continue;
    const WarpgroupChecks::Product& lone = group.products[common - group.first_product];
    std::uint32_t out = at * kWarpgroupWarps;
    while (block.warp(out).wgmma().issued() != common) ++out;
    Finding finding;
    finding.kind = FindingKind::kDivergentWgmma;
    finding.message = fmt::format(
        "warp {} executes a wgmma that warp {} of its warpgroup exits without; it takes all four",
        lone.warp, out);
    finding.advice = kTogether;
    finding.here = findings_->side(block.linear_index(), lone.pc, lone.warp * kWarpSize, "wgmma");
    finding.other = findings_->side(block.linear_index(), block.warp(out).current_pc(),
                                    out * kWarpSize, "exit");
    findings_->add(std::move(finding), lone.pc, block.warp(out).current_pc());
  }
}

}  // namespace warpwright::emu
