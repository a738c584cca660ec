// Tests how a search uses the answers of other boards: they help if problems are alike and do no
// harm if they are not.
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <set>

#include "search/known_boards.h"
#include "space/brute_force.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using testing::make_definition;
using ::testing::Pair;
using ::testing::SizeIs;

class AcrossBoards : public ::testing::Test {
 protected:
  AcrossBoards() {
    space_ = solve_space(make_definition({{"X", {16, 32, 48, 64, 96, 128, 192, 256}},
                                          {"Y", {1, 2, 4, 8, 16}},
                                          {"TILE", {1, 2, 3, 4, 6, 8}}},
                                         {}));
  }
  static Problem problem(std::int64_t rows) { return {{"rows", Value(rows)}}; }

  // The best X grows with the rows.
  [[nodiscard]] double cost(std::int64_t rows, std::uint64_t index) const {
    const SearchSpace::Place place = space_->place_at(index);
    const double x = std::log2(static_cast<double>(rows));
    double cost = static_cast<double>(rows) * 10;
    cost *= 1 + 0.3 * std::abs(static_cast<double>(place.levels[0]) - x);
    cost *= 1 + 0.4 * std::abs(static_cast<double>(place.levels[1]) - 2);
    return cost * (1 + 0.3 * std::abs(static_cast<double>(place.levels[2]) - 4));
  }
  [[nodiscard]] BoardAnswers answers(std::int64_t rows, std::uint64_t every) const {
    BoardAnswers answers{problem(rows), {}};
    for (std::uint64_t index = 0; index < space_->count(); index += every)
      answers.costs.emplace_back(index, cost(rows, index));
    return answers;
  }
  // The least cost of the first proposals, divided by the least cost in the space.
  [[nodiscard]] double least_of(std::size_t questions, const std::vector<BoardAnswers>& others,
                                std::uint64_t seed = 3,
                                std::vector<std::string>* askers = nullptr) const {
    const auto strategy = make_strategy("auto", *space_, {.seed = seed, .budget = 20});
    strategy->compare(problem(16), others, questions);
    double least = std::numeric_limits<double>::infinity(), best = least;
    for (std::uint64_t index = 0; index < space_->count(); ++index)
      best = std::min(best, cost(16, index));
    for (std::size_t i = 0; i < questions; ++i) {
      const std::uint64_t index = strategy->ask().value();
      if (askers != nullptr) askers->push_back(strategy->asker());
      least = std::min(least, cost(16, index));
      strategy->tell({index, cost(16, index)});
    }
    return least / best;
  }

  std::unique_ptr<SearchSpace> space_;
};

TEST_F(AcrossBoards, WhatTheyHaveInCommonSavesQuestions) {
  double alone = 0, compared = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    alone += least_of(12, {}, seed) - 1;
    compared += least_of(12, {answers(4, 5), answers(8, 7), answers(64, 5)}, seed) - 1;
  }
  EXPECT_LT(compared, alone);
}

TEST_F(AcrossBoards, TwoAreAskedAtTheirWordTheOthersWithWhatIsLearntHere) {
  std::vector<std::string> askers;
  (void)least_of(12, {answers(4, 5), answers(8, 7), answers(64, 5)}, 3, &askers);
  const std::vector<std::string> first(askers.begin(), askers.begin() + 6);
  EXPECT_THAT(first,
              ElementsAre("other boards", "other boards", "spread", "spread", "spread", "spread"));
  EXPECT_THAT(std::vector<std::string>(askers.begin() + 6, askers.end()),
              ::testing::Each("other boards"));
}

TEST_F(AcrossBoards, WithoutAnyTheSearchAsksWhatItAlwaysAsks) {
  const auto compared = make_strategy("auto", *space_, {.seed = 3, .budget = 20});
  const auto alone = make_strategy("auto", *space_, {.seed = 3, .budget = 20});
  compared->compare(problem(16), {}, 5);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t index = alone->ask().value();
    EXPECT_EQ(compared->ask().value(), index);
    EXPECT_NE(compared->asker(), "other boards");
    alone->tell({index, cost(16, index)});
    compared->tell({index, cost(16, index)});
  }
}

TEST_F(AcrossBoards, NoQuestionIsAskedTwice) {
  const auto strategy = make_strategy("auto", *space_, {.seed = 3, .budget = 300});
  strategy->compare(problem(16), {answers(4, 5)}, 1000);
  std::set<std::uint64_t> asked;
  while (const auto index = strategy->ask()) {
    EXPECT_TRUE(asked.insert(*index).second);
    // Some fail, and some are never answered.
    if (*index % 5 == 1) continue;
    Answer answer{*index};
    if (*index % 7 != 0) answer.cost = cost(16, *index);
    strategy->tell(answer);
  }
  EXPECT_THAT(asked, SizeIs(space_->count()));
}

TEST_F(AcrossBoards, CostsThatAreNoneAreNotHeard) {
  std::vector<std::string> askers;
  BoardAnswers wrong{problem(8), {{0, 0}, {1, -1}, {space_->count(), 3}}};
  (void)least_of(1, {wrong}, 3, &askers);
  EXPECT_THAT(askers, ElementsAre(::testing::Ne("other boards")));
}

TEST_F(AcrossBoards, OnlyTimesThatWereTakenAlikeAreCompared) {
  const auto known = [&](const std::string& arch, bool modelled, std::int64_t rows) {
    KnownBoard board;
    board.board = {"f" + arch, "name " + arch, arch, modelled, problem(rows), ""};
    board.costs = {{space_->at(2), 5.0}};
    return board;
  };
  const std::vector<KnownBoard> boards = {known("sm_90a", false, 64), known("sm_90a", true, 16),
                                          known("sm_80", false, 16), known("sm_90a", false, 32)};
  const std::vector<BoardAnswers> answers =
      answers_of(boards, {"f", "name", "sm_90a", false, problem(16), ""}, *space_);
  ASSERT_THAT(answers, SizeIs(2));
  EXPECT_EQ(answers[0].problem, problem(32)) << "the most alike first";
  EXPECT_THAT(answers[0].costs, ElementsAre(Pair(2u, 5.0)));
}

}  // namespace
}  // namespace warpwright
