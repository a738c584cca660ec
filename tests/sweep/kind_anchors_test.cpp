// Tests the choice of the configuration that distinguishes GPUs of one kind, and the difference
// found.
#include <gmock/gmock.h>

#include <cmath>

#include "sweep/anchors.h"

namespace warpwright {
namespace {

using ::testing::DoubleNear;
using ::testing::Optional;

TrialRecord took(double us, double share = 0.001) {
  TrialRecord trial;
  trial.median_us = us;
  trial.ci_low_us = us * (1 - share);
  trial.ci_high_us = us * (1 + share);
  return trial;
}
TrialRecord failed() {
  TrialRecord trial;
  trial.status = Status::kPruned;
  return trial;
}

class KindAnchorsTest : public ::testing::Test {
 protected:
  void ask(std::uint64_t index, std::size_t board = 0) { anchors_.asked({board, index, ""}); }
  std::optional<std::uint64_t> answer(std::uint64_t index, const TrialRecord& trial,
                                      std::size_t device = 0, std::size_t board = 0) {
    anchors_.note(board, index, device, trial);
    return anchors_.answered({board, index, ""}, trial);
  }
  KindAnchors anchors_{2};
};

TEST_F(KindAnchorsTest, TheFirstAskedIsTheAnchorWhoeverAnswersFirst) {
  ask(7);
  ask(3);
  EXPECT_FALSE(answer(3, took(10)));
  EXPECT_THAT(answer(7, took(20)), Optional(7u));
  ask(5);
  EXPECT_FALSE(answer(5, took(1))) << "an anchor is already chosen";
}

TEST_F(KindAnchorsTest, WhatHasNoTimeOfItsOwnIsNoAnchor) {
  for (const std::uint64_t index : {1, 2, 3, 4}) ask(index);
  EXPECT_FALSE(answer(1, failed()));
  TrialRecord shared = took(10);
  shared.same_as = 1;
  EXPECT_FALSE(answer(2, shared));
  TrialRecord modelled = took(10);
  modelled.modelled = true;
  EXPECT_FALSE(answer(3, modelled));
  EXPECT_THAT(answer(4, took(10)), Optional(4u));
}

TEST_F(KindAnchorsTest, KnowsWhoHasTimedIt) {
  ask(1);
  EXPECT_THAT(answer(1, took(10), 2), Optional(1u));
  EXPECT_TRUE(anchors_.has_timed(0, 2));
  EXPECT_FALSE(anchors_.has_timed(0, 0));
}

TEST_F(KindAnchorsTest, TheDifferenceHoldsTheIntervalsOfBoth) {
  ask(1);
  (void)answer(1, took(100));
  anchors_.note(0, 1, 1, took(101));
  anchors_.note(0, 9, 1, took(5));
  const GpuDifference found = anchors_.difference(1, 0).value();
  EXPECT_EQ(found.anchors, 1u);
  EXPECT_THAT(found.fraction, DoubleNear(0.01, 1e-9));
  EXPECT_THAT(found.low, DoubleNear(0.01 - 1.01 * 0.001 * std::sqrt(2), 1e-5));
  EXPECT_THAT(found.high, DoubleNear(0.01 + 1.01 * 0.001 * std::sqrt(2), 1e-5));
}

TEST_F(KindAnchorsTest, SeveralBoardsTellMore) {
  for (const std::size_t board : {0, 1}) {
    ask(1, board);
    (void)answer(1, took(100), 0, board);
    anchors_.note(board, 1, 1, took(board == 0 ? 101 : 103));
  }
  const GpuDifference found = anchors_.difference(1, 0).value();
  EXPECT_EQ(found.anchors, 2u);
  EXPECT_THAT(found.fraction, DoubleNear(std::sqrt(1.01 * 1.03) - 1, 1e-9));
  EXPECT_THAT(found.high - found.low, DoubleNear(2 * 1.02 * 0.001, 1e-5));
}

TEST_F(KindAnchorsTest, WithoutBothThereIsNone) {
  ask(1);
  (void)answer(1, took(100));
  EXPECT_FALSE(anchors_.difference(1, 0));
}

}  // namespace
}  // namespace warpwright
