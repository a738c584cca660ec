#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "space/brute_force.h"
#include "space/diagram_builder.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::Axes;
using testing::brute_force;
using testing::error_text;
using testing::make_definition;
using testing::make_group;
using testing::texts_of;

std::size_t differing(const Configuration& a, const Configuration& b) {
  std::size_t count = 0;
  for (const auto& [name, value] : a.values) count += value != b.values.at(name) ? 1 : 0;
  return count;
}

// Checks the choices for every partial assignment that can be completed.
void expect_choices(const SearchSpace& space) {
  using Beginning = std::pair<std::size_t, std::vector<std::uint32_t>>;
  std::map<Beginning, std::map<std::uint32_t, std::uint64_t>> expected;
  for (std::uint64_t i = 0; i < space.count(); ++i) {
    const SearchSpace::Place place = space.place_at(i);
    Beginning beginning{place.group, {}};
    for (const std::uint32_t level : place.levels) {
      ++expected[beginning][level];
      beginning.second.push_back(level);
    }
  }
  for (const auto& [beginning, ways] : expected) {
    std::map<std::uint32_t, std::uint64_t> found;
    for (const SearchSpace::Choice& choice : space.choices({beginning.first, beginning.second}))
      found.emplace(choice.level, choice.ways);
    ASSERT_EQ(found, ways);
  }
}

// Checks the whole interface against the list of valid configurations in order.
void expect_space(const SearchSpace& space, const std::vector<Configuration>& expected) {
  ASSERT_EQ(space.count(), expected.size());
  std::size_t visited = 0;
  space.for_each([&](const Configuration& configuration) {
    EXPECT_EQ(configuration, expected[visited]);
    ++visited;
    return true;
  });
  ASSERT_EQ(visited, expected.size());
  for (std::uint64_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(space.at(i), expected[i]);
    ASSERT_EQ(space.index_of(expected[i]), i);
    ASSERT_EQ(space.index_of(space.place_at(i)), i);
  }
  std::uint64_t next = 0;
  space.for_each_place([&](const SearchSpace::Place& place) {
    EXPECT_EQ(place, space.place_at(next));
    return ++next < expected.size() || expected.empty();
  });
  ASSERT_EQ(next, expected.size());
  expect_choices(space);
}

// Every place of the product has an index if and only if its configuration is valid.
void expect_places(const SearchSpace& space, const SpaceDefinition::Group& group) {
  std::uint64_t found = 0;
  SearchSpace::Place place{0, std::vector<std::uint32_t>(group.axes.size(), 0)};
  for (;;) {
    Configuration configuration;
    for (std::size_t i = 0; i < group.axes.size(); ++i) {
      configuration.values[group.axes[i].name] = group.axes[i].values[place.levels[i]];
    }
    ASSERT_EQ(space.index_of(place), space.index_of(configuration));
    found += space.index_of(place) ? 1 : 0;
    std::size_t digit = place.levels.size();
    while (digit > 0 && ++place.levels[digit - 1] == group.axes[digit - 1].values.size())
      place.levels[--digit] = 0;
    if (digit == 0) break;
  }
  EXPECT_EQ(found, space.count());
}

void expect_neighbours(const SearchSpace& space, const std::vector<Configuration>& expected,
                       std::uint64_t index) {
  std::vector<std::uint64_t> neighbours;
  for (std::uint64_t j = 0; j < expected.size(); ++j) {
    const bool same = expected[j].variant == expected[index].variant;
    if (same && differing(expected[j], expected[index]) == 1) neighbours.push_back(j);
  }
  EXPECT_EQ(space.neighbours(index), neighbours);
}

