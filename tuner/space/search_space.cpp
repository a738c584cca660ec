#include "space/search_space.h"

#include <numeric>

#include "space/lazy_shuffle.h"

namespace warpwright {

std::vector<std::uint64_t> SearchSpace::sample(std::uint64_t n, std::mt19937_64& generator) const {
  const std::uint64_t total = count();
  if (n >= total) {
    std::vector<std::uint64_t> all(total);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  LazyShuffle shuffle(total);
  std::vector<std::uint64_t> drawn;
  for (std::uint64_t i = 0; i < n; ++i) drawn.push_back(*shuffle.next(generator));
  return drawn;
}

}  // namespace warpwright
