// Sweeps that search: how many questions are open at a time, when they end by themselves, and what
// they keep of how they went.
#include <gmock/gmock.h>

#include "analysis/insight/run_history.h"
#include "support/scripted_sweep.h"
#include "sweep/sweep_plan.h"
#include "sweep/trial_source.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

class SearchingSweep : public ScriptedSweep {
 protected:
  SearchingSweep() { options_.strategy = "auto"; }

  // A plan made separately, with answers that the test sets.
  SweepPlan plan() const {
    SweepOptions options = options_;
    options.config = folder_.path() / "square.yaml";
    Paths paths;
    paths.home = folder_.path();
    paths.kernel_roots = {folder_.path() / "kernels"};
    return make_plan(options, paths, {device("cuda:0", true)});
  }
  static TrialRecord took(double us) {
    TrialRecord trial;
    trial.median_us = us;
    return trial;
  }
};

TEST_F(SearchingSweep, WhatLearnsWaitsForAnswers) {
  write_sweep("32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384", "{n: 1}", "0, 1, 2, 3");
  options_.budget = parse_budget("42");
  SweepPlan planned = plan();
  TrialSource source(planned.boards, planned.goal, planned.budget, TrialSource::Clock::now());
  source.allow_open(6);
  std::vector<TrialSource::Question> open;
  while (auto question = source.next()) open.push_back(*question);
  EXPECT_THAT(open, SizeIs(6)) << "as many as may be open";
  EXPECT_FALSE(source.exhausted(0));
  source.tell(open.back(), took(10));
  EXPECT_TRUE(source.next()) << "one was answered";
  EXPECT_FALSE(source.next());

  options_.strategy = "random";
  SweepPlan deaf = plan();
  TrialSource all(deaf.boards, deaf.goal, deaf.budget, TrialSource::Clock::now());
  all.allow_open(6);
  std::size_t asked = 0;
  while (all.next()) ++asked;
  EXPECT_EQ(asked, 42u);
}

TEST_F(SearchingSweep, ASixthOfASmallBudgetIsOpenAtMost) {
  write_sweep("32, 64, 96, 128, 160, 192, 224, 256", "{n: 1}", "0, 1, 2, 3");
  options_.budget = parse_budget("30");
  SweepPlan planned = plan();
  TrialSource source(planned.boards, planned.goal, planned.budget, TrialSource::Clock::now());
  std::size_t asked = 0;
  while (source.next()) ++asked;
  EXPECT_EQ(asked, 5u);
}

TEST_F(SearchingSweep, KeepsHowItWent) {
  write_sweep("32, 64, 96, 128, 160, 192, 224, 256", "{n: 1}");
  options_.budget = parse_budget("5");
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.ended, RunEnd::kBudget);
  ASSERT_THAT(summary.searches, SizeIs(1));
  const SearchCourse& course = summary.searches.front();
  EXPECT_EQ(course.answered, 5u);
  EXPECT_EQ(course.space, 8u);
  EXPECT_EQ(course.ended, "budget");
  ASSERT_FALSE(course.steps.empty());
  std::uint64_t asked = 0;
  for (const auto& [asker, count] : course.asked) asked += count;
  EXPECT_EQ(asked, 5u);
  const std::vector<Leaderboard> boards = leaderboards();
  const SearchCourses courses(Database(database_, OpenMode::kReadOnly));
  const FoundCourse* found = courses.find(boards.front());
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->course, course);
  EXPECT_EQ(boards.front().goal, nullptr) << "a search is not a goal";
}

TEST_F(SearchingSweep, EndsNearTheLimit) {
  write_sweep("32, 64, 96, 128, 160, 192, 224, 256", "{n: 1}");
  options_.until = 0.03;
  options_.compile_workers = 1;
  options_.limit_us = [](const std::string&, const TrialRecord&) { return 250.0; };
  const SweepSummary summary = sweep();
  EXPECT_EQ(summary.ended, RunEnd::kEnough);
  EXPECT_LT(summary.trials, 8u);
  EXPECT_THAT(summary.searches.front().ended, HasSubstr("of the device's limit"));
}

TEST_F(SearchingSweep, WithoutABudgetItSaysWhenMoreIsUnlikelyToPay) {
  write_sweep("32, 64, 96, 128", "{n: 1}");
  EXPECT_DOUBLE_EQ(plan().budget.until.value(), kUsualGain);
  options_.strategy = "random";
  EXPECT_FALSE(plan().budget.until);
}

}  // namespace
}  // namespace warpwright::testing
