#include "trial/data/unit_sample.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "trial/data/random_bits.h"

namespace warpwright {

UnitSample sample_units(std::int64_t total, std::int64_t limit, std::uint64_t seed) {
  UnitSample sample;
  sample.total = total;
  limit = std::max<std::int64_t>(limit, 2);
  if (total <= limit) {
    sample.units.resize(static_cast<std::size_t>(total));
    std::iota(sample.units.begin(), sample.units.end(), std::int64_t{0});
    return sample;
  }
  std::set<std::int64_t> chosen{0, total - 1};
  const auto add = [&](std::int64_t unit) {
    if (unit >= 0 && unit < total && static_cast<std::int64_t>(chosen.size()) < limit)
      chosen.insert(unit);
  };
  for (std::int64_t tile = 1; tile < total; tile *= 2) {
    add(tile - 1);
    add(tile);
    // The last, partial tile of this size begins here.
    const std::int64_t last = (total - 1) / tile * tile;
    add(last - 1);
    add(last);
  }
  const RandomStream stream(seed, "unit sample");
  for (std::uint64_t i = 0; static_cast<std::int64_t>(chosen.size()) < limit; ++i) {
    chosen.insert(static_cast<std::int64_t>(stream.below(i, static_cast<std::uint64_t>(total))));
  }
  sample.units.assign(chosen.begin(), chosen.end());
  return sample;
}

}  // namespace warpwright
