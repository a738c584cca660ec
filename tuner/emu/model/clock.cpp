#include "emu/model/clock.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace warpwright::emu {

const Clock::Lanes* Clock::BlockPart::find(std::uint16_t index) const {
  for (const auto& [known, lanes_of] : lanes) {
    if (known == index) return &lanes_of;
  }
  return nullptr;
}

// If all lanes have the same epoch, they are represented by the actor's single number again.
void Clock::BlockPart::merge_lanes(std::uint16_t index, const Lanes& more) {
  auto at = std::find_if(lanes.begin(), lanes.end(),
                         [index](const auto& entry) { return entry.first == index; });
  if (at == lanes.end()) at = lanes.insert(lanes.end(), {index, Lanes{}});
  std::uint32_t least = 0xffffffffu;
  std::uint32_t most = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    at->second[lane] = std::max({at->second[lane], more[lane], epochs[index]});
    least = std::min(least, at->second[lane]);
    most = std::max(most, at->second[lane]);
  }
  epochs[index] = std::max(epochs[index], least);
  if (epochs[index] >= most) lanes.erase(at);
}

void Clock::BlockPart::join(const BlockPart& other) {
  for (std::size_t i = 0; i < kActors; ++i) epochs[i] = std::max(epochs[i], other.epochs[i]);
  for (const auto& [index, lanes_of] : other.lanes) merge_lanes(index, lanes_of);
  std::erase_if(lanes, [this](const auto& entry) {
    return *std::max_element(entry.second.begin(), entry.second.end()) <= epochs[entry.first];
  });
}

Clock::Parts::const_iterator Clock::find(std::uint64_t block) const {
  return std::lower_bound(
      parts_.begin(), parts_.end(), block,
      [](const auto& part, std::uint64_t wanted) { return part.first < wanted; });
}

Clock::BlockPart& Clock::own_part(std::uint64_t block) {
  auto at = parts_.begin() + (find(block) - parts_.cbegin());
  if (at == parts_.end() || at->first != block) {
    at = parts_.insert(at, {block, Counted<BlockPart>::make()});
  } else if (at->second.is_shared()) {
    at->second = Counted<BlockPart>::make(*at->second);
  }
  return *at->second;
}

bool Clock::covers(const Actor& actor, std::uint32_t mask) const {
  const auto at = find(actor.block);
  if (at == parts_.end() || at->first != actor.block) return mask == 0;
  const BlockPart& part = *at->second;
  if (part.epochs[actor.index] >= actor.epoch) return true;
  const Lanes* lanes = part.find(actor.index);
  if (lanes == nullptr) return mask == 0;
  for (; mask != 0; mask &= mask - 1) {
    if ((*lanes)[static_cast<std::size_t>(std::countr_zero(mask))] < actor.epoch) return false;
  }
  return true;
}

const std::uint32_t* Clock::epochs_of(std::uint64_t block) const {
  const auto at = find(block);
  return at == parts_.end() || at->first != block ? kNoEpochs.data() : at->second->epochs.data();
}

void Clock::learn(std::uint64_t block, std::uint16_t index, std::uint32_t epoch,
                  std::uint32_t mask) {
  BlockPart& part = own_part(block);
  if (mask == 0xffffffffu) {
    part.epochs[index] = std::max(part.epochs[index], epoch);
    return;
  }
  Lanes lanes{};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) lanes[lane] = epoch;
  }
  part.merge_lanes(index, lanes);
}

void Clock::join(const Clock& other) {
  Parts sum;
  sum.reserve(parts_.size() + other.parts_.size());
  auto mine = parts_.begin();
  for (const auto& theirs : other.parts_) {
    while (mine != parts_.end() && mine->first < theirs.first) sum.push_back(std::move(*mine++));
    if (mine == parts_.end() || mine->first != theirs.first) {
      sum.push_back(theirs);
      continue;
    }
    if (mine->second != theirs.second) {
      if (mine->second.is_shared()) mine->second = Counted<BlockPart>::make(*mine->second);
      mine->second->join(*theirs.second);
    }
    sum.push_back(std::move(*mine++));
  }
  std::move(mine, parts_.end(), std::back_inserter(sum));
  parts_ = std::move(sum);
}

bool Clock::BlockPart::includes(const BlockPart& other) const {
  // Mostly the other clock has no larger epoch, which a loop without branches finds fastest.
  std::uint32_t more = 0;
  for (std::size_t i = 0; i < kActors; ++i) more |= other.epochs[i] > epochs[i] ? 1 : 0;
  if (more == 0 && other.lanes.empty()) return true;
  for (std::uint16_t i = 0; more != 0 && i < kActors; ++i) {
    if (other.epochs[i] > epochs[i]) {
      const Lanes* mine = find(i);
      if (mine == nullptr || *std::min_element(mine->begin(), mine->end()) < other.epochs[i])
        return false;
    }
  }
  return std::all_of(other.lanes.begin(), other.lanes.end(), [this](const auto& theirs) {
    const Lanes* mine = find(theirs.first);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t known =
          std::max(epochs[theirs.first], mine == nullptr ? 0 : (*mine)[lane]);
      if (theirs.second[lane] > known) return false;
    }
    return true;
  });
}

bool Clock::includes(const Clock& other) const {
  if (parts_.size() < other.parts_.size()) return false;
  auto mine = parts_.begin();
  for (const auto& theirs : other.parts_) {
    while (mine != parts_.end() && mine->first < theirs.first) ++mine;
    if (mine == parts_.end() || mine->first != theirs.first) return false;
    if (mine->second != theirs.second && !mine->second->includes(*theirs.second)) return false;
  }
  return true;
}

ClockRef joined(const ClockRef& a, const ClockRef& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  if (a->includes(*b)) return a;
  if (b->includes(*a)) return b;
  auto sum = Counted<Clock>::make(*a);
  sum->join(*b);
  return sum;
}

}  // namespace warpwright::emu
