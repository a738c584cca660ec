#include "emu/check/shadow.h"

#include <algorithm>
#include <bit>

namespace warpwright::emu {
namespace {

constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t more) {
  sum = (sum ^ more) * kOdd;
  return sum ^ sum >> 32;
}

// The branch that leads to an actor at a depth. Different actors part at some depth, because
// multiplying by an odd number is a bijection.
std::size_t way_of(const AccessRecord& read, int depth) {
  const std::uint64_t number = (std::uint64_t{read.block} << 16 | read.actor) * kOdd;
  return number >> (60 - 4 * depth) & 15;
}

}  // namespace

std::uint64_t ReadSets::hash_of(const Leaf& leaf) {
  const AccessRecord& read = leaf.read;
  std::uint64_t sum = mixed(leaf.earlier, std::uint64_t{read.block} << 32 | read.epoch);
  sum = mixed(sum, std::uint64_t{read.pc} << 32 | read.lanes);
  return mixed(sum, std::uint64_t{read.actor} << 8 | read.bytes);
}

std::uint64_t ReadSets::hash_of(const Branches& branches) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < branches.size(); i += 2)
    sum = mixed(sum, std::uint64_t{branches[i]} << 32 | branches[i + 1]);
  return sum;
}

template <class Value>
std::size_t ReadSets::Kept<Value>::index_of(const Value& value) {
  if (2 * values_.size() >= places_.size()) {
    places_.assign(std::bit_ceil(std::max<std::size_t>(64, 4 * values_.size())), 0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      std::size_t at = hash_of(values_[i]);
      while (places_[at & (places_.size() - 1)] != 0) ++at;
      places_[at & (places_.size() - 1)] = static_cast<std::uint32_t>(i + 1);
    }
  }
  for (std::size_t at = hash_of(value);; ++at) {
    std::uint32_t& place = places_[at & (places_.size() - 1)];
    if (place == 0) {
      values_.push_back(value);
      place = static_cast<std::uint32_t>(values_.size());
    } else if (!(values_[place - 1] == value)) {
      continue;
    }
    return place - 1;
  }
}

ReadSets::Set ReadSets::with(Set set, const AccessRecord& read) {
  constexpr std::size_t kLatest = 1024;
  if (latest_.empty()) latest_.resize(kLatest);
  const Leaf key{set, read};
  Memo& memo = latest_[hash_of(key) % kLatest];
  if (memo.result == kNobody || !(memo.key == key)) memo = {key, inserted(set, 0, read)};
  return memo.result;
}

ReadSets::Set ReadSets::inserted(Set set, int depth, const AccessRecord& read) {
  if (set == kNobody) return leaf_of({kNobody, read});
  Branches branches{};
  if (!is_leaf(set)) {
    branches = branches_[(set >> 1) - 1];
  } else if (is_same_actor(leaf(set).read, read)) {
    return leaf_with(set, read);
  } else {
    branches[way_of(leaf(set).read, depth)] = set;
  }
  Set& way = branches[way_of(read, depth)];
  const Set before = way;
  way = inserted(before, depth + 1, read);
  return way == before && !is_leaf(set) ? set : branch_of(branches);
}

// Earlier reads that the new one replaces are left out.
ReadSets::Set ReadSets::leaf_with(Set set, const AccessRecord& read) {
  std::vector<AccessRecord> reads;
  for (; set != kNobody; set = leaf(set).earlier) reads.push_back(leaf(set).read);
  AccessRecord merged = read;
  std::erase_if(reads, [&](const AccessRecord& earlier) {
    if (joins(earlier, read)) {
      merged.lanes |= earlier.lanes;
      return true;
    }
    return (earlier.lanes & ~read.lanes) == 0 && (earlier.bytes & ~read.bytes) == 0;
  });
  Set result = kNobody;
  for (auto at = reads.rbegin(); at != reads.rend(); ++at) result = leaf_of({result, *at});
  return leaf_of({result, merged});
}

ReadSets::Set ReadSets::leaf_of(const Leaf& leaf) {
  return static_cast<Set>((leaves_.index_of(leaf) + 1) << 1 | 1);
}

ReadSets::Set ReadSets::branch_of(const Branches& branches) {
  return static_cast<Set>((branches_.index_of(branches) + 1) << 1);
}

void ReadSets::append_readers(Set set, std::vector<AccessRecord>& all) const {
  if (set == kNobody) return;
  if (!is_leaf(set)) {
    for (const Set way : branches_[(set >> 1) - 1]) append_readers(way, all);
    return;
  }
  const std::size_t first = all.size();
  for (; set != kNobody; set = leaf(set).earlier) all.push_back(leaf(set).read);
  std::reverse(all.begin() + static_cast<std::ptrdiff_t>(first), all.end());
}

std::vector<AccessRecord> ReadSets::readers(Set set) const {
  std::vector<AccessRecord> all;
  append_readers(set, all);
  return all;
}

}  // namespace warpwright::emu
