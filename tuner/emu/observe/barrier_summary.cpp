#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "emu/observe/summary.h"

namespace warpwright::emu {
namespace {

std::vector<Crossing> by_role(const std::vector<const WarpCrossings*>& all,
                              const RoleOfWarp& role_of, const SourceSites& sites) {
  std::map<std::size_t, WarpCrossings::One> roles;
  for (const WarpCrossings* crossings : all) {
    for (const auto& [warp, one] : crossings->by_warp) {
      if (one.count == 0) continue;
      WarpCrossings::One& role = roles[role_of[warp]];
      role.count += one.count;
      role.sites.insert(one.sites.begin(), one.sites.end());
    }
  }
  std::vector<Crossing> found;
  for (const auto& [role, one] : roles)
    found.push_back({role, one.count, sites.locations(one.sites)});
  return found;
}

std::uint64_t length_of(const std::vector<ByteRange>& ranges) {
  std::uint64_t sum = 0;
  for (const ByteRange& range : ranges) sum += range.end - range.first;
  return sum;
}

bool overlap(const std::vector<ByteRange>& a, const std::vector<ByteRange>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first < b[j].end && b[j].first < a[i].end) return true;
    if (a[i].end <= b[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return false;
}

// Adds what one batch filled; places that overlap are one stage.
void add_stage(std::vector<CopyBuffer::Stage>& stages, const std::vector<ByteRange>& ranges,
               std::uint64_t fills) {
  CopyBuffer::Stage whole{ranges, 0, fills};
  for (std::size_t i = 0; i < stages.size();) {
    if (!overlap(stages[i].ranges, whole.ranges)) {
      ++i;
      continue;
    }
    ByteRanges both;
    both.add(whole.ranges);
    both.add(stages[i].ranges);
    whole.ranges = both.get();
    whole.fills += stages[i].fills;
    stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;
  }
  stages.push_back(std::move(whole));
}

void finish(CopyBuffer& buffer) {
  for (CopyBuffer::Stage& stage : buffer.stages) stage.bytes = length_of(stage.ranges);
  std::sort(buffer.stages.begin(), buffer.stages.end(), [](const auto& a, const auto& b) {
    return a.ranges.front().first < b.ranges.front().first;
  });
}

void add_issuers(std::set<std::size_t>& roles, std::uint32_t warps, const RoleOfWarp& role_of) {
  for (std::uint32_t left = warps; left != 0; left &= left - 1)
    roles.insert(role_of[static_cast<std::uint8_t>(std::countr_zero(left))]);
}

// Objects of one array that were initialised at one place with one count are used alike, unless
// copies complete on some of them only, or fill places of different sizes. Those that were never
// used belong to the group before them.
struct MbarrierGroup {
  std::uint32_t expected = 0;
  std::uint32_t init_site = 0;
  const SharedSymbol* symbol = nullptr;
  std::uint64_t filled_bytes = 0;  // of the place that copies fill; 0 without copies
  bool used = false;
  std::vector<std::pair<std::uint32_t, MbarrierRecord*>> objects;
};

std::vector<MbarrierGroup> group_mbarriers(BlockRecord& block,
                                           const std::vector<SharedSymbol>& symbols) {
  std::vector<MbarrierGroup> groups;
  for (auto& [address, object] : block.mbarriers) {
    const SharedSymbol* symbol = symbol_at(symbols, address);
    const std::uint64_t filled = length_of(object.targets.get());
    const bool used =
        filled != 0 || !object.arrivals.by_warp.empty() || !object.waits.by_warp.empty();
    const auto known = std::find_if(groups.rbegin(), groups.rend(), [&](const MbarrierGroup& one) {
      return one.expected == object.expected && one.init_site == object.init_site &&
             one.symbol == symbol && (one.filled_bytes == filled || !one.used || !used);
    });
    MbarrierGroup* group = known == groups.rend() ? nullptr : &*known;
    if (group == nullptr)
      group = &groups.emplace_back(
          MbarrierGroup{object.expected, object.init_site, symbol, filled, used, {}});
    group->filled_bytes = std::max(group->filled_bytes, filled);
    group->used = group->used || used;
    group->objects.emplace_back(address, &object);
  }
  return groups;
}

void add_mbarriers(BarrierSummary& summary, MbarrierGroup& group, const RoleOfWarp& role_of,
                   const SourceSites& sites) {
  BarrierUse use;
  use.kind = BarrierUse::Kind::kMbarriers;
  use.expected = group.expected;
  std::vector<const WarpCrossings*> arrivals, waits;
  CopyBuffer buffer;
  std::set<std::size_t> issuers;
  for (auto& [address, object] : group.objects) {
    use.objects.push_back(address);
    use.completions += object->ended_phases;
    use.copied_bytes += object->copied_bytes;
    arrivals.push_back(&object->arrivals);
    waits.push_back(&object->waits);
    if (object->copied_bytes == 0) continue;
    buffer.by = object->copied_by;
    add_stage(buffer.stages, object->targets.get(), object->fills);
    add_issuers(issuers, object->copiers, role_of);
    if (object->foreign_copies) issuers.insert(kOtherBlocks);
  }
  use.arrivals = by_role(arrivals, role_of, sites);
  use.waits = by_role(waits, role_of, sites);
  if (!buffer.stages.empty()) {
    finish(buffer);
    buffer.issuers.assign(issuers.begin(), issuers.end());
    buffer.barriers = summary.barriers.size();
    summary.copies.push_back(std::move(buffer));
  }
  summary.barriers.push_back(std::move(use));
}

void add_batches(BarrierSummary& summary, BlockRecord& block, const RoleOfWarp& role_of) {
  if (block.batches.empty()) return;
  CopyBuffer buffer;
  buffer.by = Activity::kCpAsync;
  std::set<std::size_t> issuers;
  for (CopyBatch& batch : block.batches) {
    add_stage(buffer.stages, batch.targets.get(), 1);
    add_issuers(issuers, batch.warps, role_of);
  }
  finish(buffer);
  buffer.issuers.assign(issuers.begin(), issuers.end());
  summary.copies.push_back(std::move(buffer));
}

}  // namespace

BarrierSummary summarise_barriers(BlockRecord& block, const RoleOfWarp& role_of,
                                  const SourceSites& sites,
                                  const std::vector<SharedSymbol>& symbols) {
  BarrierSummary summary;
  const auto add = [&](BarrierUse::Kind kind, const BarrierKey& key, const BarrierRecord& record) {
    BarrierUse& use = summary.barriers.emplace_back();
    use.kind = kind;
    use.id = key.id;
    use.expected = key.expected;
    use.completions = record.completions;
    use.arrivals = by_role({&record.arrivals}, role_of, sites);
    use.waits = by_role({&record.waits}, role_of, sites);
  };
  for (const bool of_block : {true, false}) {
    for (const auto& [key, record] : block.barriers)
      if (key.of_block == of_block)
        add(of_block ? BarrierUse::Kind::kBlock : BarrierUse::Kind::kNamed, key, record);
  }
  if (!block.cluster_barrier.arrivals.by_warp.empty())
    add(BarrierUse::Kind::kCluster, {}, block.cluster_barrier);
  for (MbarrierGroup& group : group_mbarriers(block, symbols))
    add_mbarriers(summary, group, role_of, sites);
  add_batches(summary, block, role_of);
  return summary;
}

}  // namespace warpwright::emu
