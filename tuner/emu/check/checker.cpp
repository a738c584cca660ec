#include "emu/check/checker.h"

#include <algorithm>
#include <bit>

#include "emu/check/static_facts.h"
#include "emu/exec/async.h"
#include "emu/exec/block.h"

namespace warpwright::emu {

Checker::Checker(const LaunchContext& context, bool trust_cas_reads)
    : context_(&context),
      schedule_sensitive_(find_schedule_sensitive(*context.program)),
      findings_(context),
      orders_(context, findings_),
      bounds_(context, findings_),
      mbarriers_(context, orders_, findings_),
      lifetimes_(context, orders_, findings_),
      values_(context, findings_),
      initialisation_(context, values_, findings_),
      conflicts_(context, findings_),
      races_(context, conflicts_),
      accesses_(context, trust_cas_reads,
                {orders_, bounds_, mbarriers_, lifetimes_, initialisation_, races_}),
      tentative_reads_(context, accesses_),
      wgmma_(context, orders_, findings_) {
  looked_at_.resize(context.program->code.size());
  for (std::uint32_t pc = 0; pc < looked_at_.size(); ++pc) {
    looked_at_[pc] =
        wgmma_.is_feeder(pc) || (!schedule_sensitive_.empty() && schedule_sensitive_[pc]);
  }
}

std::vector<Finding> Checker::take_findings() {
  conflicts_.decide_stores();
  return findings_.take();
}

// Variables of the module keep the values that a launch leaves in them, so the next launch may
// start from other values; and reads of them as constants are not compared with writes.
bool Checker::same_under_all_schedules() {
  const auto& cluster = context_->launch->cluster;
  if (schedule_matters_ || !findings_.empty() || conflicts_.has_undecided_stores() ||
      cluster[0] * cluster[1] * cluster[2] > 1)
    return false;
  const std::vector<Variable>& variables = context_->program->variables;
  return std::none_of(variables.begin(), variables.end(), [this](const Variable& variable) {
    if (variable.space == Space::kShared || variable.size == 0) return false;
    const std::uint64_t address = context_->symbol_address(variable.name);
    return accesses_.has_written(address, address + variable.size);
  });
}

// --- blocks

void Checker::start(Block& block) {
  if (block.checks() == nullptr) {
    blocks_.push_back(std::make_unique<BlockChecks>());
    block.set_checks(blocks_.back().get());
  }
  block.checks()->registers.assign(block.warp_count(), {});
  orders_.start(block);
  accesses_.start(block);
  values_.start(block);
  initialisation_.start(block);
  wgmma_.start(block);
  lifetimes_.start(block);
}

void Checker::end_block(Block& block) {
  wgmma_.end_block(block);
  lifetimes_.end_block(block);
}

// --- orders

void Checker::arrive_at_barrier(Warp& warp, std::uint32_t id) {
  orders_.arrive_at_barrier(warp, id);
}
void Checker::complete_barrier(Block& block, std::uint32_t id,
                               const std::vector<std::uint32_t>& waiting, std::uint32_t exited) {
  orders_.complete_barrier(block, id, waiting, exited);
}
void Checker::arrive_at_cluster(Warp& warp) { orders_.arrive_at_cluster(warp); }
void Checker::complete_cluster(Block& block) { orders_.complete_cluster(block); }
void Checker::sync_lanes(Warp& warp, std::uint32_t lanes) { orders_.sync_lanes(warp, lanes); }
void Checker::acquire(Warp& warp, std::uint32_t lanes, const Knowledge& knowledge) {
  orders_.acquire(warp, lanes, knowledge);
}
void Checker::acquire_copies(Warp& warp, const Actor& copy, std::uint32_t lanes) {
  orders_.acquire_copies(warp, copy, lanes);
}
void Checker::publish(Knowledge& to, const Actor& actor, std::uint32_t lanes) {
  orders_.publish(to, actor, lanes);
}
void Checker::fence(Warp& warp, const FenceKinds& kinds) {
  if (kinds.mbarrier_inits) mbarriers_.fence_inits(warp);
  if (kinds.tensor_maps) orders_.fence_tensor_maps(warp);
  orders_.fence(warp, kinds.async_proxy);
}

// --- accesses

void Checker::access(Warp& warp, Block* target, std::uint32_t mask, const LaneAddresses& addresses,
                     std::size_t bytes, AccessKind kind) {
  orders_.note_access(warp, mask);
  const std::uint32_t pc = warp.current_pc();
  const bool tentative = tentative_reads_.is_tentative(pc) && mask != 0 && target == &warp.block();
  accesses_.access(warp, target, mask, addresses,
                   {pc, bytes, kind, tentative ? LanesAccess::kIsTentative : LanesAccess::kCounts});
  if (tentative) tentative_reads_.note(warp, pc, mask, addresses.at[std::countr_zero(mask)], bytes);
  if (target == nullptr) initialisation_.access_global(warp, mask, addresses, bytes, kind);
  strong_writes_ = accesses_.strong_writes();
  // Undecided stores are decided before the next instruction.
  looks_always_ = conflicts_.has_undecided_stores();
}
void Checker::constant_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                              std::size_t bytes, AccessKind kind) {
  initialisation_.access_global(warp, mask, addresses, bytes, kind);
}
void Checker::local_access(Warp& warp, std::uint32_t mask, const LaneAddresses& addresses,
                           std::size_t bytes, AccessKind kind) {
  initialisation_.local_access(warp, mask, addresses, bytes, kind);
}
void Checker::local_pointer(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  bounds_.local_pointer(warp, lane, address);
}

