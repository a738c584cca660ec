#include "space/lazy_shuffle.h"

#include <limits>

namespace warpwright {

std::uint64_t uniform_below(std::uint64_t n, std::mt19937_64& generator) {
  // Rejects the incomplete last run of multiples of n, which would favour small numbers.
  const std::uint64_t excess = (std::numeric_limits<std::uint64_t>::max() % n + 1) % n;
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max() - excess;
  std::uint64_t drawn = generator();
  while (drawn > last) drawn = generator();
  return drawn % n;
}

std::optional<std::uint64_t> LazyShuffle::next(std::mt19937_64& generator) {
  if (drawn_ == n_) return std::nullopt;
  const std::uint64_t place = drawn_ + uniform_below(n_ - drawn_, generator);
  const auto content = [&](std::uint64_t i) {
    const auto moved = moved_.find(i);
    return moved == moved_.end() ? i : moved->second;
  };
  const std::uint64_t result = content(place);
  // The content of the front replaces the drawn element; the front itself is never read again.
  if (place != drawn_) moved_[place] = content(drawn_);
  moved_.erase(drawn_);
  ++drawn_;
  return result;
}

}  // namespace warpwright
