// Tests the guarantees of every strategy: no configuration is proposed twice, all are proposed in
// the end, the same seed and answers give the same proposals, and answers in any order, failures,
// bounds and several variants are handled.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "search/strategy.h"
#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::make_definition;
using testing::make_group;

// 2,316 configurations; a product is limited, like the threads of a block.
std::unique_ptr<SearchSpace> kernel_like_space() {
  return solve_space(make_definition({{"X", {16, 32, 48, 64, 96, 128, 192, 256}},
                                      {"Y", {1, 2, 4, 8, 16}},
                                      {"TILE", {1, 2, 3, 4, 6, 8}},
                                      {"ORDER", {"rows", "columns", "tiles"}},
                                      {"UNROLL", {1, 2, 4, 8}}},
                                     {"X * Y <= 1024", "X * Y >= 32", "TILE * UNROLL <= 32"}));
}

// Costs multiply, with one interaction; the best has X * Y = 256, TILE = 4, ORDER = tiles, UNROLL =
// 2.
double cost_of(const Configuration& configuration) {
  const auto number = [&](const char* name) { return configuration.values.at(name).as_real(); };
  const std::string order = configuration.values.at("ORDER").as_string();
  const double threads = std::abs(std::log2(number("X") * number("Y") / 256));
  const double tile = std::abs(std::log2(number("TILE") / 4));
  const double unroll = std::abs(std::log2(number("UNROLL") * number("TILE") / 8));
  return 10 * (1 + 0.5 * threads) * (1 + 0.7 * tile) * (1 + 0.2 * unroll) *
         (order == "tiles" ? 1.0 : 1.4) * (1 + number("X") / 10000);
}

class EveryStrategy : public ::testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static std::unique_ptr<Strategy> make(
      const SearchSpace& space, std::uint64_t seed = 1,
      std::optional<std::uint64_t> budget = std::nullopt) {
    return make_strategy(GetParam(), space, {.seed = seed, .values = {}, .budget = budget});
  }

  // The proposals made if `in_flight` of them are pending at a time and they are answered in order.
  static std::vector<std::uint64_t> asked(const SearchSpace& space, Strategy& strategy,
                                          std::size_t budget, std::size_t in_flight = 1) {
    std::vector<std::uint64_t> all;
    std::deque<std::uint64_t> waiting;
    while (true) {
      while (all.size() < budget && waiting.size() < in_flight) {
        const std::optional<std::uint64_t> index = strategy.ask();
        if (!index) break;
        all.push_back(*index);
        waiting.push_back(*index);
      }
      if (waiting.empty()) return all;
      strategy.tell({waiting.front(), cost_of(space.at(waiting.front())), std::nullopt});
      waiting.pop_front();
    }
  }

  static double best(const SearchSpace& space, const std::vector<std::uint64_t>& indices) {
    double least = 1e300;
    for (const std::uint64_t index : indices) least = std::min(least, cost_of(space.at(index)));
    return least;
  }
};

std::set<std::uint64_t> set_of(const std::vector<std::uint64_t>& all) {
  return {all.begin(), all.end()};
}

TEST_P(EveryStrategy, AsksEverythingOnce) {
  const std::unique_ptr<SearchSpace> space =
      solve_space(make_definition({{"A", {1, 2, 3, 4, 5}}, {"B", {1, 2, 3, 4}}}, {"A != B"}));
  for (const std::size_t in_flight : {1, 7, 100}) {
    const std::unique_ptr<Strategy> strategy = make(*space);
    std::set<std::uint64_t> all;
    std::deque<std::uint64_t> waiting;
    while (true) {
      std::optional<std::uint64_t> index;
      while (waiting.size() < in_flight && (index = strategy->ask())) {
        EXPECT_TRUE(all.insert(*index).second);
        waiting.push_back(*index);
      }
      if (waiting.empty()) break;
      strategy->tell({waiting.back(), 1.0 + static_cast<double>(waiting.back()), std::nullopt});
      waiting.pop_back();
    }
    EXPECT_EQ(all.size(), 16U);
    EXPECT_EQ(strategy->ask(), std::nullopt);
  }
}

