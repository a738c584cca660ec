#include "analysis/compare/portfolio.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "analysis/sample_selection.h"
#include "analysis/select/select_configuration.h"

namespace warpwright {
namespace {

using testing::sample_board;
using testing::sample_configuration;
using testing::sample_contract;
using testing::sample_problem;

// `count` configurations of `wide`, tuned on a row of problems: the best number of threads grows
// with the rows, and neighbours are nearly as good.
SelectionModel staircase(int count, int problems) {
  SelectionModel model;
  model.contract = sample_contract();
  model.devices = {{"NVIDIA H200", "sm_90a", {{"max_shared", 1 << 20}, {"sm_count", 132}}}};
  for (int i = 0; i < count; ++i)
    model.configurations.push_back(sample_configuration(
        0, 32 * (i + 1), "none", 0.5, "wide THREADS=" + std::to_string(32 * (i + 1))));
  for (int p = 0; p < problems; ++p) {
    const int best = p * (count - 1) / std::max(1, problems - 1);
    model.boards.push_back(
        sample_board(0, sample_problem(16 << p, 8), static_cast<std::size_t>(best), 10));
  }
  for (int i = 0; i < count; ++i) {
    std::vector<int>& row = model.fractions.emplace_back();
    for (const SelectionBoard& board : model.boards)
      row.push_back(std::max(100, 1000 - 60 * std::abs(i - static_cast<int>(board.winner))));
  }
  return model;
}

TEST(Portfolio, WinnersStayAndKeepTheirProblems) {
  const SelectionModel full = staircase(40, 5);
  SelectionModel model = full;
  reduce_to_portfolio(model);
  ASSERT_LT(model.configurations.size(), full.configurations.size());
  for (std::size_t i = 0; i < full.boards.size(); ++i)
    EXPECT_EQ(model.configurations[model.boards[i].winner].text,
              full.configurations[full.boards[i].winner].text);
}

TEST(Portfolio, LosesNoMoreThanIsTolerated) {
  const SelectionModel full = staircase(40, 5);
  SelectionModel model = full;
  reduce_to_portfolio(model, {.most = 40, .tolerated = 0.01, .per_board = 40});
  for (const std::int64_t rows : {16, 22, 45, 90, 181, 256, 512}) {
    const auto sizes = sample_problem(rows, 8);
    const double all = select_configuration(full, full.devices[0], sizes).score;
    EXPECT_GE(select_configuration(model, full.devices[0], sizes).score, all - 0.011) << rows;
  }
}

TEST(Portfolio, IsNoLargerThanAskedUnlessWinnersAre) {
  SelectionModel model = staircase(40, 5);
  reduce_to_portfolio(model, {.most = 6, .tolerated = 0, .per_board = 40});
  EXPECT_LE(model.configurations.size(), 6U);
  model = staircase(40, 5);
  reduce_to_portfolio(model, {.most = 1, .tolerated = 0, .per_board = 40});
  EXPECT_EQ(model.configurations.size(), 5U);
}

TEST(Portfolio, KeepsWhatConstraintsAskFor) {
  // K = 8 needs 32 threads; problems with twice the K need at least 64.
  SelectionModel model = staircase(4, 1);
  reduce_to_portfolio(model);
  bool serves_twice_k = false;
  for (const SelectionConfiguration& one : model.configurations)
    serves_twice_k |= one.values[0].as_integer() >= 64;
  EXPECT_TRUE(serves_twice_k);
}

TEST(Portfolio, DoesNotDependOnTheOrderOfTrials) {
  SelectionModel model = staircase(12, 3);
  SelectionModel reversed = model;
  std::reverse(reversed.configurations.begin(), reversed.configurations.end());
  std::reverse(reversed.fractions.begin(), reversed.fractions.end());
  for (SelectionBoard& board : reversed.boards) board.winner = 11 - board.winner;
  reduce_to_portfolio(model);
  reduce_to_portfolio(reversed);
  ASSERT_EQ(model.configurations.size(), reversed.configurations.size());
  for (std::size_t i = 0; i < model.configurations.size(); ++i)
    EXPECT_EQ(model.configurations[i].text, reversed.configurations[i].text);
  EXPECT_EQ(model.fractions, reversed.fractions);
}

TEST(LeavingOut, NeighboursPredictAFlatLandscape) {
  SelectionModel model = staircase(5, 5);
  judge_by_leaving_out(model);
  EXPECT_EQ(model.left_out, 5U);
  EXPECT_EQ(model.left_out_good, 5U) << "a neighbour's winner reaches 0.94";
}

TEST(LeavingOut, OneProblemOfItsKindCannotBeLeftOut) {
  SelectionModel model = staircase(5, 1);
  judge_by_leaving_out(model);
  EXPECT_EQ(model.left_out, 0U);
}

TEST(LeavingOut, APickThatWasNotTimedThereIsBad) {
  SelectionModel model = staircase(2, 2);
  model.fractions = {{1000, kUnknownFraction}, {kUnknownFraction, 1000}};
  model.boards[0].winner = 0;
  model.boards[1].winner = 1;
  judge_by_leaving_out(model);
  EXPECT_EQ(model.left_out, 2U);
  EXPECT_EQ(model.left_out_good, 0U);
}

}  // namespace
}  // namespace warpwright