class RandomSpace : public ::testing::TestWithParam<int> {
 protected:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(generator_() % n); }

  SpaceDefinition::Group random_group() {
    SpaceDefinition::Group group;
    const std::size_t axes = 1 + below(6);
    for (std::size_t i = 0; i < axes; ++i) {
      SearchSpace::Axis& axis = group.axes.emplace_back();
      axis.name = std::string(1, static_cast<char>('A' + i));
      const std::size_t values = 1 + below(5);
      for (std::size_t v = 0; v < values; ++v)
        axis.values.emplace_back(static_cast<int>(1 + v * (1 + below(3))));
      std::shuffle(axis.values.begin(), axis.values.end(), generator_);
      std::sort(axis.values.begin(), axis.values.end());
      axis.values.erase(std::unique(axis.values.begin(), axis.values.end()), axis.values.end());
      std::shuffle(axis.values.begin(), axis.values.end(), generator_);
    }
    const std::vector<std::string> shapes = {
        "@ * @ <= 12",     "@ % @ == 0",        "@ + @ >= @", "@ != 2",
        "@ == @ || @ > 3", "@ * @ * @ < limit", "@ <= @",     "@ > 1.5 || @ < @ / 2"};
    const std::size_t constraints = below(5);
    for (std::size_t c = 0; c < constraints; ++c) {
      std::string text = shapes[below(shapes.size())];
      for (char& letter : text) {
        if (letter == '@') letter = static_cast<char>('A' + below(axes));
      }
      group.constraints.push_back({Expr::parse(text), ""});
    }
    return group;
  }

  std::mt19937_64 generator_{static_cast<std::uint64_t>(GetParam())};
};

TEST_P(RandomSpace, MatchesBruteForce) {
  for (int round = 0; round < 10; ++round) {
    SpaceDefinition definition;
    definition.constants.set("limit", 40);
    definition.groups.push_back(random_group());
    const std::vector<Configuration> expected =
        brute_force(definition.groups[0], definition.constants);
    const std::unique_ptr<SearchSpace> space = solve_space(definition, true);
    expect_space(*space, expected);
    for (std::uint64_t i = 0; i < expected.size(); i += 7) expect_neighbours(*space, expected, i);
    expect_places(*space, definition.groups[0]);
  }
}

// Interleaved components: each changes the block sizes of the others.
TEST_P(RandomSpace, OfInterleavedComponentsMatchesBruteForce) {
  for (int round = 0; round < 4; ++round) {
    SpaceDefinition definition;
    Axes axes;
    for (char name = 'A'; name <= 'G'; ++name) {
      axes.push_back({std::string(1, name), {}});
      for (std::size_t v = 0, n = 1 + below(4); v <= n; ++v) {
        axes.back().values.emplace_back(static_cast<int>(1 + v * (1 + below(2))));
      }
      std::vector<Value>& values = axes.back().values;
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
    }
    const std::vector<std::string> shapes = {"@ * @ <= 8", "@ % @ == 0", "@ + @ != 4", "@ <= @"};
    std::vector<std::string> constraints;
    for (const std::string letters : {"AD", "DF", "BE", "EG", "AF"}) {
      std::string text = shapes[below(shapes.size())];
      text[text.find('@')] = letters[0];
      text[text.find('@')] = letters[1];
      constraints.push_back(text);
    }
    definition.groups.push_back(make_group("", axes, constraints));
    const std::vector<Configuration> expected =
        brute_force(definition.groups[0], definition.constants);
    const std::unique_ptr<SearchSpace> space = solve_space(definition, true);
    expect_space(*space, expected);
    for (std::uint64_t i = 0; i < expected.size(); i += 1 + expected.size() / 10) {
      expect_neighbours(*space, expected, i);
    }
  }
}

