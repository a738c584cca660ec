// The configurations of one variant behind one interface: solved from constraints (DiagramGroup) or
// listed as presets (RowGroup). A point is the index of each parameter's value, in the order of the
// axes. Internal to space.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "space/diagram.h"
#include "space/group_problem.h"
#include "space/search_space.h"

namespace warpwright {

using Point = std::vector<std::uint32_t>;

class SpaceGroup {
 public:
  SpaceGroup(std::string variant, std::vector<SearchSpace::Axis> axes, double cartesian_size);
  virtual ~SpaceGroup() = default;
  SpaceGroup(const SpaceGroup&) = delete;
  SpaceGroup& operator=(const SpaceGroup&) = delete;

  [[nodiscard]] virtual std::uint64_t count() const = 0;
  // Precondition: index < count().
  [[nodiscard]] virtual Point at(std::uint64_t index) const = 0;
  [[nodiscard]] virtual std::optional<std::uint64_t> index_of(const Point& point) const = 0;
  // The choices for the next axis after `beginning`. Precondition: `beginning` lacks an axis.
  [[nodiscard]] virtual std::vector<SearchSpace::Choice> choices(const Point& beginning) const = 0;
  // Writes one point after another into `point` until `visit` returns false. Returns false if
  // `visit` did.
  virtual bool for_each(Point& point, const std::function<bool()>& visit) const = 0;
  // Indices of the valid points that differ from `index` in one parameter, ascending.
  // Precondition: index < count().
  [[nodiscard]] virtual std::vector<std::uint64_t> neighbours(std::uint64_t index) const = 0;

  [[nodiscard]] const std::string& variant() const { return variant_; }
  [[nodiscard]] const std::vector<SearchSpace::Axis>& axes() const { return axes_; }
  [[nodiscard]] double cartesian_size() const { return cartesian_size_; }
  [[nodiscard]] Configuration configuration(const Point& point) const;
  // Returns nullopt if a parameter is missing, unknown, or has a value that is not listed.
  [[nodiscard]] std::optional<Point> point(const Configuration& configuration) const;

 private:
  std::string variant_;
  std::vector<SearchSpace::Axis> axes_;
  std::vector<std::size_t> by_name_;  // axes in the order of their names
  double cartesian_size_;
};

// The listed points of one variant, in their listed order without repetitions. There may be tens of
// thousands, because recordings of other tuners list every measured configuration.
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

// The valid configurations of one variant: a product of independent diagrams, one per component,
// walked together in the order of the axes. The number of ways to complete a point is the product
// of the counts of each component's current node, so the product is never built.
class DiagramGroup : public SpaceGroup {
 public:
  // Throws Error (user) if the product counts more than 2^63 configurations.
  DiagramGroup(const GroupProblem& problem, std::vector<Diagram> diagrams);

  [[nodiscard]] std::uint64_t count() const override { return count_; }
  [[nodiscard]] Point at(std::uint64_t index) const override;
  [[nodiscard]] std::optional<std::uint64_t> index_of(const Point& point) const override;
  [[nodiscard]] std::vector<SearchSpace::Choice> choices(const Point& beginning) const override;
  bool for_each(Point& point, const std::function<bool()>& visit) const override;
  [[nodiscard]] std::vector<std::uint64_t> neighbours(std::uint64_t index) const override;

 private:
  // The state of the components when an axis is next. The points with one common beginning fall
  // into blocks, one per edge; a block has the edge's own completions times those of the other
  // components. Some of these have not begun, some have ended, and the open ones count from their
  // current node.
  struct Step {
    std::uint32_t component = 0;
    std::uint32_t first_open = 0;  // into open_
    std::uint32_t end_open = 0;
    std::uint64_t ahead = 1;  // completions of all components that have not begun
  };
  // The node that each component has reached; on the stack unless there are many.
  class Nodes {
   public:
    explicit Nodes(std::size_t components) : many_(components > kFew ? components : 0) {}
    [[nodiscard]] Diagram::Node* data() { return many_.empty() ? few_.data() : many_.data(); }

   private:
    static constexpr std::size_t kFew = 32;
    std::array<Diagram::Node, kFew> few_;
    std::vector<Diagram::Node> many_;
  };
  // One axis on the path of a point.
  struct Passed {
    Diagram::Node node = Diagram::kTerminal;  // node of its component before it
    const Diagram::Edge* edge = nullptr;
    std::uint64_t others = 1;
  };

  void plan_steps();
  void start(Diagram::Node* nodes) const;
  // The completions of all components except the step's own.
  [[nodiscard]] std::uint64_t others(const Step& step, const Diagram::Node* nodes) const {
    std::uint64_t ways = step.ahead;
    for (std::uint32_t i = step.first_open; i < step.end_open; ++i) {
      ways *= diagrams_[open_[i]].count(nodes[open_[i]]);
    }
    return ways;
  }
  bool walk(std::size_t axis, Diagram::Node* nodes, Point& point,
            const std::function<bool()>& visit) const;
  [[nodiscard]] std::optional<std::uint64_t> shifted(std::size_t axis, const Diagram::Edge& other,
                                                     std::span<const Passed> way,
                                                     std::uint64_t index) const;

  std::vector<Diagram> diagrams_;
  std::vector<Step> steps_;          // per axis
  std::vector<std::uint32_t> open_;  // components
  std::uint64_t count_ = 0;
};

}  // namespace warpwright
