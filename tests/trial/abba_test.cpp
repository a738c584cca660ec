// Blocks ABBA on a fake device: their order, their length, and the conditions that end them.
#include <gmock/gmock.h>

#include <thread>

#include "support/fake_device.h"
#include "trial/timing/gate.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

// Records its turns; each takes the time that the test sets.
class TurnPlan : public TimingPlan {
 public:
  TurnPlan(std::string& turns, char name, double us) : turns_(turns), name_(name), us_(us) {}
  Samples take(int samples, std::chrono::milliseconds) override {
    turns_ += name_;
    samples_ = samples;
    Samples taken;
    taken.status = turns_.size() >= fails_at ? Status::kTimeout : Status::kOk;
    taken.reason = taken.status == Status::kOk ? "" : "staged";
    taken.device_lost = taken.status != Status::kOk;
    taken.floor_us = 3;
    taken.protocol = "cold-graph-1";
    taken.elapsed_us.assign(static_cast<std::size_t>(samples), us_ + 3);
    return taken;
  }
  std::size_t fails_at = 1000000;
  [[nodiscard]] int samples() const { return samples_; }

 private:
  std::string& turns_;
  char name_;
  double us_;
  int samples_ = 0;
};

struct Pair {
  FakeDevice device;
  std::string turns;
  TurnPlan first{turns, 'A', 50};
  TurnPlan second{turns, 'B', 52};
  AbbaRun take(AbbaOptions options = {}) {
    return take_abba_blocks(device, first, second, 50, options);
  }
};

TEST(Abba, BlocksAreTakenInThatOrderWithoutTheFloor) {
  Pair pair;
  AbbaOptions options;
  options.blocks = 2;
  const AbbaRun run = pair.take(options);
  EXPECT_EQ(pair.turns, "ABBAABBA");
  ASSERT_EQ(run.blocks.size(), 2u);
  EXPECT_NEAR(run.blocks[0].baseline_us, 50, 1e-9);
  EXPECT_NEAR(run.blocks[0].candidate_us, 52, 1e-9);
  EXPECT_EQ(run.protocol, "cold-graph-1");
}

TEST(Abba, ATurnTakesAMillisecondAndAtLeastOneSample) {
  Pair pair;
  AbbaOptions options;
  options.blocks = 1;
  options.between_samples_us = 150;
  (void)pair.take(options);
  EXPECT_EQ(pair.first.samples(), 5);
  (void)take_abba_blocks(pair.device, pair.first, pair.second, 1e6, options);
  EXPECT_EQ(pair.first.samples(), 1);
}

TEST(Abba, BlocksBeforeTheClockRoseAreDropped) {
  Pair pair;
  pair.device.states.assign(4, {1600, 3201, 300, 50, {}, {}, 0});
  pair.device.states.push_back({1980, 3201, 300, 50, {}, {}, 0});
  AbbaOptions options;
  options.blocks = 3;
  const AbbaRun run = pair.take(options);
  EXPECT_EQ(run.status, Status::kOk) << run.reason;
  EXPECT_EQ(run.blocks.size(), 3u);
  EXPECT_EQ(pair.turns.size(), 4u * (2 + 3));
  EXPECT_EQ(run.validity.tagged, 2);
}

TEST(Abba, AFailureSaysWhichSideItWas) {
  Pair pair;
  pair.second.fails_at = 2;
  const AbbaRun run = pair.take();
  EXPECT_EQ(run.status, Status::kTimeout);
  EXPECT_TRUE(run.second_failed);
  EXPECT_TRUE(run.device_lost);
  EXPECT_EQ(run.reason, "staged");

  Pair other;
  other.first.fails_at = 4;
  EXPECT_FALSE(other.take().second_failed);
}

TEST(Abba, ADeviceThatIsNotSteadyIsNoisy) {
  Pair pair;
  for (int i = 0; i < 400; ++i)
    pair.device.states.push_back({i % 2 == 0 ? 1980 : 1400, 3201, 0, 0, {}, {}, 0});
  const AbbaRun run = pair.take();
  EXPECT_EQ(run.status, Status::kNoisy);
  EXPECT_THAT(run.reason, HasSubstr("blocks of samples were disturbed"));
}

TEST(Abba, SpoiltBlocksAreTakenAgain) {
  Pair pair;
  // One block in which the clock moved; the states after it belong to the other blocks.
  for (const int mhz : {1980, 1980, 1980, 1500, 1980})
    pair.device.states.push_back({mhz, 3201, 0, 0, {}, {}, 0});
  AbbaOptions options;
  options.blocks = 5;
  const AbbaRun run = pair.take(options);
  EXPECT_EQ(run.blocks.size(), 5u);
  EXPECT_EQ(run.validity.tagged, 1);
  EXPECT_EQ(pair.turns.size(), 24u);
}

TEST(Abba, WithoutTimeTheFewestBlocksMustDo) {
  Pair pair;
  int told = 0;
  AbbaOptions options;
  options.time_limit = std::chrono::milliseconds(1);
  options.fewest = 8;
  options.before_block = [&] {
    ++told;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  };
  EXPECT_EQ(pair.take(options).blocks.size(), 8u);
  EXPECT_EQ(told, 8);
}

}  // namespace
}  // namespace warpwright::testing
