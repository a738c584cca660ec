// Tests how strategies use estimates of other sources: good ones save proposals, bad ones cost few.
#include <gmock/gmock.h>

#include <cmath>
#include <functional>
#include <limits>

#include "search/strategy.h"
#include "space/brute_force.h"

namespace warpwright {
namespace {

using testing::make_definition;

using Costs = std::function<double(std::uint64_t)>;
constexpr std::size_t kMaxQuestions = 200;

class Beliefs : public ::testing::Test {
 protected:
  Beliefs() {
    space_ = solve_space(make_definition({{"X", {16, 32, 48, 64, 96, 128, 192, 256}},
                                          {"Y", {1, 2, 4, 8, 16}},
                                          {"TILE", {1, 2, 3, 4, 6, 8}},
                                          {"ORDER", {"rows", "columns", "tiles"}},
                                          {"UNROLL", {1, 2, 4, 8}}},
                                         {"X * Y <= 1024", "X * Y >= 32"}));
    for (std::uint64_t i = 0; i < space_->count(); ++i) best_ = std::min(best_, truth(i));
  }

  // Rugged enough that the best cannot be guessed at once.
  [[nodiscard]] double truth(std::uint64_t index) const {
    const SearchSpace::Place place = space_->place_at(index);
    double cost = 10 + static_cast<double>(index * 2654435761U % 1000) / 4000;
    cost *= 1 + 0.3 * std::abs(static_cast<double>(place.levels[0]) - 5);
    cost *= 1 + 0.4 * std::abs(static_cast<double>(place.levels[1]) - 2);
    cost *= 1 + 0.3 * std::abs(static_cast<double>(place.levels[2]) - 4);
    return cost * (place.levels[3] == 2 ? 1 : 1.3) * (place.levels[4] == 1 ? 1 : 1.1);
  }

  // The mean number of proposals until one is within 2 % of the best, over several seeds.
  [[nodiscard]] double questions(const Costs& said, std::uint64_t every = 1,
                                 std::size_t after = 0) const {
    double sum = 0;
    constexpr std::uint64_t seeds = 12;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const auto strategy = make_strategy("auto", *space_, {.seed = seed});
      std::size_t asked = 0;
      double least = std::numeric_limits<double>::infinity();
      while (least > 1.02 * best_ && asked < kMaxQuestions) {
        if (said && asked == after) {
          for (std::uint64_t i = 0; i < space_->count(); i += every)
            strategy->believe(0, i, said(i));
        }
        const std::uint64_t index = strategy->ask().value();
        strategy->tell({index, truth(index)});
        least = std::min(least, truth(index));
        ++asked;
      }
      sum += static_cast<double>(asked);
    }
    return sum / seeds;
  }

