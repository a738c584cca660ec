// Compares the solver that uses expression graphs with the one that tests constraints one by one.
#include "space/graph_solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "core/random_expression.h"
#include "space/brute_force.h"
#include "space/diagram_builder.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::Axes;
using testing::error_text;
using testing::make_definition;
using testing::make_group;
using testing::RandomExpression;
using Points = std::vector<std::vector<std::uint32_t>>;

void collect_points(const Diagram& diagram, Diagram::Node node, std::size_t left,
                    std::vector<std::uint32_t>& point, Points& points) {
  if (left == 0) return points.push_back(point);
  for (const Diagram::Edge& edge : diagram.edges(node)) {
    point.push_back(edge.value);
    collect_points(diagram, edge.child, left - 1, point, points);
    point.pop_back();
  }
}

Points points_of(const Diagram& diagram, std::size_t levels) {
  Points points;
  std::vector<std::uint32_t> point;
  if (!diagram.empty()) collect_points(diagram, diagram.root(), levels, point, points);
  return points;
}

// Counts the results of the compared components.
struct Compared {
  int unplanned = 0;
  int faults = 0;
  int empty = 0;
  int solved = 0;
};

void compare_solvers(const SpaceDefinition::Group& group, Compared& compared) {
  GroupProblem problem(group, Environment());
  if (problem.emptied_by() != nullptr) return;
  for (std::size_t i = 0; i < problem.components.size(); ++i) {
    DiagramBuilder builder(problem, i);
    const Diagram expected = builder.build();
    std::optional<SolvePlan> plan = SolvePlan::make(problem, i);
    if (!plan) {
      ++compared.unplanned;
      continue;
    }
    const std::optional<Diagram> solved = GraphSolver(problem, *std::move(plan)).build();
    if (builder.fault()) {
      // Bounds may reject an assignment that would fail; graph bounds ignore constraints that may
      // fail.
      ASSERT_FALSE(solved);
      ++compared.faults;
    } else if (solved) {
      const std::size_t levels = problem.components[i].size();
      ASSERT_EQ(points_of(*solved, levels), points_of(expected, levels));
      ++(solved->empty() ? compared.empty : compared.solved);
    }
  }
}

std::string with_letters(std::string text, std::size_t letters, RandomExpression& random) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>('A' + random.below(letters));
  }
  return text;
}

Axes random_axes(std::size_t count, std::int64_t low, RandomExpression& random) {
  Axes axes;
  for (std::size_t i = 0; i < count; ++i) {
    SearchSpace::Axis& axis = axes.emplace_back();
    axis.name = std::string(1, static_cast<char>('A' + i));
    std::int64_t value = low;
    for (std::size_t v = 0, n = 1 + random.below(6); v < n; ++v) {
      value += random.between(1, 3);
      axis.values.emplace_back(value);
    }
  }
  return axes;
}

TEST(GraphSolver, AgreesOnRandomConstraintsThatMayFail) {
  RandomExpression random(23);
  Compared compared;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t letters = 2 + random.below(4);
    std::vector<std::string> constraints;
    for (std::size_t c = 0, n = 1 + random.below(3); c < n; ++c) {
      constraints.push_back(with_letters(random.text(3), letters, random));
    }
    compare_solvers(make_group("", random_axes(letters, -3, random), constraints), compared);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared.faults, 50);
  EXPECT_GT(compared.empty, 20);
  EXPECT_GT(compared.solved, 500);
}

TEST(GraphSolver, AgreesOnRandomConstraintsOfTheUsualShapes) {
  const std::vector<std::string> shapes = {"A % B == 0",
                                           "A * B <= 40",
                                           "A * B * C < 90",
                                           "12 <= A * B && A * B <= 60",
                                           "(A * B + 2 * C) * (D * E + 2 * C) * 4 <= 3000",
                                           "A == 4 || B % A == 0",
                                           "A != B",
                                           "C > 2 && A * B != 12",
                                           "A <= (B + C - 1) / C",
                                           "A == 1 || (D % B == 0)",
                                           "(A * B) % (C * D) == 0",
                                           "D > 3 ? A <= B : B <= A",
                                           "max(A, B, C) - min(A, B, C) < 5"};
  RandomExpression random(29);
  Compared compared;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t letters = 3 + random.below(4);
    std::vector<std::string> constraints;
    for (std::size_t c = 0, n = 1 + random.below(5); c < n; ++c) {
      constraints.push_back(with_letters(shapes[random.below(shapes.size())], letters, random));
    }
    compare_solvers(make_group("", random_axes(letters, 0, random), constraints), compared);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(compared.faults, 0);
  EXPECT_GT(compared.solved, 1000);
}

