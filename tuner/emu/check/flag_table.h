// A hash table of values by the address of a flag. Threads that poll look up a flag in every
// iteration and find nothing until it is set, so a failed lookup mostly takes a single probe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpwright::emu {

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
