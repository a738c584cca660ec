#include "emu/exec/async.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "emu/exec/cluster.h"
#include "emu/exec/observer.h"

namespace warpwright::emu {
namespace {

// Under seed 1 an operation completes when every warp waits, or after this many instructions, so
// that a kernel that polls makes progress.
constexpr std::uint64_t kLate = 20000;

void fill(const Move& move) {
  for (std::uint32_t i = 0; i < move.bytes; ++i)
    move.to[i] = static_cast<std::byte>(move.fill >> (8 * (i % 4)));
}

}  // namespace

void AsyncEngine::clear() {
  operations_.clear();
  copies_.clear();
  arrivals_.clear();
  groups_.clear();
  next_due_ = kNever;
}

std::uint64_t AsyncEngine::due_time() {
  const LaunchContext& context = cluster_->block(0).context();
  std::uint64_t delay = kLate;
  if (context.seed != 1) {
    constexpr std::uint64_t kLongest[] = {1, 256, 4096, kLate};
    delay = cluster_->choose(kLongest[cluster_->choose(4)]);
  }
  const std::uint64_t due = cluster_->time() + delay;
  next_due_ = std::min(next_due_, due);
  return due;
}

AsyncEngine::WarpGroups& AsyncEngine::groups_of(Warp& warp) {
  Block& block = warp.block();
  const std::size_t index = block.rank() * block.warp_count() + warp.index();
  if (groups_.size() <= index) groups_.resize(cluster_->size() * block.warp_count());
  return groups_[index];
}

void AsyncEngine::issue(AsyncOperation operation) {
  operation.due = due_time();
  if (operation.grouped) {
    Block& block = cluster_->block(operation.rank);
    operation.group = groups_of(block.warp(operation.warp)).bulk[operation.lane];
  }
  operations_.push_back(std::move(operation));
}

void AsyncEngine::copy_lanes(LaneCopy copy) {
  copy.due = due_time();
  copy.groups = groups_of(cluster_->block(copy.rank).warp(copy.warp)).copies;
  copies_.push_back(copy);
}

// --- completion

// A store that has read its source keeps the bytes until it writes them.
void AsyncEngine::read(AsyncOperation& operation) {
  if (operation.is_read) return;
  operation.is_read = true;
  for (const Move& move : operation.moves) {
    if (move.from != nullptr)
      operation.staged.insert(operation.staged.end(), move.from, move.from + move.bytes);
  }
}

void AsyncEngine::complete(AsyncOperation& operation) {
  if (operation.is_done) return;
  operation.is_done = true;
  const std::byte* staged = operation.staged.data();
  for (const Move& move : operation.moves) {
    const std::byte* from = move.from;
    if (operation.is_read && from != nullptr) {
      from = staged;
      staged += move.bytes;
    }
    if (from == nullptr) {
      fill(move);
    } else if (operation.combine != nullptr) {
      operation.combine(move.to, from, move.bytes);
    } else {
      std::memmove(move.to, from, move.bytes);
    }
  }
  for (const AsyncOperation::Signal& signal : operation.signals) {
    Block& block = cluster_->block(signal.rank);
    Mbarrier* barrier = block.mbarriers().find(signal.address);
    if (barrier == nullptr) {
      throw cluster_->block(operation.rank)
          .fault(
              FindingKind::kTrap,
              fmt::format("an asynchronous copy issued at {{place}} completed on the mbarrier at "
                          "shared address {}, which is not initialised; init it before the copy "
                          "and keep it until the wait",
                          signal.address),
              operation.pc, operation.warp, operation.lane);
    }
    barrier->arriving.join(operation.done_published);
    if (Mbarriers::add_bytes(*barrier, -signal.bytes)) block.wake_at_mbarrier(signal.address);
  }
}

void AsyncEngine::complete(LaneCopy& copy, std::uint32_t lanes) {
  lanes &= copy.pending;
  copy.pending &= ~lanes;
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
    if (copy.read[lane] != 0) std::memcpy(copy.to[lane], copy.from[lane], copy.read[lane]);
    std::memset(copy.to[lane] + copy.read[lane], 0, copy.bytes - copy.read[lane]);
  }
}

void AsyncEngine::complete(const LateArrival& arrival) {
  Block& block = cluster_->block(arrival.rank);
  Mbarrier* barrier = block.mbarriers().find(arrival.address);
  for (LaneCopy& copy : copies_) {
    if (copy.rank != arrival.rank || copy.warp != arrival.warp) continue;
    complete(copy, 1u << arrival.lane);
    if (observer_ != nullptr && barrier != nullptr && (copy.unawaited >> arrival.lane & 1) != 0)
      observer_->publish(barrier->arriving, copy.actor, 1u << arrival.lane);
  }
  if (barrier == nullptr || barrier->missing == 0) {
    throw block.fault(
        FindingKind::kTrap,
        fmt::format("cp.async.mbarrier.arrive at {{place}} on the mbarrier at shared "
                    "address {}, which {}; check its init and its count",
                    arrival.address,
                    barrier == nullptr ? "is not initialised" : "expects no more arrivals"),
        arrival.pc, arrival.warp, arrival.lane);
  }
  if (Mbarriers::arrive(*barrier, 1)) block.wake_at_mbarrier(arrival.address);
}

