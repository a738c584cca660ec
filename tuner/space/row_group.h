// The listed points of one variant, in their listed order without repetitions. There may be tens of
// thousands, because recordings of other tuners list every measured configuration. Internal to
// space.
#pragma once

#include <cstdint>
#include <vector>

#include "space/space_group.h"

namespace warpwright {

class RowGroup : public SpaceGroup {
 public:
  RowGroup(std::string variant, std::vector<SearchSpace::Axis> axes, std::vector<Point> points,
           std::size_t listed);

  [[nodiscard]] std::uint64_t count() const override { return points_.size(); }
  [[nodiscard]] Point at(std::uint64_t index) const override { return points_[index]; }
  [[nodiscard]] std::optional<std::uint64_t> index_of(const Point& point) const override;
  [[nodiscard]] std::vector<SearchSpace::Choice> choices(const Point& beginning) const override;
  bool for_each(Point& point, const std::function<bool()>& visit) const override;
  [[nodiscard]] std::vector<std::uint64_t> neighbours(std::uint64_t index) const override;

 private:
  static constexpr std::uint32_t kFree = 0xffffffff;
  struct Slot {
    std::uint64_t hash = 0;
    std::uint32_t row = kFree;
  };
  [[nodiscard]] const Slot& slot_of(const Point& point, std::uint64_t hash) const;

  std::vector<Point> points_;
  std::vector<Slot> slots_;            // open addressing by content
  std::vector<std::uint32_t> sorted_;  // rows by content
};

}  // namespace warpwright
