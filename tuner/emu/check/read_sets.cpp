#include "emu/check/read_sets.h"

#include <algorithm>

namespace warpwright::emu {

std::size_t ReadSets::Hash::operator()(const Key& key) const {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;
  const AccessRecord& read = key.read;
  std::uint64_t sum = key.set;
  const auto mix = [&sum](std::uint64_t more) {
    sum = (sum ^ more) * kFactor;
    sum ^= sum >> 32;
  };
  mix(std::uint64_t{read.block} << 32 | read.epoch);
  mix(std::uint64_t{read.pc} << 32 | read.lanes);
  mix(std::uint64_t{read.actor} << 8 | read.bytes);
  return sum;
}

ReadSets::Set ReadSets::with(Set set, const AccessRecord& read) {
  const Key key{set, read};
  const std::size_t hash = Hash()(key);
  Memo& memo = latest_[hash % latest_.size()];
  if (memo.result == kNobody || !(memo.key == key)) memo = {key, extended(key)};
  return memo.result;
}

ReadSets::Set ReadSets::extended(const Key& key) {
  const auto [at, fresh] = known_.try_emplace(key, kNobody);
  if (!fresh) return at->second;
  const AccessRecord& now = key.read;
  std::vector<AccessRecord> others = readers(key.set);
  AccessRecord merged = now;
  const auto stands_for = [&](const AccessRecord& earlier) {
    if (!is_same_actor(earlier, now)) return false;
    if (is_same_instruction(earlier, now)) {
      merged.lanes |= earlier.lanes;
      merged.bytes |= earlier.bytes;
      return true;
    }
    return (earlier.lanes & ~now.lanes) == 0 && (earlier.bytes & ~now.bytes) == 0;
  };
  Set result = kNobody;
  if (std::none_of(others.begin(), others.end(), stands_for)) {
    result = added(key.set, now);
  } else {
    std::erase_if(others, stands_for);
    for (const AccessRecord& other : others) result = added(result, other);
    result = added(result, merged);
  }
  return known_[key] = result;
}

ReadSets::Set ReadSets::added(Set others, const AccessRecord& read) {
  const auto [at, fresh] = sets_.try_emplace({others, read}, static_cast<Set>(nodes_.size()));
  if (fresh) nodes_.push_back({others, read});
  return at->second;
}

std::vector<AccessRecord> ReadSets::readers(Set set) const {
  std::vector<AccessRecord> all;
  for (; set != kNobody; set = nodes_[set].others) all.push_back(nodes_[set].read);
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace warpwright::emu
