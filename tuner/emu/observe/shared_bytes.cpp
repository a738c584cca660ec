#include "emu/observe/shared_bytes.h"

#include <algorithm>

namespace warpwright::emu {
namespace {

// Independent of the order of the facts, so that a pattern's hash follows from its parts.
std::uint64_t hash_of(const SharedFact& fact) {
  std::uint64_t hash =
      std::uint64_t{fact.phase} << 16 | static_cast<std::uint64_t>(fact.way) << 8 | fact.warp;
  hash = (hash + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  return hash ^ hash >> 29;
}

std::uint64_t hash_of(const std::vector<SharedFact>& facts) {
  std::uint64_t sum = 0;
  for (const SharedFact& fact : facts) sum += hash_of(fact);
  return sum;
}

}  // namespace

SharedBytes::SharedBytes(std::size_t bytes)
    : pattern_(bytes), reads_(bytes), writes_(bytes), patterns_(1) {}

void SharedBytes::access(std::uint64_t first, std::uint64_t end, const SharedFact& fact,
                         bool counted) {
  end = std::min<std::uint64_t>(end, pattern_.size());
  // Neighbours mostly had the same facts before.
  std::uint32_t before = 0, after = 0;
  bool known = false;
  for (std::uint64_t byte = first; byte < end; ++byte) {
    if (!known || pattern_[byte] != before) {
      before = pattern_[byte];
      after = with(before, fact);
      known = true;
    }
    pattern_[byte] = after;
    if (!counted) continue;
    if (writes(fact.way)) ++writes_[byte];
    if (fact.way == Way::kAtomic || (!writes(fact.way) && fact.way != Way::kMbarrier))
      ++reads_[byte];
  }
}

std::uint32_t SharedBytes::with(std::uint32_t pattern, const SharedFact& fact) {
  const std::vector<SharedFact>& facts = patterns_[pattern];
  const auto at = std::lower_bound(facts.begin(), facts.end(), fact);
  if (at != facts.end() && *at == fact) return pattern;
  std::vector<SharedFact> more = facts;
  more.insert(more.begin() + (at - facts.begin()), fact);
  std::vector<std::uint32_t>& alike = by_hash_[hash_of(more)];
  for (const std::uint32_t other : alike)
    if (patterns_[other] == more) return other;
  alike.push_back(static_cast<std::uint32_t>(patterns_.size()));
  patterns_.push_back(std::move(more));
  return alike.back();
}

}  // namespace warpwright::emu
