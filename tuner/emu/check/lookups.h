// Lookups that the checkers make for most accesses, kept cheap: answers of clocks, groups of lanes,
// and flags by address.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "emu/exec/address.h"
#include "emu/model/clock.h"

namespace warpwright::emu {

// A cache of Clock::covers(): most words that one instruction accesses were last accessed by the
// same few warps.
class CoverMemo {
 public:
  // Clears the cache. No clock may be released between this call and the next one.
  void begin() { ++turn_; }
  [[nodiscard]] bool covers(const ClockRef& clock, const Actor& actor, std::uint32_t lanes) {
    if (clock == nullptr) return false;
    Entry& entry = entries_[actor.index % entries_.size()];
    if (entry.turn != turn_ || entry.clock != clock.get() || entry.block != actor.block ||
        entry.index != actor.index || entry.epoch != actor.epoch || entry.lanes != lanes)
      entry = {turn_,
               clock.get(),
               actor.block,
               actor.epoch,
               lanes,
               actor.index,
               clock->covers(actor, lanes)};
    return entry.covered;
  }

 private:
  struct Entry {
    std::uint64_t turn = 0;
    const Clock* clock = nullptr;
    std::uint64_t block = 0;
    std::uint32_t epoch = 0, lanes = 0;
    std::uint16_t index = 0;
    bool covered = false;
  };
  std::uint64_t turn_ = 0;
  std::array<Entry, 16> entries_{};
};

// Groups the lanes of an access by their address. An instruction mostly repeats its access pattern
// at a new base address, so the groups of the last time are kept.
class LaneGroups {
 public:
  // Computes the groups of `lanes`, which must not be empty. Returns false, without groups, if the
  // addresses are too far apart.
  [[nodiscard]] bool set(std::uint32_t lanes, const LaneAddresses& addresses) {
    std::array<std::int32_t, kWarpSize> offsets;
    if (!measure(lanes, addresses, offsets)) return false;
    if (lanes == lanes_ && offsets == offsets_) return true;
    lanes_ = lanes;
    offsets_ = offsets;
    std::size_t count = 0;
    for (std::uint32_t left = lanes; left != 0;) {
      std::uint32_t same = 0;
      const std::int32_t at = offsets[static_cast<std::size_t>(std::countr_zero(left))];
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        same |= static_cast<std::uint32_t>(offsets[lane] == at) << lane;
      groups_[count++] = same &= left;
      left &= ~same;
    }
    return true;
  }
  // The group of the lowest lane, then that of the lowest lane outside it, and so on.
  [[nodiscard]] std::uint32_t operator[](std::size_t index) const { return groups_[index]; }

 private:
  using Offsets = std::array<std::int32_t, kWarpSize>;
  // Computes offsets from the lowest lane's address; 0 for lanes that take no part.
  static bool measure(std::uint32_t lanes, const LaneAddresses& addresses, Offsets& offsets) {
    const std::uint64_t first = addresses.at[std::countr_zero(lanes)];
    std::uint64_t far = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
      const std::uint64_t on = 0 - std::uint64_t{lanes >> lane & 1};
      const std::uint64_t offset = (addresses.at[lane] - first) & on;
      offsets[lane] = static_cast<std::int32_t>(offset);
      far |= offset + (std::uint64_t{1} << 31);
    }
    return far >> 32 == 0;
  }

  std::uint32_t lanes_ = 0;
  Offsets offsets_{};
  std::array<std::uint32_t, kWarpSize> groups_{};
};

// A hash table of values by the address of a flag. Threads that poll look up a flag in every
// iteration and find nothing until it is set, so a failed lookup mostly takes a single probe.
template <class Value>
class FlagTable {
 public:
  // Null if there is no value. The pointer stays valid until a value is added.
  [[nodiscard]] const Value* find(std::uint64_t address) const {
    if (values_.empty()) return nullptr;
    const std::uint32_t value = places_[place_of(address)].second;
    return value == 0 ? nullptr : &values_[value - 1];
  }
  // Adds an empty value if there is none.
  [[nodiscard]] Value& operator[](std::uint64_t address) {
    if (2 * (values_.size() + 1) > places_.size()) grow();
    Place& place = places_[place_of(address)];
    if (place.second == 0) {
      values_.emplace_back();
      place = {address, static_cast<std::uint32_t>(values_.size())};
    }
    return values_[place.second - 1];
  }
  void clear() {
    if (!values_.empty()) places_.assign(places_.size(), {});
    values_.clear();
  }

 private:
  // An address and the number of its value; 0: free.
  using Place = std::pair<std::uint64_t, std::uint32_t>;

  // The index of the address, or of the free place for it. At least half of the places are free.
  [[nodiscard]] std::size_t place_of(std::uint64_t address) const {
    const std::uint64_t hash = address * 0x9e3779b97f4a7c15u;
    for (std::size_t at = hash >> 32;; ++at) {
      at &= places_.size() - 1;
      if (places_[at].second == 0 || places_[at].first == address) return at;
    }
  }
  void grow() {
    const std::vector<Place> before =
        std::exchange(places_, std::vector<Place>(places_.empty() ? 16 : 2 * places_.size()));
    for (const Place& place : before)
      if (place.second != 0) places_[place_of(place.first)] = place;
  }

  std::vector<Place> places_;
  std::vector<Value> values_;
};

}  // namespace warpwright::emu