TEST_P(RandomSpace, OfListedRowsIsTheList) {
  for (int round = 0; round < 10; ++round) {
    SpaceDefinition definition;
    definition.constants.set("limit", 40);
    definition.groups.push_back(random_group());
    SpaceDefinition::Group& group = definition.groups[0];
    std::vector<Configuration> listed = brute_force(group, definition.constants);
    if (listed.empty()) continue;
    std::shuffle(listed.begin(), listed.end(), generator_);
    listed.resize(1 + below(listed.size()));
    for (const Configuration& configuration : listed) group.rows.push_back(configuration.values);
    group.rows.push_back(listed[0].values);
    const std::unique_ptr<SearchSpace> space = solve_space(definition);
    expect_space(*space, listed);
    for (std::uint64_t i = 0; i < listed.size(); i += 7) expect_neighbours(*space, listed, i);
    expect_places(*space, group);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSpace, ::testing::Range(1, 13));

TEST(SolveSpace, CanonicalOrderFollowsTheListedOrder) {
  const SpaceDefinition definition =
      make_definition({{"B", {4, 1, 2}}, {"A", {2, 1}}}, {"A * B <= 4", "B != 1 || A != 2"});
  EXPECT_EQ(texts_of(*solve_space(definition)),
            (std::vector<std::string>{"A=1 B=4", "A=1 B=1", "A=2 B=2", "A=1 B=2"}));
}

TEST(SolveSpace, InterleavedIndependentParametersKeepTheOrder) {
  const SpaceDefinition definition = make_definition(
      {{"A", {1, 2}}, {"B", {1, 2}}, {"C", {1, 2}}, {"D", {1, 2}}}, {"A == C", "B != D"});
  const std::unique_ptr<SearchSpace> space = solve_space(definition);
  expect_space(*space, brute_force(definition.groups[0], definition.constants));
  EXPECT_EQ(space->cartesian_size(), 16);
}

TEST(SolveSpace, StringsRealsAndBoolsAreValuesLikeOthers) {
  const SpaceDefinition definition = make_definition(
      {{"LAYOUT", {"row", "col"}}, {"SCALE", {0.5, 1.0, 2.0}}, {"PAD", {false, true}}},
      {"LAYOUT == 'row' || SCALE >= 1", "!PAD || LAYOUT != 'col'"});
  const std::unique_ptr<SearchSpace> space = solve_space(definition);
  expect_space(*space, brute_force(definition.groups[0], definition.constants));
  EXPECT_EQ(space->count(), 8U);
}

TEST(SolveSpace, HugeProductsAreCountedExactlyWithoutBeingBuilt) {
  Axes axes;
  std::vector<std::string> constraints;
  for (int i = 0; i < 20; ++i) {
    axes.push_back({fmt::format("P{}", i), {1, 2, 3, 4, 5, 6, 7, 8}});
    if (i > 0) constraints.push_back(fmt::format("P{} != P{}", i, i - 1));
  }
  const std::unique_ptr<SearchSpace> space = solve_space(make_definition(axes, constraints));
  std::uint64_t expected = 8;
  for (int i = 1; i < 20; ++i) expected *= 7;
  EXPECT_EQ(space->count(), expected);
  EXPECT_EQ(space->cartesian_size(), std::pow(8, 20));
  const std::uint64_t middle = space->count() / 3;
  EXPECT_EQ(space->index_of(space->at(middle)), middle);
  EXPECT_EQ(space->index_of(space->at(space->count() - 1)), space->count() - 1);
}

TEST(SolveSpace, ManyIndependentParametersAreNoDifferent) {
  Axes axes;
  for (int i = 0; i < 40; ++i) axes.push_back({fmt::format("P{}", i), {0, 1}});
  const std::unique_ptr<SearchSpace> space = solve_space(make_definition(axes, {}));
  EXPECT_EQ(space->count(), std::uint64_t{1} << 40);
  const std::uint64_t index = 0x5a5a5a5a5aULL;
  EXPECT_EQ(space->index_of(space->place_at(index)), index);
  std::vector<std::uint64_t> neighbours;
  for (int bit = 0; bit < 40; ++bit) neighbours.push_back(index ^ (std::uint64_t{1} << bit));
  std::sort(neighbours.begin(), neighbours.end());
  EXPECT_EQ(space->neighbours(index), neighbours);
}

TEST(SolveSpace, MoreThanSixtyThreeBitsOfConfigurationsIsAnError) {
  Axes axes;
  for (int i = 0; i < 22; ++i) axes.push_back({fmt::format("P{}", i), {1, 2, 3, 4, 5, 6, 7, 8}});
  EXPECT_EQ(error_text([&] { (void)solve_space(make_definition(axes, {})); }),
            "the search space has more than 2^63 configurations; add constraints");
}

TEST(SolveSpace, OutgrowingTheMemoryIsAnErrorThatNamesTheParameter) {
  // A scattering constraint, so that no two remainders of an assignment are equal.
  Axes axes;
  std::string scattered;
  for (char name = 'A'; name <= 'F'; ++name) {
    axes.push_back({std::string(1, name), {}});
    for (int v = 1; v <= 16; ++v) axes.back().values.emplace_back(v * v * 7919 + v * name);
    scattered += fmt::format("{}{} * {}", scattered.empty() ? "" : " ^ ", name, 1000 + 77 * name);
  }
  const SpaceDefinition::Group group = make_group("", axes, {"(" + scattered + ") % 1009 < 300"});
  GroupProblem problem(group, Environment());
  DiagramBuilder builder(problem, 0, std::size_t{1} << 20);
  const std::string message = error_text([&] { (void)builder.build(); });
  EXPECT_TRUE(
      message.starts_with("the search space is too large to solve: more than 1 MiB at parameter '"))
      << message;
}

TEST(SolveSpace, ForEachStopsWhenToldTo) {
  const std::unique_ptr<SearchSpace> space =
      solve_space(make_definition({{"A", {1, 2, 3, 4}}}, {}));
  int visited = 0;
  space->for_each([&](const Configuration&) { return ++visited < 2; });
  EXPECT_EQ(visited, 2);
  space->for_each_place([&](const SearchSpace::Place&) { return ++visited < 5; });
  EXPECT_EQ(visited, 5);
}

TEST(SolveSpace, ForeignConfigurationsHaveNoIndex) {
  const std::unique_ptr<SearchSpace> space =
      solve_space(make_definition({{"A", {1, 2}}, {"B", {1, 2}}}, {"A != B"}));
  EXPECT_EQ(space->index_of({"", {{"A", 1}, {"B", 2}}}), 0U);
  EXPECT_EQ(space->index_of({"", {{"A", 1}, {"B", 1}}}), std::nullopt);
  EXPECT_EQ(space->index_of({"", {{"A", 1}}}), std::nullopt);
  EXPECT_EQ(space->index_of({"", {{"A", 1}, {"C", 2}}}), std::nullopt);
  EXPECT_EQ(space->index_of({"", {{"A", 1}, {"B", 7}}}), std::nullopt);
  EXPECT_EQ(space->index_of({"", {{"A", 1}, {"B", 2.0}}}), std::nullopt);
  EXPECT_EQ(space->index_of({"v", {{"A", 1}, {"B", 2}}}), std::nullopt);
  EXPECT_THROW((void)space->at(2), Error);
}

TEST(SolveSpace, VariantsFollowEachOtherWithTheirOwnParameters) {
  SpaceDefinition definition;
  definition.groups.push_back(make_group("one", {{"A", {1, 2}}, {"B", {1, 2, 3}}}, {"A <= B"}));
  definition.groups.push_back(make_group("two", {{"A", {1, 2}}}, {"variant == 'two'"}));
  const std::unique_ptr<SearchSpace> space = solve_space(definition);
  EXPECT_EQ(texts_of(*space),
            (std::vector<std::string>{"one A=1 B=1", "one A=1 B=2", "one A=1 B=3", "one A=2 B=2",
                                      "one A=2 B=3", "two A=1", "two A=2"}));
  EXPECT_EQ(space->cartesian_size(), 8);
  EXPECT_EQ(space->variants(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(space->axes("two").size(), 1U);
  EXPECT_EQ(space->axes("three").size(), 0U);
  EXPECT_EQ(space->neighbours(6), std::vector<std::uint64_t>{5});
  for (std::uint64_t i = 0; i < space->count(); ++i) EXPECT_EQ(space->index_of(space->at(i)), i);
  std::uint64_t next = 0;
  space->for_each_place([&](const SearchSpace::Place& place) {
    EXPECT_EQ(place, space->place_at(next++));
    return true;
  });
  EXPECT_EQ(next, space->count());
}

TEST(SolveSpace, AnEmptyVariantAmongOthersIsNoError) {
  SpaceDefinition definition;
  definition.groups.push_back(make_group("one", {{"A", {1, 2}}}, {"A > 2"}));
  definition.groups.push_back(make_group("two", {{"A", {1, 2}}}, {}));
  EXPECT_EQ(texts_of(*solve_space(definition)), (std::vector<std::string>{"two A=1", "two A=2"}));
}

}  // namespace
}  // namespace warpwright
