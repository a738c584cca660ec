#include "emu/exec/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "emu/exec/cluster.h"
#include "emu/exec/observer.h"
#include "emu/program/program.h"

namespace warpwright::emu {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return fmt::format("({},{},{})", v[0], v[1], v[2]);
}

}  // namespace

Block::Block(const LaunchContext& context, Cluster& cluster, std::uint32_t rank,
             LineProfile* profile, Observer* observer)
    : context_(&context), cluster_(&cluster), observer_(observer), rank_(rank) {
  shared_.resize(context.shared_bytes);
  const std::uint32_t warps = (context.threads_per_block + kWarpSize - 1) / kWarpSize;
  for (std::uint32_t i = 0; i < warps; ++i) {
    warps_.push_back(std::make_unique<Warp>(*this, *context.program, i));
    warps_.back()->count_into(profile);
  }
  order_.resize(warps);
}

void Block::start() {
  const auto& grid = context_->launch->grid;
  const auto& shape = context_->launch->cluster;
  const auto& at = cluster_->index();
  block_index_ = {at[0] * shape[0] + rank_ % shape[0],
                  at[1] * shape[1] + rank_ / shape[0] % shape[1],
                  at[2] * shape[2] + rank_ / shape[0] / shape[1]};
  linear_index_ =
      block_index_[0] +
      std::uint64_t{grid[0]} * (block_index_[1] + std::uint64_t{grid[1]} * block_index_[2]);
  std::fill(shared_.begin(), shared_.end(), std::byte{0});
  barriers_ = {};
  exited_ = 0;
  mbarriers_.clear();
  free_registers_ = 0;
  output_.clear();
  for (auto& warp : warps_) {
    warp->counters() = {};
    const std::uint32_t threads =
        std::min<std::uint32_t>(context_->threads_per_block - warp->index() * kWarpSize, 32);
    warp->reset(*context_->entry, threads == 32 ? kAllLanes : (1u << threads) - 1);
    warp->set_registers(context_->registers_per_thread);
  }
  std::iota(order_.begin(), order_.end(), 0u);
  if (observer_ != nullptr) observer_->start(*this);
}

void Block::shuffle_warps(const std::function<std::uint64_t(std::uint64_t)>& choose) {
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[choose(i)]);
}

std::uint32_t Block::run_warp(Warp& warp, std::uint32_t budget) {
  try {
    return warp.run(budget);
  } catch (const KernelFault& caught) {
    throw fault(caught.kind, caught.message, warp.current_pc(), warp.index(), caught.lane);
  }
}

bool Block::live() const {
  return std::any_of(warps_.begin(), warps_.end(),
                     [](const auto& warp) { return warp->state() != Warp::State::kExited; });
}

void Block::wake_at_mbarrier(std::uint32_t address) {
  for (auto& warp : warps_) warp->wake(Wait::kMbarrier, address);
}

void Block::end_cluster_phase() {
  for (auto& warp : warps_) {
    warp->clear_cluster_arrived();
    warp->wake(Wait::kCluster, 0);
  }
}

std::uint32_t Block::wgmma_of_group(const Warp& warp) const {
  const std::size_t first = warp.index() / kWarpgroupWarps * kWarpgroupWarps;
  std::uint32_t least = warp.wgmma().issued();
  for (std::size_t i = first; i < first + kWarpgroupWarps && i < warps_.size(); ++i)
    least = std::min(least, warps_[i]->wgmma().issued());
  return least;
}

void Block::wgmma_issued(const Warp& warp) {
  const std::size_t first = warp.index() / kWarpgroupWarps * kWarpgroupWarps;
  const std::uint32_t issued = wgmma_of_group(warp);
  for (std::size_t i = first; i < first + kWarpgroupWarps && i < warps_.size(); ++i) {
    for (const Group& group : warps_[i]->groups()) {
      if (group.wait != Wait::kWarpgroup || group.barrier > issued) continue;
      warps_[i]->wake(Wait::kWarpgroup, group.barrier);
      break;  // a wait takes the whole warp
    }
  }
}

bool Block::change_registers(Warp& warp, int registers) {
  const std::int64_t more = (std::int64_t{registers} - warp.registers()) * kWarpSize;
  if (more > free_registers_) return false;
  free_registers_ -= more;
  warp.set_registers(registers);
  if (more < 0) {
    for (auto& other : warps_) other->wake(Wait::kRegisters, 0);
  }
  return true;
}

std::uint64_t Block::instructions() const {
  std::uint64_t sum = 0;
  for (const auto& warp : warps_) sum += warp->instructions();
  return sum;
}

Counters Block::counters() const {
  Counters total;
  for (const auto& warp : warps_) {
    const WarpCounters& counters = warp->counters();
    total += counters.memory;
    add_tallies(total, counters.classes);
  }
  total.blocks = 1;
  return total;
}

