#include "space/joined_space.h"

#include <algorithm>

#include "core/error.h"

namespace warpwright {
namespace {

class JoinedSpace : public SearchSpace {
 public:
  explicit JoinedSpace(std::vector<std::unique_ptr<SpaceGroup>> groups)
      : groups_(std::move(groups)) {
    for (const auto& group : groups_) {
      first_.push_back(count_);
      if (__builtin_add_overflow(count_, group->count(), &count_)) {
        throw user_error("the search space has more than 2^64 configurations; add constraints");
      }
    }
  }

  std::uint64_t count() const override { return count_; }

  double cartesian_size() const override {
    double size = 0;
    for (const auto& group : groups_) size += group->cartesian_size();
    return size;
  }

  Configuration at(std::uint64_t index) const override {
    const std::size_t g = group_of(index);
    return groups_[g]->configuration(groups_[g]->at(index - first_[g]));
  }

  std::optional<std::uint64_t> index_of(const Configuration& configuration) const override {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (groups_[g]->variant() != configuration.variant) continue;
      const std::optional<Point> point = groups_[g]->point(configuration);
      const std::optional<std::uint64_t> index =
          point ? groups_[g]->index_of(*point) : std::nullopt;
      if (index) return first_[g] + *index;
    }
    return std::nullopt;
  }

  Place place_at(std::uint64_t index) const override {
    const std::size_t g = group_of(index);
    return {g, groups_[g]->at(index - first_[g])};
  }

  std::optional<std::uint64_t> index_of(const Place& place) const override {
    WARPWRIGHT_CHECK(
        place.group < groups_.size() && place.levels.size() == groups_[place.group]->axes().size(),
        "a place in another space");
    const std::optional<std::uint64_t> index = groups_[place.group]->index_of(place.levels);
    return index ? std::optional(first_[place.group] + *index) : std::nullopt;
  }

  std::vector<Choice> choices(const Place& beginning) const override {
    WARPWRIGHT_CHECK(beginning.group < groups_.size() &&
                         beginning.levels.size() < groups_[beginning.group]->axes().size(),
                     "the beginning of a place in another space");
    return groups_[beginning.group]->choices(beginning.levels);
  }

  std::vector<std::uint64_t> neighbours(std::uint64_t index) const override {
    const std::size_t g = group_of(index);
    std::vector<std::uint64_t> result = groups_[g]->neighbours(index - first_[g]);
    for (std::uint64_t& neighbour : result) neighbour += first_[g];
    return result;
  }

  void for_each(const std::function<bool(const Configuration&)>& visit) const override {
    for (const auto& group : groups_) {
      if (group->count() > 0 && !visit_group(*group, visit)) return;
    }
  }

  void for_each_place(const std::function<bool(const Place&)>& visit) const override {
    Place place;
    for (; place.group < groups_.size(); ++place.group) {
      if (!groups_[place.group]->for_each(place.levels, [&] { return visit(place); })) return;
    }
  }

  std::vector<Axis> axes(const std::string& variant) const override {
    for (const auto& group : groups_) {
      if (group->variant() == variant) return group->axes();
    }
    return {};
  }

  std::vector<std::string> variants() const override {
    std::vector<std::string> names;
    for (const auto& group : groups_) names.push_back(group->variant());
    return names;
  }

 private:
  [[nodiscard]] std::size_t group_of(std::uint64_t index) const {
    WARPWRIGHT_CHECK(index < count_, "an index beyond the end of the space");
    const auto after = std::upper_bound(first_.begin(), first_.end(), index);
    return static_cast<std::size_t>(after - first_.begin()) - 1;
  }

  // Reuses one configuration and assigns only the values that changed, because visiting is the
  // inner loop of exports.
  static bool visit_group(const SpaceGroup& group,
                          const std::function<bool(const Configuration&)>& visit) {
    Point previous = group.at(0);
    Configuration configuration = group.configuration(previous);
    std::vector<Value*> values;
    for (const Axis& axis : group.axes()) values.push_back(&configuration.values.at(axis.name));
    Point point;
    return group.for_each(point, [&] {
      for (std::size_t i = 0; i < point.size(); ++i) {
        if (point[i] == previous[i]) continue;
        *values[i] = group.axes()[i].values[point[i]];
        previous[i] = point[i];
      }
      return visit(configuration);
    });
  }

  std::vector<std::unique_ptr<SpaceGroup>> groups_;
  std::vector<std::uint64_t> first_;  // per group, the index of its first configuration
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<SearchSpace> join_groups(std::vector<std::unique_ptr<SpaceGroup>> groups) {
  return std::make_unique<JoinedSpace>(std::move(groups));
}

}  // namespace warpwright
