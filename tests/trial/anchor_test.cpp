#include "trial/timing/anchor.h"

#include <gmock/gmock.h>

namespace warpwright::testing {
namespace {

class LevelPlan : public TimingPlan {
 public:
  explicit LevelPlan(const double& level_us) : level_us_(level_us) {}
  Samples take(int samples, std::chrono::milliseconds) override {
    Samples taken;
    taken.floor_us = 3;
    taken.elapsed_us.assign(static_cast<std::size_t>(samples), level_us_ + 3);
    return taken;
  }

 private:
  const double& level_us_;
};

class FailingPlan : public TimingPlan {
 public:
  Samples take(int, std::chrono::milliseconds) override {
    Samples taken;
    taken.status = Status::kLaunchFailed;
    return taken;
  }
};

class AnchorTest : public ::testing::Test {
 protected:
  // Runs trials up to the next look, which happens in the last of them. Their number varies: a look
  // that this machine delayed is followed by a pause of ten times its length.
  static AnchorLook next_look(Anchor& anchor) {
    std::optional<AnchorLook> look;
    while (!look) look = anchor.after_trial();
    return *look;
  }
  double level_us = 100;
  Anchor anchor{nullptr, std::make_unique<LevelPlan>(level_us), 100};
};

TEST_F(AnchorTest, ASteadyDeviceHasNotMoved) {
  const AnchorLook look = next_look(anchor);
  EXPECT_FALSE(look.moved);
  EXPECT_NEAR(look.drift, 0, 1e-9);
}

TEST_F(AnchorTest, ADriftBeyondTwoPerCentIsSaidOnceAndThenBelieved) {
  level_us = 97;
  const AnchorLook look = next_look(anchor);
  EXPECT_TRUE(look.moved);
  EXPECT_NEAR(look.drift, -0.03, 1e-9);
  EXPECT_FALSE(next_look(anchor).moved);
}

TEST_F(AnchorTest, OnePerCentIsNoise) {
  level_us = 101;
  EXPECT_FALSE(next_look(anchor).moved);
}

TEST_F(AnchorTest, AFewHundredthsOfAMicrosecondAreNoiseHoweverShortTheAnchor) {
  level_us = 3.1;
  Anchor tiny(nullptr, std::make_unique<LevelPlan>(level_us), 3);
  EXPECT_FALSE(next_look(tiny).moved);
}

TEST_F(AnchorTest, ItLooksAfterThirtyTwoTrialsAtTheLatest) {
  int trials = 1;
  while (!anchor.after_trial()) ++trials;
  EXPECT_LE(trials, 32);
}

TEST_F(AnchorTest, AnAnchorThatFailsSaysNothing) {
  Anchor failing(nullptr, std::make_unique<FailingPlan>(), 100);
  for (int trial = 0; trial < 2 * Anchor::kTrials; ++trial)
    EXPECT_FALSE(failing.after_trial().has_value()) << trial;
}

}  // namespace
}  // namespace warpwright::testing