TEST_P(EveryStrategy, SeedAndAnswersDecide) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  for (const std::size_t in_flight : {1, 16}) {
    const auto drawn = [&](std::uint64_t seed) {
      return asked(*space, *make(*space, seed, 80), 80, in_flight);
    };
    EXPECT_EQ(drawn(3), drawn(3));
    EXPECT_EQ(set_of(drawn(4)).size(), 80U);
    if (GetParam() != "exhaustive") {
      EXPECT_NE(drawn(3), drawn(4));
    }
  }
}

TEST_P(EveryStrategy, GoesOnWhereEverythingFails) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  const std::unique_ptr<Strategy> strategy = make(*space);
  std::set<std::uint64_t> all;
  for (int i = 0; i < 150; ++i) {
    const std::optional<std::uint64_t> index = strategy->ask();
    ASSERT_TRUE(index.has_value());
    EXPECT_LT(*index, space->count());
    EXPECT_TRUE(all.insert(*index).second);
    strategy->tell({*index, std::nullopt, std::nullopt});
  }
}

TEST_P(EveryStrategy, BearsBoundsAndCostsBelowZero) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  const std::unique_ptr<Strategy> strategy = make(*space);
  for (int i = 0; i < 150; ++i) {
    const std::optional<std::uint64_t> index = strategy->ask();
    ASSERT_TRUE(index.has_value());
    const double cost = cost_of(space->at(*index)) - 40;
    if (i % 3 == 0) {
      strategy->tell({*index, std::nullopt, cost});
    } else {
      strategy->tell({*index, cost, std::nullopt});
    }
  }
}

TEST_P(EveryStrategy, IsToldWhatItDidNotAsk) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  const std::unique_ptr<Strategy> strategy = make(*space);
  for (std::uint64_t index = 0; index < 30; ++index)
    strategy->tell({index, cost_of(space->at(index)), std::nullopt});
  EXPECT_EQ(set_of(asked(*space, *strategy, 60)).size(), 60U);
}

TEST_P(EveryStrategy, SpacesOfSeveralVariantsAndOfOneConfiguration) {
  SpaceDefinition definition;
  definition.groups = {
      make_group("plain", {}, {}),
      make_group("tiled", {{"TILE", {1, 2, 4}}, {"ORDER", {"a", "b"}}}, {}),
      make_group("split", {{"TILE", {2, 4, 8}}, {"PARTS", {1, 2, 3, 4}}}, {"TILE * PARTS <= 16"})};
  const std::unique_ptr<SearchSpace> space = solve_space(definition);
  const std::unique_ptr<Strategy> strategy = make(*space);
  std::set<std::uint64_t> all;
  while (const std::optional<std::uint64_t> index = strategy->ask()) {
    EXPECT_TRUE(all.insert(*index).second);
    strategy->tell({*index, 5.0 + static_cast<double>(*index % 7), std::nullopt});
  }
  EXPECT_EQ(all.size(), space->count());

  const std::unique_ptr<SearchSpace> one = solve_space(make_definition({{"A", {1}}}, {}));
  const std::unique_ptr<Strategy> single = make(*one);
  EXPECT_EQ(single->ask(), std::optional<std::uint64_t>(0));
  single->tell({0, 1.0, std::nullopt});
  EXPECT_EQ(single->ask(), std::nullopt);
}

TEST_P(EveryStrategy, AnAstronomicalSpaceIsNoBurden) {
  testing::Axes axes;
  for (char name = 'A'; name <= 'P'; ++name)
    axes.push_back({std::string(1, name), {1, 2, 3, 4, 5, 6, 7, 8}});
  const std::unique_ptr<SearchSpace> space = solve_space(make_definition(axes, {"A <= B"}));
  const std::unique_ptr<Strategy> strategy = make(*space, 1, 60);
  std::set<std::uint64_t> all;
  for (int i = 0; i < 60; ++i) {
    const std::optional<std::uint64_t> index = strategy->ask();
    ASSERT_TRUE(index.has_value());
    EXPECT_LT(*index, space->count());
    EXPECT_TRUE(all.insert(*index).second);
    strategy->tell({*index, 1.0 + static_cast<double>(*index % 1000), std::nullopt});
  }
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& [name, help] : strategy_names()) all.push_back(name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, EveryStrategy, ::testing::ValuesIn(names()),
                         [](const auto& tested) { return tested.param; });

