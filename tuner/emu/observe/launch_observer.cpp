#include "emu/observe/launch_observer.h"

#include <algorithm>
#include <bit>

#include "emu/exec/address.h"
#include "emu/exec/block.h"
#include "emu/exec/cluster.h"
#include "emu/exec/memory.h"
#include "emu/observe/summary.h"

namespace warpwright::emu {
namespace {

using Event = InstructionKind::Event;

// The operand A of a warp in a wgmma is 32 pieces; those after it are of operand B, which the four
// warps of a warpgroup read together.
constexpr std::size_t kPiecesOfA = 32;
constexpr std::uint32_t kWarpsOfGroup = 4;

// The bytes that the lanes of one request access, as ascending ranges that do not overlap.
class RequestBytes {
 public:
  RequestBytes(std::uint32_t mask, const LaneAddresses& addresses, std::size_t bytes) {
    for (std::uint32_t left = mask; left != 0; left &= left - 1) {
      const std::uint64_t first = addresses.at[std::countr_zero(left)];
      sorted_ = sorted_ && (count_ == 0 || first >= ranges_[count_ - 1].first);
      if (sorted_ && count_ != 0 && first <= ranges_[count_ - 1].end) {
        ranges_[count_ - 1].end = std::max(ranges_[count_ - 1].end, first + bytes);
      } else {
        ranges_[count_++] = {first, first + bytes};
      }
    }
    if (!sorted_) merge();
  }
  [[nodiscard]] const ByteRange* begin() const { return ranges_.data(); }
  [[nodiscard]] const ByteRange* end() const { return ranges_.data() + count_; }

