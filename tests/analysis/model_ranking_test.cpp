#include <gmock/gmock.h>

#include <set>

#include "analysis/compare/agreement.h"
#include "analysis/sample_rows.h"

namespace warpwright::testing {
namespace {

std::vector<ModelledConfiguration> modelled_and_measured(
    const std::vector<std::pair<double, double>>& pairs) {
  std::vector<ModelledConfiguration> all;
  for (const auto& [modelled, measured] : pairs)
    all.push_back({{"c" + std::to_string(all.size()), true, measured}, modelled});
  return all;
}

TEST(ModelOrder, TheSameOrderHasTauOne) {
  const ModelRanking ranking = rank_model(modelled_and_measured({{1, 10}, {2, 20}, {3, 30}}));
  EXPECT_EQ(ranking.drawn, 3u);
  EXPECT_DOUBLE_EQ(*ranking.tau, 1.0);
  EXPECT_DOUBLE_EQ(ranking.best_pick, 1.0);
}

TEST(ModelOrder, StoppedOnesCountOnlyInTheFirstTau) {
  std::vector<ModelledConfiguration> all = modelled_and_measured({{1, 10}, {2, 20}, {3, 5}});
  all[2].measured.timed = false;
  const ModelRanking ranking = rank_model(all);
  EXPECT_NEAR(*ranking.tau, -1.0 / 3, 1e-12);
  EXPECT_DOUBLE_EQ(*ranking.tau_timed, 1.0);
}

TEST(ModelOrder, TheBestOfTheFirstTenPicksIsHeldAgainstTheBestOfAll) {
  std::vector<std::pair<double, double>> pairs;
  for (int i = 0; i < 20; ++i) pairs.emplace_back(i, 100 - i);  // the model's order is reversed
  const ModelRanking ranking = rank_model(modelled_and_measured(pairs));
  EXPECT_EQ(ranking.picks, kModelPicks);
  EXPECT_DOUBLE_EQ(ranking.best_pick, 91.0 / 81);
}

TEST(ModelOrder, ChanceIsThatOfDrawingWithoutReplacement) {
  std::vector<std::pair<double, double>> pairs = {{0, 10}};
  for (int i = 1; i < 20; ++i) pairs.emplace_back(i, 100);
  EXPECT_NEAR(rank_model(modelled_and_measured(pairs)).chance, 10.0 / 20,
              1e-12);  // one good one, ten of twenty
  EXPECT_DOUBLE_EQ(rank_model(modelled_and_measured({{1, 10}, {2, 10.5}})).chance,
                   1.0);  // all are good
}

TEST(ModelOrder, OneConfigurationHasNoOrder) {
  EXPECT_EQ(rank_model(modelled_and_measured({{1, 10}})).tau, std::nullopt);
}

TEST(DrawConfigurations, DrawsEachOnceAndEqualSeedsDrawEqually) {
  std::vector<MeasuredConfiguration> all;
  for (int i = 0; i < 50; ++i) all.push_back({"c" + std::to_string(i), true, 1});
  const auto names = [](const std::vector<MeasuredConfiguration>& drawn) {
    std::vector<std::string> texts;
    for (const MeasuredConfiguration& one : drawn) texts.push_back(one.configuration);
    return texts;
  };
  const std::vector<std::string> first = names(draw_configurations(all, 20, 1, "k n=1"));
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), 20u);
  EXPECT_EQ(first, names(draw_configurations(all, 20, 1, "k n=1")));
  EXPECT_NE(first, names(draw_configurations(all, 20, 2, "k n=1")));
  EXPECT_NE(first, names(draw_configurations(all, 20, 1, "k n=2")));
  EXPECT_EQ(draw_configurations(all, 100, 1, "k n=1").size(), 50u);
}

TEST(MeasuredConfigurations, AreThoseTimedOrStoppedInTheWordsOfProfile) {
  RowMaker make;
  Database::TrialRow pruned = make.failed("flat", "A=2", Status::kPruned, "slower");
  pruned.trial.at_least_us = 30;
  const std::vector<Leaderboard> boards =
      make_leaderboards({make.ok("flat", "A=1", 20), pruned,
                         make.failed("flat", "A=3", Status::kWrongResult, "wrong")});
  ASSERT_EQ(boards.size(), 1u);
  const std::vector<MeasuredConfiguration> found = measured_configurations(boards[0]);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].configuration, "variant=flat A=1");
  EXPECT_TRUE(found[0].timed);
  EXPECT_EQ(found[1].measured_us, 30);
  EXPECT_FALSE(found[1].timed);
}

}  // namespace
}  // namespace warpwright::testing
