#include "emu/block.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace warpwright::emu {
namespace {

// Long enough that a warp's registers stay in the host's first-level cache, short enough for
// spinning warps.
constexpr std::uint32_t kSlice = 8192;

// The seeded choices only need to differ from block to block.
std::uint64_t mix(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::string triple(const std::array<std::uint32_t, 3>& v) {
  return fmt::format("({},{},{})", v[0], v[1], v[2]);
}

}  // namespace

Block::Block(const LaunchContext& context, LineProfile* profile) : context_(&context) {
  shared_.resize(context.shared_bytes);
  const std::uint32_t warps = (context.threads_per_block + kWarpSize - 1) / kWarpSize;
  for (std::uint32_t i = 0; i < warps; ++i) {
    warps_.push_back(std::make_unique<Warp>(*this, *context.program, i));
    warps_.back()->count_into(profile);
  }
  order_.resize(warps);
}

void Block::start(std::uint64_t linear_index) {
  linear_index_ = linear_index;
  const auto& grid = context_->launch->grid;
  block_index_ = {static_cast<std::uint32_t>(linear_index % grid[0]),
                  static_cast<std::uint32_t>(linear_index / grid[0] % grid[1]),
                  static_cast<std::uint32_t>(linear_index / grid[0] / grid[1])};
  std::fill(shared_.begin(), shared_.end(), std::byte{0});
  barriers_ = {};
  output_.clear();
  for (auto& warp : warps_) {
    warp->counters() = {};
    const std::uint32_t threads =
        std::min<std::uint32_t>(context_->threads_per_block - warp->index() * kWarpSize, 32);
    warp->reset(*context_->entry, threads == 32 ? kAllLanes : (1u << threads) - 1);
  }
  std::iota(order_.begin(), order_.end(), 0u);
  // Seed 1 keeps the natural order, which is the easiest to follow in a debugger.
  if (context_->seed != 1) {
    std::uint64_t state = mix(context_->seed ^ mix(linear_index));
    for (std::size_t i = order_.size(); i > 1; --i)
      std::swap(order_[i - 1], order_[(state = mix(state)) % i]);
  }
  turn_ = 0;
}

// Round-robin over the warps that can run, a slice each. Slices end early at barriers, so warps
// meet there; when nobody can run and somebody has not exited, nobody ever will.
Block::Status Block::run(std::uint64_t budget) {
  for (;;) {
    std::size_t exited = 0;
    bool progress = false;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      Warp& warp = *warps_[order_[(turn_ + i) % order_.size()]];
      if (warp.state() == Warp::State::kExited) ++exited;
      if (warp.state() != Warp::State::kRunnable) continue;
      progress = true;
      std::uint32_t left = 0;
      try {
        left = warp.run(kSlice);
      } catch (const KernelFault& caught) {
        throw fault(caught.kind, caught.message, warp.current_pc(), warp.index(), caught.lane);
      }
      const std::uint64_t used = kSlice - left;
      if (used >= budget) {
        turn_ = (turn_ + i + 1) % order_.size();
        return Status::kSliceOver;
      }
      budget -= used;
    }
    turn_ = 0;
    if (exited == order_.size()) return Status::kDone;
    if (!progress) deadlock();
  }
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
    throw KernelFault{FaultKind::kTrap,
                      fmt::format("barrier {} at {{place}}; a block has barriers 0 to 15", id)};
  }
  if (threads % kWarpSize != 0) {
    throw KernelFault{FaultKind::kTrap,
                      fmt::format("barrier {} expects {} threads at {{place}}; the count must be a "
                                  "multiple of {}",
                                  id, threads, kWarpSize)};
  }
  Barrier& barrier = barriers_[id];
  barrier.expected = threads != 0 ? threads : static_cast<std::uint32_t>(warps_.size()) * kWarpSize;
  barrier.reduction = reduction;
  barrier.popc += static_cast<std::uint32_t>(std::popcount(predicate & warp.mask()));
  barrier.contributed += static_cast<std::uint32_t>(std::popcount(warp.mask()));
  // A warp counts once, as 32 threads, when all its live lanes are there; lanes may come one branch
  // at a time.
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

