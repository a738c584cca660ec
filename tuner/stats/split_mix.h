// A fast generator of random bits, for resampling, that gives the same numbers on every platform.
// Source: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014 (SplitMix64); ranges by D. Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS
// 29 (2019). std::uniform_int_distribution is not used because each library implements it
// differently.
#pragma once

#include <cstdint>

namespace warpwright {

class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  // Uniform in [0, count); count > 0.
  std::uint32_t below(std::uint32_t count) {
    std::uint64_t product = (bits() >> 32) * count;
    if (static_cast<std::uint32_t>(product) < count) {
      // The lowest 2^32 mod count fractions would make some results more likely than others.
      const std::uint32_t biased = (0U - count) % count;
      while (static_cast<std::uint32_t>(product) < biased) product = (bits() >> 32) * count;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  // Uniform in [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace warpwright
