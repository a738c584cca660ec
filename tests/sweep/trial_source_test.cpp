// Tests the order of visits: each board once, or twice if boards learn from each other.
#include "sweep/trial_source.h"

#include <gmock/gmock.h>

#include <array>
#include <chrono>

#include "space/brute_force.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Three boards of one GPU, 64 configurations each.
class TrialSourceTest : public ::testing::Test {
 protected:
  TrialSourceTest() {
    space_ = solve_space(
        make_definition({{"X", {1, 2, 3, 4, 5, 6, 7, 8}}, {"Y", {1, 2, 3, 4, 5, 6, 7, 8}}}, {}));
    for (int board = 0; board < 3; ++board) {
      PlannedBoard planned;
      planned.summary.space_count = planned.questions = space_->count();
      planned.space = space_;
      planned.strategy_name = "auto";
      planned.strategy = make_strategy("auto", *space_, {.seed = 1});
      planned.warm_start = true;
      boards_.push_back(std::move(planned));
    }
    budget_.trials = 10;
  }

  // Asks and answers until nothing is left; returns each visit as its board and number of
  // questions.
  std::vector<std::pair<std::size_t, std::size_t>> visits() {
    TrialSource::Clock::time_point now;
    TrialSource source(boards_, goal_, budget_, now, [&] { return now; });
    source.on_begin([&](std::size_t board) {
      begun_.push_back(board);
      across_.push_back(source.across(board));
    });
    source.on_return([&](std::size_t board) {
      returned_.push_back(board);
      across_.push_back(source.across(board));
    });
    std::vector<std::pair<std::size_t, std::size_t>> visits;
    while (const auto question = source.next()) {
      if (visits.empty() || visits.back().first != question->board)
        visits.emplace_back(question->board, 0);
      ++visits.back().second;
      TrialRecord trial;
      trial.median_us = 1.0 + static_cast<double>(question->index);
      now += answer_takes_[question->board];
      source.tell(*question, trial);
      if (abandoned_ && visits.size() == 3) source.abandon(*abandoned_);
    }
    took_ = now - TrialSource::Clock::time_point();
    cut_short_ = source.cut_short();
    for (std::size_t board = 0; board < boards_.size(); ++board) {
      if (boards_[board].group != 0) continue;
      EXPECT_TRUE(source.exhausted(board));
      EXPECT_FALSE(source.between_visits(board));
    }
    return visits;
  }

  std::shared_ptr<SearchSpace> space_;
  std::vector<PlannedBoard> boards_;
  GoalSpec goal_;
  Budget budget_;
  std::vector<std::size_t> begun_, returned_, across_;
  std::optional<std::size_t> abandoned_;
  std::array<std::chrono::milliseconds, 3> answer_takes_{};
  TrialSource::Clock::duration took_{};
  bool cut_short_ = false;
};

TEST_F(TrialSourceTest, BoardsThatLearnAreVisitedAgainTheLastFirst) {
  EXPECT_THAT(visits(), ElementsAre(std::pair(0, 6), std::pair(1, 6), std::pair(2, 10),
                                    std::pair(1, 4), std::pair(0, 4)));
  EXPECT_THAT(begun_, ElementsAre(0, 1, 2));
  EXPECT_THAT(returned_, ElementsAre(2, 1, 0));
  EXPECT_THAT(across_, ElementsAre(2, 2, 2, 4, 4, 4));
}

TEST_F(TrialSourceTest, OneThatDoesNotLearnIsVisitedOnce) {
  boards_[1].warm_start = false;
  EXPECT_THAT(visits(),
              ElementsAre(std::pair(0, 6), std::pair(1, 10), std::pair(2, 10), std::pair(0, 4)));
}

TEST_F(TrialSourceTest, OneAloneIsVisitedOnce) {
  boards_[0].warm_start = boards_[2].warm_start = false;
  EXPECT_THAT(visits(), ElementsAre(std::pair(0, 10), std::pair(1, 10), std::pair(2, 10)));
  EXPECT_THAT(across_, ElementsAre(0, 0, 0));
}

TEST_F(TrialSourceTest, FewTrialsAreNotDivided) {
  budget_.trials = 5;
  EXPECT_THAT(visits(), ElementsAre(std::pair(0, 5), std::pair(1, 5), std::pair(2, 5)));
  EXPECT_THAT(returned_, IsEmpty());
}

TEST_F(TrialSourceTest, NothingIsKeptBackOfATime) {
  budget_.time = std::chrono::minutes(1);
  EXPECT_THAT(visits(), ElementsAre(std::pair(0, 10), std::pair(1, 10), std::pair(2, 10)));
}

TEST_F(TrialSourceTest, ABoardWhoseShareWasTooLittleHasWhatOthersLeave) {
  budget_ = {};
  for (PlannedBoard& board : boards_) board.summary.asked = space_->count();
  budget_.time = std::chrono::seconds(60);
  // The 64 answers take 32 s of 20, then 3.2 of 20 and 6.4 of 36.8: enough for the 25 that are
  // missing.
  answer_takes_ = {std::chrono::milliseconds(500), std::chrono::milliseconds(50),
                   std::chrono::milliseconds(100)};
  EXPECT_THAT(visits(),
              ElementsAre(std::pair(0, 39), std::pair(1, 64), std::pair(2, 64), std::pair(0, 25)));
  EXPECT_THAT(begun_, ElementsAre(0, 1, 2));
  EXPECT_THAT(returned_, ElementsAre(0));
  EXPECT_FALSE(cut_short_);
}

TEST_F(TrialSourceTest, WhatIsLeftIsSharedUntilNoneIs) {
  budget_ = {};
  budget_.time = std::chrono::seconds(60);
  // The third board leaves most of its 20 s to the others, which need 128 s each.
  answer_takes_ = {std::chrono::seconds(2), std::chrono::seconds(2), std::chrono::milliseconds(50)};
  const auto all = visits();
  std::array<std::size_t, 3> asked{};
  for (const auto& [board, questions] : all) asked[board] += questions;
  EXPECT_EQ(asked[2], 64U);
  EXPECT_NEAR(static_cast<double>(asked[0]), static_cast<double>(asked[1]), 1.0);
  EXPECT_GT(took_, std::chrono::seconds(56));
  EXPECT_LE(took_, std::chrono::seconds(60));
  EXPECT_TRUE(cut_short_);
}

TEST_F(TrialSourceTest, ABoardThatIsAbandonedIsNotVisitedAgain) {
  abandoned_ = 0;
  EXPECT_THAT(visits(),
              ElementsAre(std::pair(0, 6), std::pair(1, 6), std::pair(2, 10), std::pair(1, 4)));
  EXPECT_THAT(returned_, ElementsAre(2, 1));
}

TEST_F(TrialSourceTest, BoardsOfOtherGroupsHaveTheirOwnVisits) {
  boards_[2].group = 1;
  EXPECT_THAT(visits(), ElementsAre(std::pair(0, 6), std::pair(1, 10), std::pair(0, 4)))
      << "of the first group";
}

}  // namespace
}  // namespace warpwright::testing
