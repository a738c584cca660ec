// Tests which part of a strategy made a proposal, and estimates of what is left.
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <set>

#include "search/pareto_search.h"
#include "search/strategy.h"
#include "space/brute_force.h"

namespace warpwright {
namespace {

using testing::make_definition;

std::unique_ptr<SearchSpace> bowl_space() {
  std::vector<Value> levels;
  for (int i = 1; i <= 40; ++i) levels.emplace_back(i);
  return solve_space(make_definition({{"X", levels}, {"Y", levels}}, {}));
}

double bowl(const SearchSpace& space, std::uint64_t index) {
  const SearchSpace::Place place = space.place_at(index);
  return 10 + std::abs(static_cast<double>(place.levels[0]) - 30) +
         2 * std::abs(static_cast<double>(place.levels[1]) - 7);
}

std::set<std::string> askers_of(Strategy& strategy, const SearchSpace& space, int questions) {
  std::set<std::string> askers;
  for (int i = 0; i < questions; ++i) {
    const std::uint64_t index = strategy.ask().value();
    askers.insert(strategy.asker());
    strategy.tell({index, bowl(space, index)});
  }
  return askers;
}

TEST(Asker, IsThePartThatHadTheIdea) {
  const auto space = bowl_space();
  const auto strategy = make_strategy("auto", *space, {.seed = 1, .first = {17}});
  EXPECT_EQ(strategy->asker(), "");
  EXPECT_EQ(strategy->ask(), std::optional<std::uint64_t>(17));
  EXPECT_EQ(strategy->asker(), "default");
  strategy->tell({17, bowl(*space, 17)});
  const std::set<std::string> known = {"spread", "forest", "local", "crossing", "random"};
  const std::set<std::string> askers = askers_of(*strategy, *space, 150);
  for (const std::string& asker : askers) EXPECT_TRUE(known.contains(asker)) << asker;
  for (const char* asker : {"spread", "forest", "local"})
    EXPECT_TRUE(askers.contains(asker)) << asker;
}

TEST(Asker, IsTheStrategyWhereItHasNoParts) {
  const auto space = bowl_space();
  for (const auto& [name, help] : strategy_names()) {
    if (name == "auto" || name == "surrogate") continue;
    const auto strategy = make_strategy(name, *space, {.seed = 1});
    EXPECT_EQ(askers_of(*strategy, *space, 60), std::set<std::string>{name});
  }
}

TEST(Asker, SpreadsOnWhileHardlyAnythingIsAnswered) {
  const auto space = bowl_space();
  const auto spreads = [&](std::size_t in_flight) {
    const auto strategy = make_strategy("auto", *space, {.seed = 1});
    std::deque<std::uint64_t> open;
    std::size_t count = 0;
    for (int i = 0; i < 40; ++i) {
      if (open.size() == in_flight) {
        strategy->tell({open.front(), bowl(*space, open.front())});
        open.pop_front();
      }
      open.push_back(strategy->ask().value());
      if (strategy->asker() == "spread") ++count;
    }
    return count;
  };
  // Half of the 10 sample points are answered before the other half is proposed.
  EXPECT_EQ(spreads(1), 10U);
  EXPECT_EQ(spreads(5), 10U);
  // The 17th proposal is made with 1 answer, the 20th with 4.
  EXPECT_EQ(spreads(16), 20U);
  // The sample never grows further, however late answers are.
  EXPECT_EQ(spreads(40), 20U);
}

TEST(Asker, OfSeveralObjectivesIsThatOfTheDirection) {
  const auto space = bowl_space();
  const auto strategy = make_pareto_search("genetic", *space, {.seed = 1}, 2);
  EXPECT_TRUE(strategy->ask().has_value());
  EXPECT_EQ(strategy->asker(), "genetic");
}

TEST(Outlook, IsUnknownAtFirstAndOfThoseThatDoNotLearn) {
  const auto space = bowl_space();
  const auto strategy = make_strategy("auto", *space, {.seed = 1});
  EXPECT_FALSE(strategy->outlook(0.01).has_value());
  const auto random = make_strategy("random", *space, {.seed = 1});
  (void)askers_of(*random, *space, 50);
  EXPECT_FALSE(random->outlook(0.01).has_value());
}

TEST(Outlook, DimsAsTheSearchGoesOn) {
  const auto space = bowl_space();
  const auto strategy = make_strategy("auto", *space, {.seed = 1});
  (void)askers_of(*strategy, *space, 15);
  const Outlook early = strategy->outlook(0.01).value();
  (void)askers_of(*strategy, *space, 285);
  const Outlook late = strategy->outlook(0.01).value();
  EXPECT_GT(early.chance, 0.5);
  EXPECT_LT(late.chance, 0.2);
  EXPECT_GT(late.chance, 0);
  EXPECT_GT(late.likely_best, 8);
  EXPECT_LT(late.likely_best, 20);
}

TEST(Outlook, IsNothingWhereNothingIsLeft) {
  const auto space = bowl_space();
  const auto strategy = make_strategy("auto", *space, {.seed = 1});
  for (std::uint64_t i = 0; i < space->count(); ++i) strategy->tell({i, bowl(*space, i)});
  EXPECT_EQ(strategy->outlook(0.01).value().chance, 0);
}

TEST(Outlook, DoesNotMoveWhatIsAskedNext) {
  const auto space = bowl_space();
  const auto asked = [&](bool looking) {
    const auto strategy = make_strategy("auto", *space, {.seed = 1});
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 60; ++i) {
      all.push_back(strategy->ask().value());
      strategy->tell({all.back(), bowl(*space, all.back())});
      if (looking) (void)strategy->outlook(0.01);
    }
    return all;
  };
  EXPECT_EQ(asked(false), asked(true));
}

}  // namespace
}  // namespace warpwright
