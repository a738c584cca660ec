#include "search/strategy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::make_definition;

std::unique_ptr<SearchSpace> small_space() {
  return solve_space(make_definition({{"A", {1, 2, 3, 4, 5}}, {"B", {1, 2, 3, 4}}}, {"A != B"}));
}

std::vector<std::uint64_t> drain(Strategy& strategy) {
  std::vector<std::uint64_t> asked;
  while (const std::optional<std::uint64_t> index = strategy.ask()) {
    asked.push_back(*index);
    strategy.tell({*index, std::nullopt});
  }
  return asked;
}

std::vector<std::uint64_t> drained(const std::string& name, std::uint64_t seed) {
  const std::unique_ptr<SearchSpace> space = small_space();
  return drain(*make_strategy(name, *space, {.seed = seed, .values = {}}));
}

TEST(Exhaustive, AsksEverythingInOrder) {
  const std::vector<std::uint64_t> asked = drained("exhaustive", 1);
  ASSERT_EQ(asked.size(), 16U);
  for (std::uint64_t i = 0; i < 16; ++i) EXPECT_EQ(asked[i], i);
}

TEST(Exhaustive, StaysFinished) {
  const std::unique_ptr<SearchSpace> space = small_space();
  const std::unique_ptr<Strategy> strategy = make_strategy("exhaustive", *space, {});
  EXPECT_EQ(drain(*strategy).size(), 16U);
  EXPECT_EQ(strategy->ask(), std::nullopt);
}

TEST(Random, AsksEverythingOnce) {
  const std::vector<std::uint64_t> asked = drained("random", 1);
  EXPECT_EQ(std::set<std::uint64_t>(asked.begin(), asked.end()).size(), 16U);
  EXPECT_EQ(asked.size(), 16U);
  EXPECT_FALSE(std::is_sorted(asked.begin(), asked.end()));
}

TEST(Random, TheSeedDecides) {
  EXPECT_EQ(drained("random", 3), drained("random", 3));
  EXPECT_NE(drained("random", 3), drained("random", 4));
}

TEST(Random, EachConfigurationIsEquallyLikelyToComeFirst) {
  const std::unique_ptr<SearchSpace> space = small_space();
  std::vector<int> first(16, 0);
  for (std::uint64_t seed = 0; seed < 4800; ++seed) {
    ++first[*make_strategy("random", *space, {.seed = seed})->ask()];
  }
  double chi_square = 0;
  for (const int count : first) chi_square += (count - 300.0) * (count - 300.0) / 300.0;
  EXPECT_LT(chi_square, 37.7);  // 15 degrees of freedom, 99.9th percentile
}

TEST(Random, AnAstronomicalSpaceIsNoBurden) {
  testing::Axes axes;
  for (char name = 'A'; name <= 'T'; ++name)
    axes.push_back({std::string(1, name), {1, 2, 3, 4, 5, 6, 7, 8}});
  const std::unique_ptr<SearchSpace> space = solve_space(make_definition(axes, {"A <= B"}));
  const std::unique_ptr<Strategy> strategy = make_strategy("random", *space, {});
  std::set<std::uint64_t> asked;
  for (int i = 0; i < 500; ++i) {
    const std::optional<std::uint64_t> index = strategy->ask();
    ASSERT_TRUE(index.has_value());
    EXPECT_LT(*index, space->count());
    asked.insert(*index);
  }
  EXPECT_EQ(asked.size(), 500U);
}

TEST(MakeStrategy, EveryListedNameCanBeMade) {
  const std::unique_ptr<SearchSpace> space = small_space();
  EXPECT_FALSE(strategy_names().empty());
  for (const auto& [name, help] : strategy_names()) {
    EXPECT_NE(make_strategy(name, *space, {}), nullptr);
    EXPECT_FALSE(help.empty());
  }
}

TEST(MakeStrategy, UnknownNameSuggestsTheNearest) {
  const std::unique_ptr<SearchSpace> space = small_space();
  EXPECT_EQ(error_text([&] { (void)make_strategy("exhaustiv", *space, {}); }),
            "unknown strategy 'exhaustiv'; did you mean 'exhaustive'?");
}

TEST(MakeStrategy, UnknownOptionIsRefused) {
  const std::unique_ptr<SearchSpace> space = small_space();
  const StrategyOptions options{.seed = 1, .values = {{"population", 20}}};
  EXPECT_EQ(error_text([&] { (void)make_strategy("random", *space, options); }),
            "strategy 'random' has no option 'population'; it takes none");
}

}  // namespace
}  // namespace warpwright