  std::unique_ptr<SearchSpace> space_;
  double best_ = std::numeric_limits<double>::infinity();
};

TEST_F(Beliefs, ATruthfulSourceSavesMostQuestions) {
  const double alone = questions({});
  // The estimates are in other units and off by up to 10 % here and there.
  const Costs good = [&](std::uint64_t index) {
    return truth(index) * (3 + 0.3 * static_cast<double>(index * 40503U % 97) / 97);
  };
  EXPECT_LT(questions(good), 0.5 * alone);
  // A source that covers a fifth of the space saves some.
  EXPECT_LT(questions(good, 5), 0.9 * alone);
  // A late source still helps.
  EXPECT_LT(questions(good, 1, 12), 12 + 0.5 * alone);
}

TEST_F(Beliefs, AMisleadingSourceCostsAFewQuestions) {
  const double alone = questions({});
  const Costs reversed = [&](std::uint64_t index) { return 1 / truth(index); };
  const Costs noise = [](std::uint64_t index) {
    return 1 + static_cast<double>(index * 2246822519U % 1009);
  };
  EXPECT_LT(questions(reversed), alone + 10);
  EXPECT_LT(questions(noise), alone + 12);
}

TEST_F(Beliefs, WhatIsBelievedBestIsAskedFirstAndSaysSo) {
  const auto strategy = make_strategy("auto", *space_, {.seed = 3});
  for (std::uint64_t i = 0; i < space_->count(); ++i)
    strategy->believe(0, i, i == 77 ? 1 : 2 + static_cast<double>(i % 13));
  EXPECT_EQ(strategy->ask(), std::optional<std::uint64_t>(77));
  EXPECT_EQ(strategy->asker(), "believed");
  EXPECT_TRUE(strategy->ask().has_value());
  EXPECT_EQ(strategy->asker(), "spread");
}

TEST_F(Beliefs, SeveralSourcesTakeTurnsUntilAllHaveHadTheirs) {
  const auto strategy = make_strategy("auto", *space_, {.seed = 3});
  strategy->believe(0, 5, 1);
  strategy->believe(2, 9, 1);
  std::vector<std::uint64_t> believed;
  for (int i = 0; i < 12; ++i) {
    const std::uint64_t index = strategy->ask().value();
    if (strategy->asker() == "believed") believed.push_back(index);
    strategy->tell({index, truth(index)});
  }
  EXPECT_THAT(believed, ::testing::ElementsAre(5, 9));
}

TEST_F(Beliefs, WhatASourceSaysIsBestAfterItsQuestionIsAskedNext) {
  const auto strategy = make_strategy("auto", *space_, {.seed = 3});
  const auto ask = [&] {
    const std::uint64_t index = strategy->ask().value();
    strategy->tell({index, truth(index)});
    return index;
  };
  strategy->believe(0, 77, 5);
  EXPECT_EQ(ask(), 77U);
  for (int i = 0; i < 20; ++i) ask();
  // More estimates that are worse do not change the best. A better untried one does, and the next
  // best follow it.
  strategy->believe(0, 1, 7);
  strategy->believe(0, 2, 6);
  ask();
  EXPECT_NE(strategy->asker(), "believed");
  strategy->believe(0, 3, 4);
  EXPECT_EQ(ask(), 3U);
  EXPECT_EQ(strategy->asker(), "believed");
  EXPECT_EQ(ask(), 2U);
  EXPECT_EQ(ask(), 1U);
  EXPECT_EQ(strategy->asker(), "believed");
  ask();
  EXPECT_NE(strategy->asker(), "believed");
}

TEST_F(Beliefs, TheSourceThatWasRightIsHeardMoreOften) {
  const auto strategy = make_strategy("auto", *space_, {.seed = 3});
  for (std::uint64_t i = 0; i < space_->count(); ++i) {
    strategy->believe(0, i, 1 / truth(i));
    strategy->believe(1, i, truth(i));
  }
  // The first proposal of each source is its best.
  const auto wrong = strategy->ask();
  std::vector<double> believed;
  strategy->tell({*wrong, truth(*wrong)});
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t index = strategy->ask().value();
    if (strategy->asker() == "believed") believed.push_back(truth(index));
    strategy->tell({index, truth(index)});
  }
  ASSERT_EQ(believed.size(), 5U) << "six of all sources";
  for (const double cost : believed) EXPECT_LT(cost, truth(*wrong));
}

TEST_F(Beliefs, AreBorneByEveryStrategyWhateverTheySay) {
  for (const auto& [name, help] : strategy_names()) {
    const auto asked = [&, &kind = name] {
      const auto strategy = make_strategy(kind, *space_, {.seed = 3});
      std::vector<std::uint64_t> all;
      for (std::uint64_t i = 0; i < 60; ++i) {
        strategy->believe(i % 3, i * 7, i % 5 == 0 ? 0 : static_cast<double>(i));
        strategy->believe(0, 1'000'000'000 + i, 1);
        strategy->believe(1, i, std::numeric_limits<double>::infinity());
        all.push_back(strategy->ask().value());
        strategy->tell({all.back(), truth(all.back())});
      }
      return all;
    };
    EXPECT_EQ(asked(), asked()) << name;
  }
}

TEST_F(Beliefs, OfVeryManyTheBestAreKept) {
  testing::Axes axes;
  for (char name = 'A'; name <= 'D'; ++name)
    axes.push_back({std::string(1, name), {1, 2, 3, 4, 5, 6, 7, 8}});
  const auto space = solve_space(make_definition(axes, {}));
  const auto strategy = make_strategy("auto", *space, {.seed = 1});
  for (std::uint64_t i = 0; i < space->count(); ++i)
    strategy->believe(0, i, 1 + std::abs(static_cast<double>(i) - 1234));
  EXPECT_EQ(strategy->ask(), std::optional<std::uint64_t>(1234));
}

}  // namespace
}  // namespace warpwright
