// Whose turn it is, with and without a clock, and that a board is ranked at most once.
#include "sweep/board_turns.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

// Two boards on a GPU, then two on an emulated device, then one more on the GPU.
class BoardTurnsTest : public ::testing::Test {
 protected:
  BoardTurnsTest() {
    plan_.devices.resize(2);
    plan_.devices[0].has_clock = true;
    plan_.devices[1].has_clock = false;
    for (const std::size_t device : {0, 0, 1, 1, 0}) {
      PlannedBoard board;
      board.device = device;
      plan_.boards.push_back(std::move(board));
    }
  }
  SweepPlan plan_;
};

TEST_F(BoardTurnsTest, AGpuTakesItsBoardsOneByOne) {
  BoardTurns turns(plan_);
  EXPECT_EQ(turns.size(), 5u);
  EXPECT_TRUE(turns.has_turn(0));
  EXPECT_FALSE(turns.has_turn(1));
  EXPECT_FALSE(turns.has_turn(4));
  turns.finish(0);
  EXPECT_TRUE(turns.done(0));
  EXPECT_TRUE(turns.has_turn(1));
  EXPECT_FALSE(turns.has_turn(4)) << "board 1 is not done";
  turns.finish(1);
  EXPECT_TRUE(turns.has_turn(4)) << "boards of the other device do not matter";
}

TEST_F(BoardTurnsTest, AnEmulatedDeviceTakesAllAtOnce) {
  const BoardTurns turns(plan_);
  EXPECT_TRUE(turns.has_turn(2));
  EXPECT_TRUE(turns.has_turn(3));
}

TEST_F(BoardTurnsTest, ABoardIsRankedOnceAndOnlyByAClock) {
  BoardTurns turns(plan_);
  EXPECT_TRUE(turns.take_ranking(0));
  EXPECT_FALSE(turns.take_ranking(0));
  EXPECT_FALSE(turns.take_ranking(2));
  EXPECT_TRUE(turns.take_ranking(1));
}

TEST_F(BoardTurnsTest, ABoardThatFailedIsNotRanked) {
  BoardTurns turns(plan_);
  EXPECT_FALSE(turns.failed(1));
  EXPECT_TRUE(turns.fail(1));
  EXPECT_FALSE(turns.fail(1)) << "the first time is told apart";
  EXPECT_TRUE(turns.failed(1));
  EXPECT_FALSE(turns.take_ranking(1));
  EXPECT_FALSE(turns.done(1)) << "it has its turn all the same, to be done";
}

}  // namespace
}  // namespace warpwright
