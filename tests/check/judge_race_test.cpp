// Tests the way from blocks to verdicts, over many comparisons.
#include <gmock/gmock.h>

#include <random>

#include "check/judge.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

GateOutcome outcome(double ratio, double noise, unsigned seed, int blocks = 20) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(1, noise);
  GateOutcome made;
  for (int i = 0; i < 10; ++i)
    made.noise_blocks.push_back({50 * normal(random), 50 * normal(random)});
  for (int i = 0; i < blocks; ++i)
    made.blocks.push_back({50 * normal(random), 50 * ratio * normal(random)});
  return made;
}

TEST(LookAt, NoiseAsksForMore) {
  EXPECT_DOUBLE_EQ(look_at(0, outcome(1, 0.001, 1), 0.02).race.delta, 0.02);
  EXPECT_GT(look_at(0, outcome(1, 0.03, 1), 0.02).race.delta, 0.03);
}

TEST(LookAt, WithoutNoiseBlocksTheNoiseIsThatOfBefore) {
  GateOutcome again = outcome(1.05, 0.001, 2);
  again.noise_blocks.clear();
  EXPECT_DOUBLE_EQ(look_at(0, again, 0.02, 0.01).race.delta, 0.03);
}

TEST(LookAt, NoBlocksAreInconclusive) {
  EXPECT_EQ(look_at(0, {}, 0.02).verdict, GateVerdict::kInconclusive);
}

TEST(CorrectForMany, RarelyAlarmedAmongEqualPairs) {
  std::vector<RaceLook> looks;
  for (unsigned i = 0; i < 200; ++i) looks.push_back(look_at(i, outcome(1, 0.004, i + 1), 0.02));
  correct_for_many(looks);
  int repeats = 0;
  for (const RaceLook& look : looks) repeats += look.repeat ? 1 : 0;
  EXPECT_EQ(repeats, 0);
}

TEST(CorrectForMany, OneThatIsSlowerIsFoundAmongMany) {
  std::vector<RaceLook> looks;
  for (unsigned i = 0; i < 200; ++i)
    looks.push_back(look_at(i, outcome(i == 77 ? 1.03 : 1, 0.002, i + 1), 0.02));
  correct_for_many(looks);
  for (const RaceLook& look : looks) EXPECT_EQ(look.repeat, look.entry == 77) << look.entry;
  EXPECT_GT(looks[77].race.p_adjusted, looks[77].race.p);
}

TEST(Settle, AChangeThatMayBeChanceIsInconclusive) {
  RaceLook look = look_at(0, outcome(1.05, 0.001, 3), 0.02);
  look.race.p_adjusted = 0.2;
  look.repeat = false;
  CheckEntry entry;
  settle(look, nullptr, 200, entry);
  EXPECT_EQ(entry.state, CheckState::kInconclusive);
  EXPECT_THAT(entry.findings.at(0).message,
              HasSubstr("but among 200 comparisons that may be chance (adjusted p 0.2)"));
}

TEST(Settle, AChangeThatNobodyCouldRepeatIsInconclusive) {
  RaceLook look = look_at(0, outcome(1.05, 0.001, 3), 0.02);
  look.repeat = true;
  CheckEntry entry;
  settle(look, nullptr, 1, entry);
  EXPECT_EQ(entry.state, CheckState::kInconclusive);
  EXPECT_THAT(entry.findings.at(0).message, HasSubstr("no fresh process could look again"));
}

TEST(Settle, AnOppositeFindingDoesNotRepeatIt) {
  RaceLook look = look_at(0, outcome(1.05, 0.001, 3), 0.02);
  look.repeat = true;
  const RaceLook opposite = look_at(0, outcome(0.95, 0.001, 4), 0.02);
  CheckEntry entry;
  settle(look, &opposite, 1, entry);
  EXPECT_EQ(entry.state, CheckState::kInconclusive);
  EXPECT_THAT(entry.findings.at(0).message, StartsWith("not repeated: one process found +"));
}

TEST(PercentOf, IsOfARatio) {
  EXPECT_EQ(percent_of(std::log(1.03)), "+3.00 %");
  EXPECT_EQ(percent_of(std::log(0.5)), "-50.00 %");
}

}  // namespace
}  // namespace warpwright::testing