// Large enough that useless bounds are dropped.
TEST(GraphSolver, AgreesWhereBoundsAreDropped) {
  Axes axes;
  for (char name = 'A'; name <= 'E'; ++name) {
    axes.push_back({std::string(1, name), {}});
    for (int v = 1; v <= 9; ++v) axes.back().values.emplace_back(v * (name - 'A' + 1) + v % 3);
  }
  Compared compared;
  compare_solvers(make_group("", axes,
                             {"A * B + C * D + E <= 700", "(A + B * C) % 7 != 3",
                              "A * B * C * D * E <= 2000000", "(A ^ C) + (B ^ E) < 60"}),
                  compared);
  EXPECT_EQ(compared.solved, 1);
}

TEST(GraphSolver, StatesThatDoNotFitAKeyAreSolvedAllTheSame) {
  Axes axes;
  std::string sum = "0";
  std::string product = "1";
  for (char name = 'A'; name <= 'H'; ++name) {
    axes.push_back({std::string(1, name), {1, 3, 1 << 20, 1 << 28}});
    sum += std::string(" + ") + name;
    product += std::string(" * ") + name;
  }
  Compared compared;
  compare_solvers(make_group("", axes, {sum + " > 5000", product + " > 5", "(A ^ H) > 2"}),
                  compared);
  // The product of all parameters exceeds 64 bits for some assignments, which is a fault.
  EXPECT_EQ(compared.faults, 1);
  compared = {};
  for (SearchSpace::Axis& axis : axes) axis.values = {1, 3, 1 << 13, 1 << 15};
  compare_solvers(make_group("", axes,
                             {"A * B > 5", "B * C * H > 9", "A + C + D + E + F < 1 << 16",
                              "A * 7 + D * 13 != F * G"}),
                  compared);
  EXPECT_EQ(compared.solved, 1);
}

TEST(GraphSolver, TheLowestIntegerIsNoFault) {
  const std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  const std::unique_ptr<SearchSpace> space = solve_space(
      make_definition({{"A", {lowest, 1}}, {"B", {lowest, 2}}}, {"A == B || A + B == 3"}), true);
  EXPECT_EQ(space->count(), 2U);
  EXPECT_EQ(
      solve_space(make_definition({{"A", {lowest + 1, 5}}, {"B", {1}}}, {"A - B < 0"}))->count(),
      1U);
}

// Products of primes are all different, so value states recur no more often than parameter states.
TEST(GraphSolver, CachesThatKnowNothingGiveWayToTheDiagram) {
  const SpaceDefinition::Group group =
      make_group("",
                 {{"A", {2, 3, 5, 7, 11, 13, 17, 19, 23, 29}},
                  {"B", {31, 37, 41, 43, 47, 53, 59, 61, 67, 71}},
                  {"C", {73, 79, 83, 89, 97, 101, 103, 107, 109, 113}},
                  {"D", {127, 131, 137, 139, 149, 151, 157, 163, 167, 173}},
                  {"E", {1, 2, 3}}},
                 {"A * B * C * D % 1009 > E", "A * B * C * D * E != 7"});
  const GroupProblem problem(group, Environment());
  Diagram free = *GraphSolver(problem, *SolvePlan::make(problem, 0)).build();
  Diagram tight =
      *GraphSolver(problem, *SolvePlan::make(problem, 0), std::size_t{96} << 10).build();
  EXPECT_EQ(points_of(tight, 5), points_of(free, 5));
}

TEST(GraphSolver, OutgrowingTheMemoryIsAnErrorThatNamesTheParameter) {
  Axes axes;
  std::string scattered;
  for (char name = 'A'; name <= 'F'; ++name) {
    axes.push_back({std::string(1, name), {}});
    for (int v = 1; v <= 16; ++v) axes.back().values.emplace_back(v * v * 7919 + v * name);
    scattered += (scattered.empty() ? "" : " ^ ") + std::string(1, name) + " * 1077";
  }
  const SpaceDefinition::Group group = make_group("", axes, {"(" + scattered + ") % 1009 < 300"});
  const GroupProblem problem(group, Environment());
  GraphSolver solver(problem, *SolvePlan::make(problem, 0), std::size_t{1} << 20);
  const std::string message = error_text([&] { (void)solver.build(); });
  EXPECT_TRUE(
      message.starts_with("the search space is too large to solve: more than 1 MiB at parameter '"))
      << message;
}

}  // namespace
}  // namespace warpwright
