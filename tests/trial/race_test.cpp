// Rounds of a final ranking on plans whose true times are known.
#include "trial/timing/race.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

#include "stats/final_ranking.h"
#include "support/fake_device.h"

namespace warpwright::testing {
namespace {

struct Track {
  std::vector<std::size_t> turns;  // the plans in the order of their turns
  double drift = 1;                // of the whole device
  bool paced = false;
};

class NoisyPlan : public TimingPlan {
 public:
  NoisyPlan(Track& track, std::size_t index, double true_us, double noise)
      : track_(track), index_(index), true_us_(true_us), noise_(noise), random_(index + 1) {}
  Samples take(int samples, std::chrono::milliseconds) override {
    track_.turns.push_back(index_);
    track_.drift *= 1.0005;
    Samples taken;
    taken.protocol = "cold-graph-1";
    taken.floor_us = 3;
    taken.paced = track_.paced;
    std::normal_distribution<double> normal(1, noise_);
    for (int i = 0; i < samples; ++i)
      taken.elapsed_us.push_back(3 + true_us_ * track_.drift * normal(random_));
    return taken;
  }

 private:
  Track& track_;
  std::size_t index_;
  double true_us_;
  double noise_;
  std::mt19937 random_;
};

class RaceTest : public ::testing::Test {
 protected:
  Race race(const std::vector<double>& true_us, double noise, RaceOptions options = {}) {
    std::vector<std::unique_ptr<TimingPlan>> plans;
    for (std::size_t i = 0; i < true_us.size(); ++i)
      plans.push_back(std::make_unique<NoisyPlan>(track, i, true_us[i], noise));
    return run_race(device, plans, true_us, options);
  }
  FakeDevice device;
  Track track;
};

TEST_F(RaceTest, ADeviceThatSlowsDownAllTheWhileStillRanksRightly) {
  const Race result = race({100, 102, 100, 110}, 0.004);
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  EXPECT_GE(result.round_us.size(), 30u);
  const FinalRanking ranking = rank_final(result.round_us);
  EXPECT_TRUE(ranking.configurations[0].tied);
  EXPECT_TRUE(ranking.configurations[2].tied);
  EXPECT_FALSE(ranking.configurations[1].tied);
  EXPECT_FALSE(ranking.configurations[3].tied);
}

TEST_F(RaceTest, EveryRoundHasEveryPlanOnceInChangingOrder) {
  const Race result = race({50, 50, 50}, 0.001);
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t at = 0; at + 3 <= track.turns.size(); at += 3) {
    std::vector<std::size_t> order(track.turns.begin() + static_cast<std::ptrdiff_t>(at),
                                   track.turns.begin() + static_cast<std::ptrdiff_t>(at) + 3);
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2}));
  }
  EXPECT_EQ(orders.size(), 6u);
  EXPECT_EQ(track.turns.size(), 3 * result.round_us.size());
}

TEST_F(RaceTest, NoiseBringsMoreRoundsUpToTheMost) {
  RaceOptions options;
  options.most_rounds = 60;
  EXPECT_EQ(race({100, 100}, 0.0005).round_us.size(), 30u);
  EXPECT_EQ(race({100, 100}, 0.3, options).round_us.size(), 60u);
}

TEST_F(RaceTest, ThoseThatAreCertainlySlowerLeave) {
  const Race result = race({100, 100, 120, 130, 140}, 0.002);
  std::vector<std::size_t> turns(5, 0);
  for (const std::size_t plan : track.turns) ++turns[plan];
  const auto until = static_cast<std::size_t>(rounds_to_leave(5));
  EXPECT_EQ(turns, (std::vector<std::size_t>{30, 30, until, until, until}));
  EXPECT_EQ(result.round_us[until][2], kNoTime);
  const FinalRanking ranking = rank_final(result.round_us);
  EXPECT_TRUE(ranking.configurations[0].tied && ranking.configurations[1].tied);
  EXPECT_FALSE(ranking.configurations[2].tied);
  EXPECT_NEAR(ranking.configurations[4].relative, 1.4, 0.01);
}

TEST_F(RaceTest, TheLastThatStaysHasWon) {
  const Race result = race({100, 120, 130}, 0.002);
  EXPECT_EQ(result.round_us.size(), static_cast<std::size_t>(rounds_to_leave(3)));
  EXPECT_EQ(rank_final(result.round_us).best, 0u);
}

TEST_F(RaceTest, TimeThatIsUpEndsItOnlyWhenSomethingCanBeToldFromSomething) {
  RaceOptions options;
  options.time_limit = std::chrono::milliseconds(0);
  const Race result = race({100, 101, 103}, 0.002, options);
  EXPECT_EQ(result.round_us.size(), static_cast<std::size_t>(rounds_to_exclude(3)));
  EXPECT_FALSE(rank_final(result.round_us).configurations[2].tied);
  options.hard_limit = std::chrono::milliseconds(0);
  EXPECT_EQ(race({100, 101, 103}, 0.002, options).round_us.size(), 1u);
}

TEST_F(RaceTest, TimesAreWithoutTheFloor) {
  const Race result = race({1000}, 0);
  EXPECT_NEAR(result.round_us.front().front(), 1000, 30);
  EXPECT_DOUBLE_EQ(result.floor_us, 3);
}

TEST_F(RaceTest, AClockThatRisesBringsBackWhoeverLeftAtTheLowerOne) {
  RaceOptions options;
  options.most_rounds = 40;
  const auto until = static_cast<std::size_t>(rounds_to_leave(3));
  // Each round reads two states; the slow rounds are those until one configuration has dropped out.
  const DeviceState slow{1600, 3201, 0, 0, {}, {}, 0}, fast{1980, 3201, 0, 0, {}, {}, 0};
  device.states.assign(2 * (until + 2), slow);
  device.states.push_back(fast);
  const Race result = race({100, 100, 120}, 0.002, options);
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  std::vector<std::size_t> turns(3, 0);
  for (const std::size_t plan : track.turns) ++turns[plan];
  EXPECT_EQ(turns[2], 2 * until) << "it left twice";
  EXPECT_EQ(turns[0], until + 3 + result.round_us.size()) << "three rounds without it are dropped";
  EXPECT_NE(result.round_us.front()[2], kNoTime);
  EXPECT_EQ(result.validity.tagged, static_cast<int>(until) + 2);
}

TEST_F(RaceTest, AnUnsteadyDeviceEndsItAsNoisy) {
  for (int i = 0; i < 400; ++i)
    device.states.push_back({i % 2 == 0 ? 1980 : 1400, 3201, 0, 0, {}, {}, 0});
  const Race result = race({100, 100}, 0.001);
  EXPECT_EQ(result.status, Status::kNoisy);
  EXPECT_TRUE(result.round_us.empty());
}

TEST_F(RaceTest, WhatTheDriverSaysOfTheClockDoesNotSpoilPacedSamples) {
  track.paced = true;
  for (int i = 0; i < 400; ++i)
    device.states.push_back({i % 2 == 0 ? 1980 : 1650, 3201, 0, 0, {}, {}, 0});
  const Race result = race({100, 102}, 0.001);
  EXPECT_EQ(result.status, Status::kOk);
  EXPECT_EQ(result.validity.tagged, 0);
}

}  // namespace
}  // namespace warpwright::testing