 private:
  void merge() {
    std::sort(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(count_),
              [](const ByteRange& a, const ByteRange& b) { return a.first < b.first; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < count_; ++i) {
      if (ranges_[i].first <= ranges_[last].end) {
        ranges_[last].end = std::max(ranges_[last].end, ranges_[i].end);
      } else {
        ranges_[++last] = ranges_[i];
      }
    }
    count_ = last + 1;
  }

  std::array<ByteRange, kWarpSize> ranges_;
  std::size_t count_ = 0;
  bool sorted_ = true;
};

void add_access(BufferRecord& to, std::uint64_t first, std::uint64_t end, bool reads, bool writes) {
  if (reads) {
    to.read_bytes.add(first, end);
    to.read += end - first;
  }
  if (writes) {
    to.written_bytes.add(first, end);
    to.written += end - first;
  }
  to.atomics = to.atomics || (reads && writes);
}

void note_fill(MbarrierRecord& barrier, std::uint64_t phase) {
  if (barrier.last_filled == phase) return;
  barrier.last_filled = phase;
  ++barrier.fills;
}

}  // namespace

LaunchObserver::LaunchObserver(const LaunchContext& context)
    : context_(&context),
      kinds_(instruction_kinds(*context.program)),
      sites_(*context.program, *context.entry) {
  looked_at_.assign(context.program->code.size(), 1);
  observation_.shared_bytes = context.shared_bytes;
}

std::shared_ptr<const Observation> LaunchObserver::take() {
  observation_.buffers = summarise_buffers(*context_, buffers_);
  buffers_.clear();
  running_.clear();
  last_block_ = nullptr;
  return std::make_shared<const Observation>(std::move(observation_));
}

// --- blocks

LaunchObserver::Running& LaunchObserver::running(const Block& block) {
  if (last_block_ != &block) {
    last_running_ = &running_.at(&block);
    last_block_ = &block;
  }
  return *last_running_;
}

void LaunchObserver::start(Block& block) {
  Running& now = running_[&block];
  now = {};
  now.record = std::make_unique<BlockRecord>(block.warp_count(), context_->program->code.size(),
                                             context_->shared_bytes);
  last_block_ = nullptr;
}

void LaunchObserver::end_block(Block& block) {
  Running& now = running(block);
  BlockRecord& done = *now.record;
  for (std::size_t w = 0; w < done.warps.size(); ++w) {
    close_batch(done, static_cast<std::uint8_t>(w));
    if (block.warp(w).registers() != context_->registers_per_thread)
      done.warps[w].registers = block.warp(w).registers();
  }
  done.phase().until_end = true;
  for (const auto& [address, barrier] : block.mbarriers().all())
    take_phases(done, address, barrier);
  std::uint64_t instructions = 0;
  for (const WarpRecord& warp : done.warps) instructions += warp.activities.total();
  const bool first = observation_.blocks++ == 0;
  const BlockObservation& kept = observation_.block;
  const bool keep = first || instructions > observation_.most_instructions;
  // Clusters may end in another order than they start.
  const auto reversed = [](const std::array<std::uint32_t, 3>& index) {
    return std::array{index[2], index[1], index[0]};
  };
  const bool earlier = instructions == observation_.most_instructions &&
                       reversed(block.block_index()) < reversed(kept.index);
  observation_.least_instructions =
      first ? instructions : std::min(observation_.least_instructions, instructions);
  observation_.most_instructions = std::max(observation_.most_instructions, instructions);
  if (keep || earlier) {
    observation_.block = summarise_block(*context_, sites_, done);
    observation_.block.index = block.block_index();
    observation_.block.instructions = instructions;
  }
}

// --- instructions

void LaunchObserver::count(Warp& warp, std::uint32_t pc, Activity activity, int change) {
  BlockRecord& block = record(warp.block());
  WarpRecord& one = block.warps[warp.index()];
  one.executed[pc] += static_cast<std::uint32_t>(change);
  if (kinds_[pc].by_access) return;
  one.activities[activity] += static_cast<std::uint64_t>(change);
  block.phase().activities[activity] += static_cast<std::uint64_t>(change);
}

void LaunchObserver::count_access(Warp& warp, Activity activity) {
  if (access_counted_) return;
  access_counted_ = true;
  BlockRecord& block = record(warp.block());
  ++block.warps[warp.index()].activities[activity];
  ++block.phase().activities[activity];
}

void LaunchObserver::step(Warp& warp, std::uint32_t pc, std::uint32_t /*active*/) {
  access_counted_ = wait_counted_ = copies_begun_ = false;
  named_.clear();
  const InstructionKind& kind = kinds_[pc];
  if (warp.mask() == 0 || !kind.counts) return;
  count(warp, pc, kind.activity);
  if (kind.event == Event::kCloseCopies) {
    close_batch(record(warp.block()), static_cast<std::uint8_t>(warp.index()));
  } else if (kind.event == Event::kClusterWait) {
    record(warp.block())
        .cluster_barrier.waits.add(static_cast<std::uint8_t>(warp.index()), sites_.of(pc));
  }
}

void LaunchObserver::executes_again(Warp& warp, std::uint32_t pc) {
  count(warp, pc, kinds_[pc].activity, -1);
  if (kinds_[pc].event == Event::kClusterWait)
    --record(warp.block())
          .cluster_barrier.waits.by_warp[static_cast<std::uint8_t>(warp.index())]
          .count;
}

void LaunchObserver::executed_with_others(Warp& warp, std::uint32_t pc) {
  count(warp, pc, kinds_[pc].activity);
}

// --- barriers

std::uint8_t LaunchObserver::number_in(const Warp& warp, const Block& block) {
  return &warp.block() == &block ? static_cast<std::uint8_t>(warp.index()) : kForeignWarp;
}

// Lanes may have arrived one branch at a time: the first group that waits names the place.
void LaunchObserver::arrive_at_barrier(Warp& warp, std::uint32_t id) {
  std::uint32_t pc = warp.current_pc();
  for (const Group& group : warp.groups()) {
    if (group.wait != Wait::kBarrier || group.barrier != id || group.arrived) continue;
    pc = group.pc;
    break;
  }
  Running& now = running(warp.block());
  now.arrivals[id].push_back({static_cast<std::uint8_t>(warp.index()), sites_.of(pc)});
  now.expected[id] = warp.block().barrier_progress(id).second;
}

void LaunchObserver::complete_barrier(Block& block, std::uint32_t id,
                                      const std::vector<std::uint32_t>& waiting,
                                      std::uint32_t exited) {
  Running& now = running(block);
  const std::size_t present = waiting.size() + static_cast<std::size_t>(std::popcount(exited));
  const bool of_block = present == block.warp_count();
  std::map<std::uint8_t, std::uint32_t> site_of;
  Sites sites;
  for (const PendingArrival& arrival : now.arrivals[id]) {
    site_of[arrival.warp] = arrival.site;
    sites.insert(arrival.site);
  }
  BarrierRecord& barrier = now.record->barriers[BarrierKey{
      of_block, id, now.expected[id], of_block && !sites.empty() ? *sites.begin() : 0}];
  ++barrier.completions;
  for (const PendingArrival& arrival : now.arrivals[id])
    barrier.arrivals.add(arrival.warp, arrival.site);
  for (const std::uint32_t warp : waiting) {
    const auto number = static_cast<std::uint8_t>(warp);
    barrier.waits.add(number, site_of[number]);
  }
  now.arrivals[id].clear();
  if (of_block) begin_phase(now, sites);
}

void LaunchObserver::begin_phase(Running& block, const Sites& sites) {
  std::vector<PhaseRecord>& phases = block.record->phases;
  block.record->phase().until.insert(sites.begin(), sites.end());
  const auto known = std::find_if(phases.begin() + 1, phases.end(),
                                  [&](const PhaseRecord& phase) { return phase.after == sites; });
  block.record->current_phase = static_cast<std::uint32_t>(known - phases.begin());
  if (known == phases.end()) phases.emplace_back().after = sites;
  ++block.record->phase().times;
}

void LaunchObserver::arrive_at_cluster(Warp& warp) {
  record(warp.block())
      .cluster_barrier.arrivals.add(static_cast<std::uint8_t>(warp.index()),
                                    sites_.of(warp.current_pc()));
}

void LaunchObserver::complete_cluster(Block& block) {
  Cluster& cluster = block.cluster();
  for (std::size_t rank = 0; rank < cluster.size(); ++rank)
    ++record(cluster.block(rank)).cluster_barrier.completions;
}

// --- accesses

void LaunchObserver::access_global(Warp& warp, std::uint64_t first, std::uint64_t end, bool reads,
                                   bool writes) {
  const Allocation* allocation = context_->memory->find(first, end - first);
  if (allocation == nullptr) return;
  const std::uint64_t from = first - allocation->address;
  const std::uint64_t to = end - allocation->address;
  BlockRecord& block = record(warp.block());
  add_access(buffers_[allocation->address], from, to, reads, writes);
  add_access(block.buffers[allocation->address], from, to, reads, writes);
  if (reads) block.phase().global_read += end - first;
  if (writes) block.phase().global_written += end - first;
}

void LaunchObserver::access_shared(Warp& warp, Block& target, std::uint64_t first,
                                   std::uint64_t end, Way way, bool counted) {
  PhaseRecord& phase = record(warp.block()).phase();
  if (counted && way != Way::kMbarrier) {
    if (writes(way)) phase.shared_written += end - first;
    if (!writes(way) || way == Way::kAtomic) phase.shared_read += end - first;
  }
  BlockRecord& block = record(target);
  block.shared.access(first, end, {block.current_phase, way, number_in(warp, target)}, counted);
}

void LaunchObserver::access(Warp& warp, Block* target, std::uint32_t mask,
                            const LaneAddresses& addresses, std::size_t bytes, AccessKind kind) {
  const InstructionKind& instruction = kinds_[warp.current_pc()];
  const bool reads = kind == AccessKind::kLoad || kind == AccessKind::kAtomic;
  const bool writes = kind == AccessKind::kStore || kind == AccessKind::kAtomic;
  if (writes) ++strong_writes_;
  const RequestBytes request(mask, addresses, bytes);
  if (target == nullptr) {
    if (instruction.by_access)
      count_access(warp, kind == AccessKind::kLoad    ? Activity::kGlobalLoad
                         : kind == AccessKind::kStore ? Activity::kGlobalStore
                                                      : Activity::kGlobalAtomic);
    for (const ByteRange& range : request)
      access_global(warp, range.first, range.end, reads, writes);
    return;
  }
  Way way = kind == AccessKind::kLoad    ? Way::kLoad
            : kind == AccessKind::kStore ? Way::kStore
                                         : Way::kAtomic;
  Activity activity = kind == AccessKind::kLoad    ? Activity::kSharedLoad
                      : kind == AccessKind::kStore ? Activity::kSharedStore
                                                   : Activity::kSharedAtomic;
  if (instruction.matrix) {
    way = writes ? Way::kMatrixStore : Way::kMatrixLoad;
    activity = writes ? Activity::kMatrixStore : Activity::kMatrixLoad;
  }
  if (instruction.by_access) count_access(warp, activity);
  for (const ByteRange& range : request)
    access_shared(warp, *target, range.first, range.end, way, true);
}

void LaunchObserver::local_access(Warp& warp, std::uint32_t, const LaneAddresses&, std::size_t,
                                  AccessKind) {
  if (kinds_[warp.current_pc()].by_access) count_access(warp, Activity::kLocal);
}

// --- asynchronous operations

// The mbarriers of a copy are named before it begins.
Actor LaunchObserver::begin_async(Warp&) {
  copies_begun_ = true;
  return {};
}

Actor LaunchObserver::begin_wgmma(Warp&, const WgmmaStart& start) {
  wgmma_reads_ = 0;
  a_in_shared_ = start.a != 0;
  return {};
}

void LaunchObserver::async_access(Warp& warp, std::uint32_t /*lane*/, const Actor&,
                                  std::uint64_t address, std::size_t bytes, bool write,
                                  bool /*proxy*/, bool combines) {
  if (space_of_generic(address) != Space::kShared) {
    access_global(warp, address, address + bytes, !write || combines, write);
    if (write) ++strong_writes_;
    return;
  }
  const std::uint64_t tag = (address & ~kWindowMask) >> kClusterTagShift & 0xff;
  Block& target = tag == 0 ? warp.block() : warp.block().cluster().block(tag - 1);
  const std::uint64_t first = address & kSharedOffsetMask;
  const Activity activity = kinds_[warp.current_pc()].activity;
  bool counted = true;
  Way way = Way::kBulkLoad;
  if (activity == Activity::kTensor) {
    way = Way::kWgmma;
    const bool of_b = !a_in_shared_ || wgmma_reads_ >= kPiecesOfA;
    counted = !of_b || warp.index() % kWarpsOfGroup == 0;
    ++wgmma_reads_;
  } else if (activity == Activity::kCpAsync) {
    way = Way::kCpAsync;
    record(warp.block()).warps[warp.index()].open_copies.add(first, first + bytes);
  } else if (activity == Activity::kAsyncStore) {
    way = Way::kAsyncStore;
  } else if (!write) {
    way = Way::kBulkStore;
  }
  access_shared(warp, target, first, first + bytes, way, counted);
  if (!write) return;
  for (const NamedMbarrier& named : named_) {
    if (named.owner != &target) continue;
    MbarrierRecord& barrier = record(target).mbarriers[named.address];
    barrier.targets.add(first, first + bytes);
    barrier.copied_bytes += bytes;
    barrier.copied_by = activity;
    note_fill(barrier, named.barrier->phase);
    if (number_in(warp, target) == kForeignWarp) {
      barrier.foreign_copies = true;
    } else {
      barrier.copiers |= 1u << warp.index();
    }
    break;
  }
}

void LaunchObserver::close_batch(BlockRecord& block, std::uint8_t warp) {
  WarpRecord& one = block.warps[warp];
  if (one.open_copies.empty()) return;
  if (block.batches.size() <= one.batches) block.batches.resize(one.batches + 1);
  CopyBatch& batch = block.batches[one.batches++];
  batch.targets.add(one.open_copies.get());
  batch.warps |= 1u << warp;
  one.open_copies = {};
}

// --- mbarriers

Block* LaunchObserver::owner_of(Warp& warp, const Mbarrier& barrier, std::uint32_t* address) {
  Cluster& cluster = warp.block().cluster();
  for (std::size_t rank = 0; rank < cluster.size(); ++rank) {
    for (auto& [at, object] : cluster.block(rank).mbarriers().all()) {
      if (&object != &barrier) continue;
      *address = at;
      return &cluster.block(rank);
    }
  }
  return nullptr;
}

void LaunchObserver::take_phases(BlockRecord& block, std::uint32_t address,
                                 const Mbarrier& barrier) {
  block.mbarriers[address].ended_phases += barrier.phase;
}

void LaunchObserver::init_mbarrier(Warp& warp, std::uint32_t, Mbarrier& barrier) {
  std::uint32_t address = 0;
  Block* owner = owner_of(warp, barrier, &address);
  if (owner == nullptr) return;
  MbarrierRecord& object = record(*owner).mbarriers[address];
  object.expected = barrier.expected;
  object.init_site = sites_.of(warp.current_pc());
  access_shared(warp, *owner, address, address + sizeof(std::uint64_t), Way::kMbarrier, true);
}

void LaunchObserver::use_mbarrier(Warp& warp, std::uint32_t, const Mbarrier& barrier,
                                  std::uint32_t address) {
  if (copies_begun_) {  // of another lane of the same instruction
    copies_begun_ = false;
    named_.clear();
  }
  if (named_.empty() || named_.back().barrier != &barrier) {
    Block* owner = nullptr;
    std::uint32_t found = 0;
    if (warp.block().mbarriers().find(address) == &barrier) {
      owner = &warp.block();
    } else {
      owner = owner_of(warp, barrier, &found);
    }
    if (owner == nullptr) return;
    named_.push_back({owner, address, &barrier});
  }
  if (kinds_[warp.current_pc()].event == Event::kMbarrierEnd)
    take_phases(record(*named_.back().owner), address, barrier);
}

// Only a wait that is over acquires what its mbarrier has collected.
void LaunchObserver::acquire(Warp& warp, std::uint32_t, const Knowledge&) {
  const std::uint32_t pc = warp.current_pc();
  if (kinds_[pc].event != Event::kMbarrierWait || named_.empty() || wait_counted_) return;
  wait_counted_ = true;
  const NamedMbarrier& named = named_.back();
  record(*named.owner)
      .mbarriers[named.address]
      .waits.add(number_in(warp, *named.owner), sites_.of(pc));
}

void LaunchObserver::arrive_at_mbarrier(Warp& warp, std::uint32_t, Block& owner,
                                        Mbarrier& barrier) {
  if (named_.empty() || named_.back().barrier != &barrier) return;
  const std::uint32_t pc = warp.current_pc();
  const std::uint8_t number = number_in(warp, owner);
  MbarrierRecord& object = record(owner).mbarriers[named_.back().address];
  object.arrivals.add(number, sites_.of(pc));
  if (kinds_[pc].event != Event::kCopiesArrive || number == kForeignWarp) return;
  ByteRanges& open = record(owner).warps[number].open_copies;
  if (open.empty()) return;
  for (const ByteRange& range : open.get()) {
    object.targets.add(range.first, range.end);
    object.copied_bytes += range.end - range.first;
  }
  object.copied_by = Activity::kCpAsync;
  note_fill(object, barrier.phase);
  object.copiers |= 1u << number;
  open = {};
}

}  // namespace warpwright::emu
