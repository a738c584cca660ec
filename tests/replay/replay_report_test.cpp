#include "replay/replay_report.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "replay/replay_text.h"
#include "replay/sample_recordings.h"
#include "stats/random_search.h"

namespace warpwright {
namespace {

using testing::line_of;

struct Replayed {
  std::vector<Recording> recordings;
  ReplayPlan plan;
  ReplayReport report;
};

// Three runs of one strategy with a budget of 4, written by hand.
Replayed three_runs() {
  Replayed made;
  made.recordings.push_back(line_of({8, 2, 4, 0, 2.08}));
  made.plan.strategies = {{"scripted"}};
  made.plan.budgets = {4};
  made.plan.repeats = 3;
  ReplayResults results(1, made.plan);
  results.all()[0] = {{0, 1}, {2e-6F, 4e-6F}};
  results.all()[1] = {{3, 2, 0, 4}, {3e-6F, 3e-6F, 3e-6F, 9e-6F}};
  results.all()[2] = {{3}, {}};
  made.report = make_replay_report(made.recordings, made.plan, results);
  return made;
}

TEST(ReplayReport, ScoresAreMeansWithTheirStandardError) {
  const ReplayReport report = three_runs().report;
  const BudgetScore& score = report.recordings[0].strategies[1].budgets[0];
  const double middle = 2 / 2.08;
  const double mean = (1 + middle + 0) / 3;
  EXPECT_EQ(score.scores.size(), 3U);
  EXPECT_NEAR(score.score, mean, 1e-15);
  const double squares = std::pow(1 - mean, 2) + std::pow(middle - mean, 2) + mean * mean;
  EXPECT_NEAR(*score.standard_error, std::sqrt(squares / 2 / 3), 1e-15);
  EXPECT_NEAR(score.area, ((0.25 + 3) / 4 + (0 + 0.5 + 0.5 + middle) / 4 + 0) / 3, 1e-15);
  EXPECT_NEAR(score.evaluations, 7.0 / 3, 1e-15);
}

TEST(ReplayReport, HalfOfTheRunsDecideWhenTheBestIsNear) {
  const ReplayReport report = three_runs().report;
  const NearBestAfter& near = report.recordings[0].strategies[1].budgets[0].near;
  EXPECT_EQ(near.within_5, 4U);
  EXPECT_EQ(near.within_1, std::nullopt);
}

TEST(ReplayReport, RunsThatWereNeverNearCountAsEndedInTheMean) {
  const ReplayReport report = three_runs().report;
  const NearBestAfter& near = report.recordings[0].strategies[1].budgets[0].near;
  EXPECT_NEAR(near.mean_5, (2 + 4 + 4) / 3.0, 1e-12);
  EXPECT_NEAR(near.mean_1, (2 + 4 + 4) / 3.0, 1e-12);
  // One and two of five are near, so this is the sum of the chances that none of the draws was.
  const NearBestAfter& random = report.recordings[0].strategies[0].budgets[0].near;
  EXPECT_NEAR(random.mean_1, 1 + 0.8 + 0.6 + 0.4, 1e-12);
  EXPECT_NEAR(random.mean_5, 1 + 0.6 + 0.3 + 0.1, 1e-12);
}

TEST(ReplayReport, OwnTimeIsOverAllQuestions) {
  const ReplayReport report = three_runs().report;
  const QuestionSeconds& question = report.recordings[0].strategies[1].question;
  EXPECT_EQ(question.questions, 6U);
  EXPECT_NEAR(question.median, 3e-6, 1e-12);
  EXPECT_NEAR(question.mean, 4e-6, 1e-12);
}

TEST(ReplayReport, RandomSearchComesFirstAndIsExact) {
  const Replayed made = three_runs();
  const StrategyScores& random = made.report.recordings[0].strategies[0];
  const RandomSearch exact(made.recordings[0].times(), 5);
  EXPECT_TRUE(random.exact);
  EXPECT_EQ(random.budgets[0].score, exact.expected_score(4));
  EXPECT_EQ(random.budgets[0].area, exact.expected_area(4));
  EXPECT_EQ(random.budgets[0].standard_error, std::nullopt);
  // With one of five, three draws are the fewest that find it more often than not.
  EXPECT_EQ(random.budgets[0].near.within_1, 3U);
  EXPECT_EQ(random.budgets[0].near.within_5, 2U);
}

TEST(ReplayReport, CurvesHoldMeanAndQuartiles) {
  const ReplayReport report = three_runs().report;
  const ScoreCurve& curve = report.recordings[0].strategies[1].budgets[0].curve;
  EXPECT_EQ(curve.at, (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_DOUBLE_EQ(curve.mean[1], 0.5);  // of 1, 0.5 and 0
  EXPECT_DOUBLE_EQ(curve.low[1], 0.25);
  EXPECT_DOUBLE_EQ(curve.high[1], 0.75);
}

TEST(ReplayReport, OneRunHasNoStandardError) {
  std::vector<Recording> recordings;
  recordings.push_back(line_of({1, 2}));
  ReplayPlan plan;
  plan.strategies = {{"random"}};
  plan.budgets = {1};
  plan.repeats = 1;
  const ReplayReport report = make_replay_report(recordings, plan, replay(recordings, plan));
  EXPECT_EQ(report.recordings[0].strategies[1].budgets[0].standard_error, std::nullopt);
  EXPECT_TRUE(report.mean.empty());
}

TEST(ReplayReport, OverRecordingsMeansAreOfMeans) {
  std::vector<Recording> recordings;
  recordings.push_back(line_of({1, 2, 3, 4}, "a"));
  recordings.push_back(line_of({0, 0, 5, 4, 3, 2, 1}, "b"));
  ReplayPlan plan;
  plan.strategies = {{"random"}};
  plan.budgets = {2, 9};
  plan.repeats = 30;
  const ReplayReport report = make_replay_report(recordings, plan, replay(recordings, plan));
  for (std::size_t s = 0; s < 2; ++s) {
    const BudgetScore& a = report.recordings[0].strategies[s].budgets[0];
    const BudgetScore& b = report.recordings[1].strategies[s].budgets[0];
    const BudgetScore& mean = report.mean[s].budgets[0];
    EXPECT_NEAR(mean.score, (a.score + b.score) / 2, 1e-15);
    EXPECT_NEAR(mean.area, (a.area + b.area) / 2, 1e-15);
    if (s == 1) {
      double squares = 0;
      for (std::size_t i = 0; i < 30; ++i)
        squares += std::pow((a.scores[i] + b.scores[i]) / 2 - mean.score, 2);
      EXPECT_NEAR(*mean.standard_error, std::sqrt(squares / 29 / 30), 1e-15);
    }
    EXPECT_NEAR(report.mean[s].budgets[1].score, 1, 1e-15) << "9 draws are all there are";
  }
}

TEST(ReplayText, IsATableForEachRecording) {
  EXPECT_EQ(replay_text(three_runs().recordings, three_runs().plan, three_runs().report, {}),
            "1 recording, 3 runs of each strategy at budget 4: seeds 1 to 3, 1 question at a time\n"
            "score: the best time there is / the best found, mean ± standard error; random search "
            "is exact\n"
            "\n"
            "line: 5 configurations, best 2,000 µs (measured), 1 failed\n"
            "strategy       score at 4       auc  to 5 %   to 1 %      own µs\n"
            "─────────────  ─────────────  ─────  ──────  ───────  ──────────\n"
            "random, exact  0.992          0.822  2, 2.0   3, 2.8           -\n"
            "scripted       0.654 ± 0.327  0.434  4, 3.3  >4, 3.3  3.00, 4.00\n"
            "\n"
            "auc: mean of the score so far over 4 evaluations; to 5 %, to 1 %: evaluations until "
            "half of the runs of 4 were that near the best, and in the mean, runs that never were "
            "counting as ended; own µs: of the strategy itself for a question, median and mean, "
            "measured here\n");
}

TEST(ReplayJson, HoldsEverything) {
  const Replayed made = three_runs();
  const nlohmann::json json = replay_json(made.recordings, made.plan, made.report);
  EXPECT_EQ(json["budgets"], nlohmann::json({4}));
  const nlohmann::json& recording = json["recordings"][0];
  EXPECT_EQ(recording["configurations"], 5);
  EXPECT_EQ(recording["succeeded"], 4);
  EXPECT_EQ(recording["scores"][0]["exact"], true);
  EXPECT_EQ(recording["scores"][0]["question_us"], nullptr);
  const nlohmann::json& score = recording["scores"][1]["budgets"][0];
  EXPECT_EQ(score["scores"].size(), 3U);
  EXPECT_EQ(score["within_5_percent"], 4);
  EXPECT_EQ(score["within_1_percent"], nullptr);
  EXPECT_NEAR(score["within_5_percent_mean"].get<double>(), 10 / 3.0, 1e-12);
  EXPECT_EQ(score["curve"]["at"].size(), 4U);
}

}  // namespace
}  // namespace warpwright
