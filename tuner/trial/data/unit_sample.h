// Chooses the units of a problem that are validated. In small problems these are all units. In
// large ones they are the first and the last, both sides of every power-of-two boundary from either
// end (where tiles begin and end), and the rest drawn at random.
#pragma once

#include <cstdint>
#include <vector>

namespace warpwright {

struct UnitSample {
  std::vector<std::int64_t> units;  // ascending, each once
  std::int64_t total = 0;
  [[nodiscard]] bool complete() const { return static_cast<std::int64_t>(units.size()) == total; }
};

// Chooses at most `limit` units; a limit below 2 counts as 2.
[[nodiscard]] UnitSample sample_units(std::int64_t total, std::int64_t limit, std::uint64_t seed);

}  // namespace warpwright
