// Tests which trials are measured again when the anchor has moved, and that each is repeated once.
#include <gmock/gmock.h>

#include "sweep/anchors.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Outcome timed() {
  Outcome outcome;
  outcome.samples_us = {10, 11};
  return outcome;
}
Outcome with_look(double drift, bool moved) {
  Outcome outcome = timed();
  outcome.anchor_drift = drift;
  outcome.anchor_moved = moved;
  return outcome;
}

class AnchorSuspectsTest : public ::testing::Test {
 protected:
  std::vector<std::uint64_t> trial_ended(std::uint64_t index, const Outcome& outcome,
                                         std::size_t board = 0) {
    std::vector<std::uint64_t> indices;
    for (const auto& suspect : suspects_.trial_ended({board, index}, "code", outcome)) {
      EXPECT_EQ(suspect.question.board, board);
      EXPECT_EQ(suspect.code, "code");
      indices.push_back(suspect.question.index);
    }
    return indices;
  }
  AnchorSuspects suspects_{2};
};

TEST_F(AnchorSuspectsTest, WhatWasTimedSinceTheLastLookIsMeasuredAgain) {
  EXPECT_THAT(trial_ended(1, timed()), IsEmpty());
  EXPECT_THAT(trial_ended(2, with_look(0.001, false)), IsEmpty());
  EXPECT_THAT(trial_ended(3, timed()), IsEmpty());
  EXPECT_THAT(trial_ended(4, with_look(0.03, true)), ElementsAre(3, 4));
}

TEST_F(AnchorSuspectsTest, TheSecondTimeItStandsAsItIs) {
  EXPECT_THAT(trial_ended(1, with_look(0.03, true)), ElementsAre(1));
  EXPECT_THAT(trial_ended(1, timed()), IsEmpty());
  EXPECT_THAT(trial_ended(2, with_look(-0.03, true)), ElementsAre(2));
}

TEST_F(AnchorSuspectsTest, BoardsHaveAnchorsOfTheirOwn) {
  EXPECT_THAT(trial_ended(1, timed(), 0), IsEmpty());
  EXPECT_THAT(trial_ended(1, with_look(0.03, true), 1), ElementsAre(1));
  EXPECT_THAT(trial_ended(2, with_look(0.03, true), 0), ElementsAre(1, 2));
}

TEST_F(AnchorSuspectsTest, OnlyWhatTookTimeOfTheDeviceIsSuspect) {
  Outcome pruned = timed();
  pruned.status = Status::kPruned;
  Outcome wrong = timed();
  wrong.status = Status::kWrongResult;
  Outcome shared = timed();
  shared.same_as = "plain THREADS=32";
  trial_ended(1, pruned);
  trial_ended(2, wrong);
  trial_ended(3, shared);
  trial_ended(4, Outcome());
  EXPECT_THAT(trial_ended(5, with_look(0.03, true)), ElementsAre(1, 5));
}

}  // namespace
}  // namespace warpwright
