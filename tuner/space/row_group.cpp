#include "space/row_group.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/error.h"

namespace warpwright {
namespace {

// The contribution of one axis to the hash of a point. The hash is a sum, so a neighbour's hash
// takes one step.
std::uint64_t hash_of_level(std::size_t axis, std::uint32_t level) {
  std::uint64_t h = (static_cast<std::uint64_t>(axis + 1) << 32 | level) * 0x9e3779b97f4a7c15ULL;
  h = (h ^ (h >> 32)) * 0xd6e8feb86659fd93ULL;
  return h ^ (h >> 32);
}

std::uint64_t hash_of_point(const Point& point) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < point.size(); ++i) sum += hash_of_level(i, point[i]);
  return sum;
}

}  // namespace

RowGroup::RowGroup(std::string variant, std::vector<SearchSpace::Axis> axes,
                   std::vector<Point> points, std::size_t listed)
    : SpaceGroup(std::move(variant), std::move(axes), static_cast<double>(listed)),
      slots_(std::bit_ceil(2 * points.size() + 2)) {
  WARPWRIGHT_CHECK(points.size() < kFree, "rows are listed one by one");
  for (Point& point : points) {
    const std::uint64_t hash = hash_of_point(point);
    Slot& slot = slots_[static_cast<std::size_t>(&slot_of(point, hash) - slots_.data())];
    if (slot.row != kFree) continue;
    slot = {hash, static_cast<std::uint32_t>(points_.size())};
    points_.push_back(std::move(point));
  }
  sorted_.resize(points_.size());
  std::iota(sorted_.begin(), sorted_.end(), 0U);
  std::sort(sorted_.begin(), sorted_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return points_[a] < points_[b]; });
}

// The slot of the point, or the free slot where it would be stored.
const RowGroup::Slot& RowGroup::slot_of(const Point& point, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t place = hash & mask;
  while (slots_[place].row != kFree &&
         (slots_[place].hash != hash || points_[slots_[place].row] != point)) {
    place = (place + 1) & mask;
  }
  return slots_[place];
}

std::optional<std::uint64_t> RowGroup::index_of(const Point& point) const {
  const Slot& slot = slot_of(point, hash_of_point(point));
  return slot.row == kFree ? std::nullopt : std::optional<std::uint64_t>(slot.row);
}

// Sorted rows with a common beginning are contiguous, and among these so are those with the same
// next value.
std::vector<SearchSpace::Choice> RowGroup::choices(const Point& beginning) const {
  const std::size_t length = beginning.size();
  const auto compared = [&](std::uint32_t row) {
    return std::lexicographical_compare_three_way(
        points_[row].begin(), points_[row].begin() + static_cast<std::ptrdiff_t>(length),
        beginning.begin(), beginning.end());
  };
  auto first = std::partition_point(sorted_.begin(), sorted_.end(),
                                    [&](std::uint32_t row) { return compared(row) < 0; });
  const auto end = std::partition_point(first, sorted_.end(),
                                        [&](std::uint32_t row) { return compared(row) == 0; });
  std::vector<SearchSpace::Choice> result;
  while (first != end) {
    const std::uint32_t level = points_[*first][length];
    const auto next = std::partition_point(
        first, end, [&](std::uint32_t row) { return points_[row][length] == level; });
    result.push_back({level, static_cast<std::uint64_t>(next - first)});
    first = next;
  }
  return result;
}

bool RowGroup::for_each(Point& point, const std::function<bool()>& visit) const {
  return std::all_of(points_.begin(), points_.end(), [&](const Point& row) {
    point = row;
    return visit();
  });
}

// Probes every value: a parameter has few, and each look-up is one step of a hash.
std::vector<std::uint64_t> RowGroup::neighbours(std::uint64_t index) const {
  std::vector<std::uint64_t> result;
  Point probe = points_[index];
  const std::uint64_t hash = hash_of_point(probe);
  for (std::size_t i = 0; i < probe.size(); ++i) {
    const std::uint32_t own = probe[i];
    const std::uint64_t rest = hash - hash_of_level(i, own);
    for (std::uint32_t level = 0; level < axes()[i].values.size(); ++level) {
      if (level == own) continue;
      probe[i] = level;
      const Slot& slot = slot_of(probe, rest + hash_of_level(i, level));
      if (slot.row != kFree) result.push_back(slot.row);
    }
    probe[i] = own;
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace warpwright