// The strategies that use answers.
class EveryGuidedStrategy : public EveryStrategy {};

TEST_P(EveryGuidedStrategy, FindsBetterThanRandom) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  for (const std::size_t in_flight : {1, 16}) {
    double guided = 0;
    double random = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      guided += std::log(best(*space, asked(*space, *make(*space, seed, 120), 120, in_flight)));
      const std::unique_ptr<Strategy> baseline = make_strategy("random", *space, {.seed = seed});
      random += std::log(best(*space, asked(*space, *baseline, 120)));
    }
    EXPECT_LT(guided, random) << in_flight << " in flight";
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryGuidedStrategy,
                         ::testing::Values("auto", "surrogate", "local", "annealing", "genetic",
                                           "differential_evolution", "particle_swarm"),
                         [](const auto& tested) { return tested.param; });

TEST(LatinHypercube, EveryHalfOfEveryParameterIsAskedForHalfTheTime) {
  const std::unique_ptr<SearchSpace> space =
      solve_space(make_definition({{"A", {1, 2, 3, 4, 5, 6, 7, 8}},
                                   {"B", {1, 2, 3, 4, 5, 6, 7, 8}},
                                   {"C", {1, 2}},
                                   {"D", {1, 2, 3, 4, 5, 6, 7, 8}},
                                   {"E", {1, 2, 3, 4, 5, 6, 7, 8}}},
                                  {}));
  const std::unique_ptr<Strategy> strategy =
      make_strategy("latin_hypercube", *space, {.seed = 5, .values = {}, .budget = 16});
  std::vector<int> low(3, 0);
  for (int i = 0; i < 16; ++i) {
    const SearchSpace::Place place = space->place_at(strategy->ask().value());
    low[0] += place.levels[0] < 4 ? 1 : 0;
    low[1] += place.levels[1] < 4 ? 1 : 0;
    low[2] += place.levels[2] < 1 ? 1 : 0;
  }
  EXPECT_THAT(low, ::testing::ElementsAre(8, 8, 8));
}

TEST(Surrogate, ComesWithinThreePercentOfTheBestOfThousands) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  double best_cost = 1e300;
  for (std::uint64_t i = 0; i < space->count(); ++i)
    best_cost = std::min(best_cost, cost_of(space->at(i)));
  int found = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const std::unique_ptr<Strategy> strategy = make_strategy("auto", *space, {.seed = seed});
    double least = 1e300;
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t index = strategy->ask().value();
      least = std::min(least, cost_of(space->at(index)));
      strategy->tell({index, cost_of(space->at(index)), std::nullopt});
    }
    found += least <= 1.03 * best_cost ? 1 : 0;
  }
  EXPECT_GE(found, 9);
}

TEST(MakeStrategy, OptionsOutOfRangeSayTheRange) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  const auto message = [&](const std::string& name, const std::string& option, Value value) {
    return error_text([&] {
      (void)make_strategy(name, *space, {.seed = 1, .values = {{option, std::move(value)}}});
    });
  };
  EXPECT_EQ(message("genetic", "population", 1),
            "option 'population' of strategy 'genetic' is 1; expected a whole number from 2 to "
            "10000");
  EXPECT_EQ(message("auto", "trees", 2.5),
            "option 'trees' of strategy 'auto' is 2.5; expected a whole number from 1 to 1000");
  EXPECT_EQ(message("particle_swarm", "inertia", "fast"),
            "option 'inertia' of strategy 'particle_swarm' is fast; expected a number from 0 to 2");
  EXPECT_EQ(message("auto", "tree", 3),
            "strategy 'auto' has no option 'tree'; did you mean 'trees'?");
}

TEST(MakeStrategy, ABudgetOfNothingIsRefused) {
  const std::unique_ptr<SearchSpace> space = kernel_like_space();
  EXPECT_EQ(error_text([&] {
              (void)make_strategy("auto", *space, {.seed = 1, .values = {}, .budget = 0});
            }),
            "a search needs a budget of at least 1 trial");
}

}  // namespace
}  // namespace warpwright
