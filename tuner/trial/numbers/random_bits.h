// Random numbers by counter: element i of a stream depends on (seed, stream, i) alone, so that
// inputs are the same for every number of threads and on every machine. Nothing here calls libm,
// whose results differ between C libraries.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpwright {

class RandomStream {
 public:
  // Streams of different seeds, names or numbers are independent.
  RandomStream(std::uint64_t seed, std::string_view name, std::uint64_t number = 0);

  [[nodiscard]] std::uint64_t bits(std::uint64_t index) const;
  // In [0, 1), a multiple of 2^-53.
  [[nodiscard]] double uniform(std::uint64_t index) const;
  // In [0, count).
  [[nodiscard]] std::uint64_t below(std::uint64_t index, std::uint64_t count) const;
  // Mean 0, standard deviation 1; at most 8.3 away from 0.
  [[nodiscard]] double normal(std::uint64_t index) const;
  // normal(first), normal(first + 1), ..., the same bits in a third of the time.
  void normals(std::uint64_t first, std::span<double> values) const;

 private:
  std::uint64_t key_;
};

// The inverse of the normal distribution function for p in (0, 1): Wichura's AS 241 (PPND16),
// relative error below 1e-15.
[[nodiscard]] double inverse_normal(double p);

}  // namespace warpwright
