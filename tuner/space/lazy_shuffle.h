// Draws 0 .. n-1 in a random order, each once, without storing a permutation: a Fisher-Yates
// shuffle that stores only the positions it has touched. Memory grows with the number of draws, not
// with n. The same seed gives the same order on every platform, which the distributions of <random>
// do not guarantee.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <unordered_map>

namespace warpwright {

// Uniform in [0, n). Precondition: n > 0.
[[nodiscard]] std::uint64_t uniform_below(std::uint64_t n, std::mt19937_64& generator);

class LazyShuffle {
 public:
  explicit LazyShuffle(std::uint64_t n) : n_(n) {}
  // Returns nullopt once all were drawn.
  [[nodiscard]] std::optional<std::uint64_t> next(std::mt19937_64& generator);

 private:
  std::uint64_t n_;
  std::uint64_t drawn_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

}  // namespace warpwright