void Block::arrive(Warp& warp, std::uint32_t id, std::uint32_t threads, bool blocking,
                   BarrierReduction reduction, std::uint32_t predicate) {
  if (id >= barriers_.size()) {
    throw KernelFault{FindingKind::kTrap,
                      fmt::format("barrier {} at {{place}}; a block has barriers 0 to 15", id)};
  }
  if (threads % kWarpSize != 0) {
    throw KernelFault{FindingKind::kTrap,
                      fmt::format("barrier {} expects {} threads at {{place}}; the count must be a "
                                  "multiple of {}",
                                  id, threads, kWarpSize)};
  }
  Barrier& barrier = barriers_[id];
  barrier.expected = threads != 0 ? threads : static_cast<std::uint32_t>(warps_.size()) * kWarpSize;
  barrier.of_block = threads == 0;
  // The warp that arrives last determines the reduction.
  if (observer_ != nullptr && barrier.contributed != 0 && barrier.reduction != reduction)
    observer_->schedule_matters();
  barrier.reduction = reduction;
  barrier.popc += static_cast<std::uint32_t>(std::popcount(predicate & warp.mask()));
  barrier.contributed += static_cast<std::uint32_t>(std::popcount(warp.mask()));
  // A warp counts once, as 32 threads, when all its live lanes have arrived; lanes may come one
  // branch at a time.
  if (blocking) {
    warp.wait_at_barrier(id);
    if (warp.lanes_at_barrier(id) == warp.live()) count_warp(warp, id, true);
  } else {
    std::uint32_t& passed = barrier.passed_lanes[warp.index()];
    passed |= warp.mask();
    if ((passed & warp.live()) == warp.live()) {
      passed = 0;
      count_warp(warp, id, false);
    }
  }
}

// A whole warp has arrived.
void Block::count_warp(Warp& warp, std::uint32_t id, bool waits) {
  Barrier& barrier = barriers_[id];
  if (observer_ != nullptr) observer_->arrive_at_barrier(warp, id);
  ++warp.counters().memory.barriers;
  barrier.arrived += kWarpSize;
  barrier.counted |= 1u << warp.index();
  if (waits) {
    if (!is_complete(barrier)) ++warp.counters().memory.barrier_waits;
    warp.mark_arrived(id);
    barrier.waiting.push_back(warp.index());
  }
  release_when_complete(id);
}

// The last expected warp releases all of them; so does an exit when no other warp is missing.
void Block::release_when_complete(std::uint32_t id) {
  Barrier& barrier = barriers_[id];
  if (!is_complete(barrier)) return;
  const Barrier complete = std::exchange(barrier, Barrier{});
  std::uint32_t reduced = complete.popc;
  if (complete.reduction == BarrierReduction::kAnd)
    reduced = complete.popc == complete.contributed ? kAllLanes : 0;
  if (complete.reduction == BarrierReduction::kOr) reduced = complete.popc != 0 ? kAllLanes : 0;
  std::copy(std::begin(complete.passed_lanes), std::end(complete.passed_lanes),
            std::begin(barrier.passed_lanes));
  if (observer_ != nullptr)
    observer_->complete_barrier(*this, id, complete.waiting, excused(complete));
  for (const std::uint32_t index : complete.waiting) warps_[index]->release_barrier(id, reduced);
}

// If the remaining lanes all wait at one barrier already, their warp has now arrived. A warp
// without live lanes may have been the last one that others waited for.
void Block::lanes_exited(Warp& warp) {
  cluster_->settle_barrier();
  if (warp.live() == 0) {
    exited_ |= 1u << warp.index();
    for (std::uint32_t id = 0; id < barriers_.size(); ++id) release_when_complete(id);
    const bool last = static_cast<std::size_t>(std::popcount(exited_)) == warps_.size();
    if (observer_ != nullptr && last) observer_->end_block(*this);
    return;
  }
  for (std::uint32_t id = 0; id < barriers_.size(); ++id) {
    const std::uint32_t lanes = warp.lanes_at_barrier(id);
    if (lanes != 0 && lanes == warp.live()) count_warp(warp, id, true);
  }
}

std::string Block::place(std::uint32_t pc) const {
  const Program& program = *context_->program;
  const SourceLine line = program.lines[pc];
  if (line.line == 0 || static_cast<std::size_t>(line.file) >= program.files.size()) {
    return fmt::format("`{}` (no line information)", program.opcodes[pc]);
  }
  return fmt::format("{}:{}", program.files[static_cast<std::size_t>(line.file)], line.line);
}

std::array<std::uint32_t, 3> Block::thread_index(std::uint32_t warp, std::uint32_t lane) const {
  const auto& shape = context_->launch->block;
  const std::uint32_t linear = warp * kWarpSize + lane;
  return {linear % shape[0], linear / shape[0] % shape[1], linear / shape[0] / shape[1]};
}

Finding Block::fault(FindingKind kind, std::string message, std::uint32_t pc, std::uint32_t warp,
                     std::uint32_t lane) const {
  Finding result;
  result.kind = kind;
  result.is_fault = true;
  FindingSide& here = result.here.emplace();
  here.block = block_index_;
  here.thread = thread_index(warp, lane);
  const Program& program = *context_->program;
  const SourceLine line = program.lines[pc];
  if (line.line != 0 && static_cast<std::size_t>(line.file) < program.files.size()) {
    here.where.file = program.files[static_cast<std::size_t>(line.file)];
    here.where.line = line.line;
    here.callers = callers_of(program, line);
  }
  const std::string who =
      fmt::format(", thread {} of block {}", triple(here.thread), triple(here.block));
  const auto placed = [&](std::string_view placeholder, const std::string& with) {
    std::string text = message;
    if (const std::size_t at = text.find(placeholder); at != std::string::npos)
      text.replace(at, placeholder.size(), with);
    return text;
  };
  result.message = placed("{place}", place(pc) + who);
  constexpr std::string_view kNamed = " at {place}";
  result.unplaced =
      message.find(kNamed) == std::string::npos ? result.message : placed(kNamed, who);
  return result;
}

}  // namespace warpwright::emu
