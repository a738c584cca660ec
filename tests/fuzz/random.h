// Random numbers that are the same on every machine: std::uniform_int_distribution is not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace warpwright::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : generator_(seed) {}

  // In [0, limit); limit is at least 1.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(generator_() % limit); }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::size_t>(high - low) + 1));
  }
  bool one_in(std::size_t n) { return below(n) == 0; }
  std::uint64_t bits() { return generator_(); }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace warpwright::fuzz
