#include <gmock/gmock.h>

#include "replay/replay.h"
#include "replay/sample_recordings.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using testing::line_of;

// Asks the scripted questions, and records the answers.
class Scripted : public Strategy {
 public:
  explicit Scripted(std::vector<std::uint64_t> questions) : questions_(std::move(questions)) {}

  std::optional<std::uint64_t> ask() override {
    if (next_ == questions_.size()) return std::nullopt;
    log.push_back("ask " + std::to_string(questions_[next_]));
    return questions_[next_++];
  }
  void tell(const Answer& answer) override {
    log.push_back("tell " + std::to_string(answer.index) + " " +
                  (answer.cost ? std::to_string(static_cast<int>(*answer.cost)) : "failed"));
  }

  std::vector<std::string> log;

 private:
  std::vector<std::uint64_t> questions_;
  std::size_t next_ = 0;
};

// 1 is the best; 3 fails.
Recording five() { return line_of({8, 2, 4, 0, 2.08}); }

ReplayRun run_of(std::vector<std::uint64_t> questions, std::uint64_t budget,
                 std::uint64_t in_flight = 1) {
  Scripted strategy(std::move(questions));
  return run_strategy(strategy, five(), {budget, in_flight});
}

TEST(RunStrategy, TellsTimesAndFailures) {
  Scripted strategy({0, 3});
  (void)run_strategy(strategy, five(), {10});
  EXPECT_THAT(strategy.log, ElementsAre("ask 0", "tell 0 8000", "ask 3", "tell 3 failed"));
}

TEST(RunStrategy, RepeatsAreFreeAndAnswered) {
  Scripted strategy({0, 0, 2, 0, 1});
  const ReplayRun run = run_strategy(strategy, five(), {3});
  EXPECT_THAT(run.evaluated, ElementsAre(0U, 2U, 1U));
  EXPECT_EQ(run.question_seconds.size(), 5U);
  EXPECT_THAT(strategy.log, ::testing::Contains("tell 0 8000").Times(3));
}

TEST(RunStrategy, AFailureCostsOne) {
  EXPECT_THAT(run_of({3, 0, 1}, 2).evaluated, ElementsAre(3U, 0U));
}

TEST(RunStrategy, EndsWithTheBudgetOrTheStrategy) {
  EXPECT_THAT(run_of({4, 3, 2, 1, 0}, 3).evaluated, ElementsAre(4U, 3U, 2U));
  EXPECT_THAT(run_of({4, 3}, 3).evaluated, ElementsAre(4U, 3U));
}

TEST(RunStrategy, OneThatOnlyRepeatsItselfHasEnded) {
  const ReplayRun run = run_of(std::vector<std::uint64_t>(kMaxRepeats + 100, 2), 3);
  EXPECT_THAT(run.evaluated, ElementsAre(2U));
  EXPECT_EQ(run.question_seconds.size(), kMaxRepeats + 1);
}

TEST(RunStrategy, QuestionsInFlightAreAnsweredInTheirOrder) {
  Scripted strategy({0, 1, 2, 3, 4});
  const ReplayRun run = run_strategy(strategy, five(), {4, 3});
  EXPECT_THAT(strategy.log, ElementsAre("ask 0", "ask 1", "ask 2", "tell 0 8000", "ask 3",
                                        "tell 1 2000", "tell 2 4000", "tell 3 failed"));
  EXPECT_THAT(run.evaluated, ElementsAre(0U, 1U, 2U, 3U));
}

// Asks nothing new until it received an answer.
class Waiting : public Strategy {
 public:
  std::optional<std::uint64_t> ask() override {
    if (asked_ > told_ || asked_ == 5) return std::nullopt;
    return asked_++;
  }
  void tell(const Answer& /*answer*/) override { ++told_; }

 private:
  std::uint64_t asked_ = 0, told_ = 0;
};

TEST(RunStrategy, OneThatWaitsForAnswersIsAskedAgain) {
  Waiting strategy;
  EXPECT_EQ(run_strategy(strategy, five(), {5, 4}).evaluated.size(), 5U);
}

TEST(RunStrategy, StopsWhenItIsAskedTo) {
  const std::atomic<bool> stop{true};
  Scripted strategy({0, 1});
  EXPECT_TRUE(run_strategy(strategy, five(), {5, 1, &stop}).evaluated.empty());
}

TEST(ScoreRun, IsTheBestThereIsOverTheBestFound) {
  const RunScore score = score_run({{3, 0, 2}, {}}, five(), 4);
  EXPECT_DOUBLE_EQ(score.score, 0.5);
  EXPECT_DOUBLE_EQ(score.area, (0 + 0.25 + 0.5 + 0.5) / 4);
  EXPECT_EQ(score.within_5, std::nullopt);
}

TEST(ScoreRun, NothingFoundIsZero) {
  const RunScore score = score_run({{3}, {}}, five(), 5);
  EXPECT_EQ(score.score, 0);
  EXPECT_EQ(score.area, 0);
}

TEST(ScoreRun, CountsUntilTheBestIsNear) {
  const RunScore score = score_run({{0, 4, 1}, {}}, five(), 5);
  EXPECT_EQ(score.within_5, 2U);
  EXPECT_EQ(score.within_1, 3U);
}

TEST(ScoreCurve, StaysAsItIsOnceTheRunHasEnded) {
  EXPECT_THAT(score_curve({{3, 0, 2}, {}}, five(), 5), ElementsAre(0, 0.25, 0.5, 0.5, 0.5));
}

}  // namespace
}  // namespace warpwright