// A whole warp has arrived; the last one expected lets all of them go.
void Block::count_warp(Warp& warp, std::uint32_t id, bool waits) {
  Barrier& barrier = barriers_[id];
  ++warp.counters().memory.barriers;
  if (waits && barrier.arrived + kWarpSize < barrier.expected)
    ++warp.counters().memory.barrier_waits;
  barrier.arrived += kWarpSize;
  if (waits) {
    warp.mark_arrived(id);
    barrier.waiting.push_back(warp.index());
  }
  if (barrier.arrived < barrier.expected) return;
  const Barrier complete = std::exchange(barrier, Barrier{});
  std::uint32_t reduced = complete.popc;
  if (complete.reduction == BarrierReduction::kAnd)
    reduced = complete.popc == complete.contributed ? kAllLanes : 0;
  if (complete.reduction == BarrierReduction::kOr) reduced = complete.popc != 0 ? kAllLanes : 0;
  std::copy(std::begin(complete.passed_lanes), std::end(complete.passed_lanes),
            std::begin(barrier.passed_lanes));
  for (const std::uint32_t index : complete.waiting) warps_[index]->release_barrier(id, reduced);
}

// The lanes left over may all be waiting at one barrier already: then their warp has arrived.
void Block::lanes_exited(Warp& warp) {
  if (warp.live() == 0) return;
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

// Replaces {place} in a message by line, thread and block, and fills the fault's own fields.
LaunchFault Block::fault(FaultKind kind, std::string message, std::uint32_t pc, std::uint32_t warp,
                         std::uint32_t lane) const {
  LaunchFault result;
  result.kind = kind;
  result.block = block_index_;
  result.thread = thread_index(warp, lane);
  const Program& program = *context_->program;
  const SourceLine line = program.lines[pc];
  if (line.line != 0 && static_cast<std::size_t>(line.file) < program.files.size()) {
    result.file = program.files[static_cast<std::size_t>(line.file)];
    result.line = line.line;
  }
  const std::string where = fmt::format("{}, thread {} of block {}", place(pc),
                                        triple(result.thread), triple(result.block));
  if (const std::size_t at = message.find("{place}"); at != std::string::npos)
    message.replace(at, 7, where);
  result.message = std::move(message);
  return result;
}

LaunchFault Block::fault_at_first_warp(FaultKind kind, const std::string& what) const {
  for (const auto& warp : warps_) {
    if (warp->state() == Warp::State::kExited) continue;
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp->live()));
    return fault(kind, what, warp->current_pc(), warp->index(), lane);
  }
  return fault(kind, what, context_->entry->first_pc, 0, 0);
}

// One clause of a deadlock message.
std::string Block::describe_wait(const Group& group) const {
  const std::uint32_t lanes = group.mask;
  switch (group.wait) {
    case Wait::kBarrier: {
      const Barrier& barrier = barriers_[group.barrier];
      const std::string partial =
          group.arrived
              ? ""
              : fmt::format(" with lanes {:#010x} only, so the warp has not arrived", lanes);
      return fmt::format("waits at barrier {} ({}), where {} of {} threads have arrived{}",
                         group.barrier, place(group.pc), barrier.arrived, barrier.expected,
                         partial);
    }
    case Wait::kSync:
      return fmt::format("lanes {:#010x} wait at `{}` ({}) for the lanes {:#010x} of its mask",
                         lanes, context_->program->opcodes[group.pc], place(group.pc),
                         group.members & ~lanes);
    case Wait::kNone:
      break;
  }
  return "can run";
}

// Every live warp waits: says what for, warps in the same position once.
void Block::deadlock() {
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> positions;
  const Warp* first = nullptr;
  for (const auto& warp : warps_) {
    std::string text;
    if (warp->state() == Warp::State::kExited) {
      text = "exited";
    } else {
      if (first == nullptr) first = warp.get();
      for (const Group& group : warp->groups())
        text += (text.empty() ? "" : " and ") + describe_wait(group);
    }
    const auto same = std::find_if(positions.begin(), positions.end(),
                                   [&](const auto& p) { return p.first == text; });
    if (same == positions.end()) {
      positions.push_back({text, {warp->index()}});
    } else {
      same->second.push_back(warp->index());
    }
  }
  std::string message = "deadlock at {place}: ";
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto& [text, warps] = positions[i];
    message += fmt::format("{}warp{} {} {}", i == 0 ? "" : "; ", warps.size() == 1 ? "" : "s",
                           fmt::join(warps, ","), text);
  }
  message +=
      "; every thread that a barrier counts must reach it, so move it out of the branch or the "
      "early return";
  const Group& group = first->groups().front();
  throw fault(FaultKind::kDeadlock, message, group.pc, first->index(),
              static_cast<std::uint32_t>(std::countr_zero(group.mask)));
}

}  // namespace warpwright::emu