void AsyncEngine::complete_due() {
  const std::uint64_t now = cluster_->time();
  if (now < next_due_) return;
  for (AsyncOperation& operation : operations_) {
    if (operation.due <= now) complete(operation);
  }
  for (LaneCopy& copy : copies_) {
    if (copy.due <= now) complete(copy, kAllLanes);
  }
  for (LateArrival& arrival : arrivals_) {
    if (arrival.due > now) continue;
    complete(arrival);
    arrival.due = kNever;
  }
  forget_finished();
}

// Operations that checkers may still need stay until their wait.
void AsyncEngine::forget_finished() {
  const bool checked = observer_ != nullptr;
  std::erase_if(operations_, [checked](const AsyncOperation& operation) {
    return operation.is_done && (!checked || !operation.grouped || operation.awaited == 2);
  });
  std::erase_if(copies_, [checked](const LaneCopy& copy) {
    return copy.pending == 0 && (!checked || copy.unawaited == 0);
  });
  std::erase_if(arrivals_, [](const LateArrival& arrival) { return arrival.due == kNever; });
  next_due_ = kNever;
  for (const AsyncOperation& operation : operations_) {
    if (!operation.is_done) next_due_ = std::min(next_due_, operation.due);
  }
  for (const LaneCopy& copy : copies_) {
    if (copy.pending != 0) next_due_ = std::min(next_due_, copy.due);
  }
  for (const LateArrival& arrival : arrivals_) next_due_ = std::min(next_due_, arrival.due);
}

bool AsyncEngine::complete_next() {
  if (next_due_ == kNever) return false;
  const std::uint64_t due = next_due_;
  const auto is_next = [due](const auto& work) { return work.due == due; };
  const auto operation = std::find_if(operations_.begin(), operations_.end(),
                                      [&](const auto& o) { return is_next(o) && !o.is_done; });
  const auto copy = std::find_if(copies_.begin(), copies_.end(),
                                 [&](const auto& c) { return is_next(c) && c.pending != 0; });
  const auto arrival = std::find_if(arrivals_.begin(), arrivals_.end(), is_next);
  if (operation != operations_.end()) {
    complete(*operation);
  } else if (copy != copies_.end()) {
    complete(*copy, kAllLanes);
  } else if (arrival != arrivals_.end()) {
    const LateArrival now = *arrival;
    arrivals_.erase(arrival);
    complete(now);
  }
  forget_finished();
  return true;
}

void AsyncEngine::finish() {
  for (AsyncOperation& operation : operations_) {
    if (observer_ != nullptr && operation.grouped && operation.awaited == 0)
      observer_->ended_unawaited(cluster_->block(operation.rank), operation);
    complete(operation);
  }
  for (LaneCopy& copy : copies_) complete(copy, kAllLanes);
  clear();
}

// --- groups

void AsyncEngine::commit_copies(Warp& warp) {
  WarpGroups& groups = groups_of(warp);
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1)
    ++groups.copies[static_cast<std::size_t>(std::countr_zero(left))];
}

void AsyncEngine::commit_bulk(Warp& warp) {
  WarpGroups& groups = groups_of(warp);
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1)
    ++groups.bulk[static_cast<std::size_t>(std::countr_zero(left))];
}

void AsyncEngine::await(LaneCopy& copy, Warp& warp, std::uint32_t lanes) {
  complete(copy, lanes);
  if (observer_ != nullptr && (copy.unawaited & lanes) != 0)
    observer_->acquire_copies(warp, copy.actor, copy.unawaited & lanes);
  copy.unawaited &= ~lanes;
}

void AsyncEngine::wait_copies(Warp& warp, std::uint32_t unfinished) {
  if (copies_.empty()) return;
  const WarpGroups& groups = groups_of(warp);
  const std::uint32_t rank = warp.block().rank();
  for (LaneCopy& copy : copies_) {
    if (copy.rank != rank || copy.warp != warp.index()) continue;
    std::uint32_t lanes = 0;
    for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(left));
      if (std::uint64_t{copy.groups[lane]} + unfinished < groups.copies[lane]) lanes |= 1u << lane;
    }
    if (lanes != 0) await(copy, warp, lanes);
  }
  forget_finished();
}

void AsyncEngine::wait_all_copies(Warp& warp) {
  const std::uint32_t rank = warp.block().rank();
  for (LaneCopy& copy : copies_) {
    if (copy.rank == rank && copy.warp == warp.index()) await(copy, warp, warp.mask());
  }
  forget_finished();
}

void AsyncEngine::wait_bulk(Warp& warp, std::uint32_t unfinished, bool reads_only) {
  const WarpGroups& groups = groups_of(warp);
  const std::uint32_t rank = warp.block().rank();
  for (AsyncOperation& operation : operations_) {
    if (!operation.grouped || operation.rank != rank || operation.warp != warp.index()) continue;
    if ((warp.mask() >> operation.lane & 1) == 0) continue;
    if (std::uint64_t{operation.group} + unfinished >= groups.bulk[operation.lane]) continue;
    if (reads_only) {
      if (!operation.is_done) read(operation);
    } else {
      complete(operation);
    }
    operation.awaited = std::max(operation.awaited, reads_only ? 1 : 2);
    if (observer_ != nullptr)
      observer_->acquire(warp, 1u << operation.lane,
                         reads_only ? operation.read_published : operation.done_published);
  }
  forget_finished();
}

void AsyncEngine::arrive_after_copies(Warp& warp, std::uint32_t lane, std::uint32_t address) {
  arrivals_.push_back(
      {due_time(), warp.block().rank(), warp.index(), lane, warp.current_pc(), address});
}

}  // namespace warpwright::emu
