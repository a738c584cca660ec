// Races of equal contestants, and races with a slower one.
#include "harness/selftest/ranking_section.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>

#include "core/error.h"
#include "harness/known_device.h"

namespace warpwright::testing {
namespace {

// The last of eight contestants takes `slower` times as long.
RaceRuns runs_of(double slower, int races) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal(50, 0.1);
  RaceRuns runs;
  runs.slower_permille = static_cast<int>(1000 * (slower - 1));
  for (int race = 0; race < races; ++race) {
    std::vector<std::vector<double>> rounds(30, std::vector<double>(8));
    for (auto& round : rounds) {
      for (double& time : round) time = normal(random);
      round.back() *= slower;
    }
    runs.race_us.push_back(rounds);
  }
  return runs;
}

TEST(Ranking, EqualContestantsStay) {
  const Figure figure = equal_figure(runs_of(1, 25));
  EXPECT_TRUE(figure.passed()) << figure.value;
  EXPECT_THAT(figure.detail, ::testing::HasSubstr("of 200 contestants in 25 races"));
}

TEST(Ranking, AnExclusionAmongEqualsShows) {
  // Half of the contestants of one race of four are slower: 4 of 32.
  RaceRuns runs = runs_of(1, 4);
  for (auto& round : runs.race_us[0])
    for (std::size_t i = 4; i < round.size(); ++i) round[i] *= 1.1;
  const Figure figure = equal_figure(runs);
  EXPECT_DOUBLE_EQ(figure.value, 12.5);
  EXPECT_FALSE(figure.passed());
}

TEST(Ranking, ASlowerContestantIsExcluded) {
  EXPECT_DOUBLE_EQ(slower_figure(runs_of(1.02, 25)).value, 100);
  EXPECT_EQ(slower_figure(runs_of(1.02, 25)).name, "2 % slower one excluded");
}

TEST(Ranking, ASlowerContestantThatStaysShows) {
  EXPECT_FALSE(slower_figure(runs_of(1, 25)).passed());
}

TEST(Ranking, RacesOnAKnownDeviceHaveThirtyRoundsOfEight) {
  KnownBench known;
  const RaceRuns runs = run_races(known.bench, 2, 20);
  ASSERT_EQ(runs.race_us.size(), 2u);
  EXPECT_EQ(runs.race_us[0].size(), 30u);
  EXPECT_EQ(runs.race_us[0][0].size(), 8u);
  EXPECT_DOUBLE_EQ(slower_figure(runs).value, 100);
  EXPECT_EQ(runs.protocol, "cold-graph-1");
}

TEST(Ranking, RacesCrossThePipeWhole) {
  const nlohmann::json json = runs_of(1.02, 2);
  EXPECT_EQ(nlohmann::json(json.get<RaceRuns>()), json);
}

TEST(Ranking, NoRacesProveNothing) {
  EXPECT_FALSE(equal_figure({}).passed());
  EXPECT_FALSE(slower_figure({}).passed());
}

}  // namespace
}  // namespace warpwright::testing