// --- asynchronous operations

Actor Checker::begin_async(Warp& warp) { return orders_.begin_async(warp); }
void Checker::async_access(Warp& warp, std::uint32_t lane, const Actor& actor,
                           std::uint64_t address, std::size_t bytes, bool write, bool proxy,
                           bool combines) {
  findings_.note_issuer(actor, warp.current_pc(), warp.index() * kWarpSize + lane);
  accesses_.async_access(warp, lane, actor, address, bytes, write, proxy, combines);
}
void Checker::use_tensor_map(Warp& warp, std::uint32_t lane, std::uint64_t address) {
  accesses_.use_tensor_map(warp, lane, address);
}
void Checker::ended_unawaited(Block& block, const AsyncOperation& operation) {
  lifetimes_.ended_unawaited(block, operation);
}

// --- mbarriers

void Checker::init_mbarrier(Warp& warp, std::uint32_t lane, Mbarrier& barrier) {
  mbarriers_.init(warp, lane, barrier);
}
void Checker::use_mbarrier(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                           std::uint32_t address) {
  mbarriers_.use(warp, lane, barrier, address);
}
void Checker::complete_on(Warp& warp, std::uint32_t lane, const Mbarrier& barrier,
                          std::uint32_t address) {
  mbarriers_.complete_on(warp, lane, barrier, address);
}
void Checker::arrive_at_mbarrier(Warp& warp, std::uint32_t lane, Block& owner, Mbarrier& barrier) {
  lifetimes_.arrive_at_mbarrier(warp, lane, owner);
  barrier.arriving.join(orders_.release(warp, 1u << lane));
}

// --- wgmma

Actor Checker::begin_wgmma(Warp& warp, const WgmmaStart& start) {
  return wgmma_.begin(warp, start);
}
void Checker::fence_wgmma(Warp& warp) { wgmma_.fence(warp); }
void Checker::commit_wgmma(Warp& warp) { wgmma_.commit(warp); }
void Checker::wait_wgmma(Warp& warp, std::uint32_t unfinished, std::uint32_t products) {
  wgmma_.wait(warp, unfinished, products);
}

// --- instructions and registers

void Checker::enter_function(Warp& warp, const Frame& frame) {
  values_.enter_function(warp, *frame.function);
  initialisation_.enter_function(warp, frame);
}

bool Checker::watches_registers(const Warp& warp) const {
  return !warp.block().checks()->registers[warp.index()].idle();
}

void Checker::step(Warp& warp, std::uint32_t pc, std::uint32_t active) {
  if (looks_always_) {
    conflicts_.decide_stores();
    looks_always_ = false;
  }
  if (!schedule_sensitive_.empty() && schedule_sensitive_[pc] && warp.mask() != 0)
    schedule_matters_ = true;
  RegisterChecks& checks = warp.block().checks()->registers[warp.index()];
  if (wgmma_.is_feeder(pc)) wgmma_.step_feeder(checks.wgmma, pc);
  if (checks.idle()) return;
  if (!checks.tentative.empty()) tentative_reads_.step(warp, checks.tentative, pc, active);
  if (!checks.wgmma.flights.empty()) wgmma_.step_flights(warp, checks.wgmma, pc);
  if (!checks.values.undefined.empty()) values_.step_undefined(warp, checks.values, pc, active);
  if (!checks.values.unwritten.empty()) values_.step_unwritten(warp, checks.values, pc, active);
}

void Checker::exchanged(Warp& warp, std::uint32_t pc, std::uint32_t members,
                        std::span<const std::uint8_t> source, std::uint32_t absent) {
  if (const std::uint32_t outside = warp.mask() & ~members; outside != 0)
    bounds_.outside_mask(warp, pc, outside, members);
  if (!source.empty()) values_.shuffled(warp, pc, source, absent);
}
void Checker::masks_differ(Warp& warp, std::uint32_t pc, std::uint32_t members, std::uint32_t named,
                           std::uint32_t theirs) {
  bounds_.masks_differ(warp, pc, members, named, theirs);
}

void Checker::report(FindingKind kind, Warp& warp, std::uint32_t lane, const std::string& what,
                     const std::string& message, const std::string& advice) {
  findings_.report(kind, warp, lane, what, message, advice);
}

}  // namespace warpwright::emu
