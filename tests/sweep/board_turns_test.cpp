// Tests the turns of boards, with and without a clock, and that a board is ranked at most once.
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
    plan_.groups = group_devices(plan_.devices);
    for (const std::size_t device : {0, 0, 1, 1, 0}) {
      PlannedBoard board;
      board.device = board.group = device;
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

TEST_F(BoardTurnsTest, SecondTurnsComeAfterAllFirstOnesTheLastFirst) {
  BoardTurns turns(plan_);
  turns.leave(0);
  EXPECT_FALSE(turns.has_turn(1)) << "not everything is answered";
  turns.pause(0);
  EXPECT_TRUE(turns.has_turn(1));
  EXPECT_FALSE(turns.has_turn(0)) << "others have not had their first turn";
  turns.pause(1);
  EXPECT_TRUE(turns.has_turn(4));
  EXPECT_FALSE(turns.has_turn(0));
  EXPECT_FALSE(turns.has_turn(1));
  turns.pause(4);
  EXPECT_TRUE(turns.has_turn(4)) << "it goes on at once";
  EXPECT_FALSE(turns.has_turn(1));
  turns.finish(4);
  EXPECT_TRUE(turns.has_turn(1));
  EXPECT_FALSE(turns.has_turn(0));
  turns.finish(1);
  EXPECT_TRUE(turns.has_turn(0));
}

TEST_F(BoardTurnsTest, ABoardWithoutASecondTurnIsDoneInItsFirst) {
  BoardTurns turns(plan_);
  turns.pause(0);
  turns.finish(1);
  turns.pause(4);
  EXPECT_TRUE(turns.has_turn(4));
  turns.finish(4);
  EXPECT_TRUE(turns.has_turn(0));
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
  EXPECT_FALSE(turns.fail(1)) << "only the first call returns true";
  EXPECT_TRUE(turns.failed(1));
  EXPECT_FALSE(turns.take_ranking(1));
  EXPECT_FALSE(turns.done(1)) << "it has its turn all the same, to be done";
}

// Two boards of two GPUs of one kind.
class SharedBoardTurnsTest : public ::testing::Test {
 protected:
  SharedBoardTurnsTest() {
    plan_.devices.resize(2);
    plan_.devices[0].has_clock = plan_.devices[1].has_clock = true;
    plan_.devices[1].uuid = "GPU-2";
    plan_.groups = group_devices(plan_.devices);
    plan_.boards.resize(2);
  }
  SweepPlan plan_;
};

TEST_F(SharedBoardTurnsTest, TheNextIsMeasuredWhenNothingMoreIsAskedAboutTheFirst) {
  BoardTurns turns(plan_);
  EXPECT_TRUE(turns.may_measure(0));
  EXPECT_FALSE(turns.may_measure(1));
  EXPECT_TRUE(turns.close(0));
  EXPECT_FALSE(turns.close(0)) << "only the first call returns true";
  EXPECT_TRUE(turns.may_measure(1));
  EXPECT_FALSE(turns.has_turn(1)) << "its ranking waits for the end of the first";
  turns.finish(0);
  EXPECT_TRUE(turns.has_turn(1));
}

TEST_F(SharedBoardTurnsTest, TheNextIsMeasuredWhenTheFirstVisitHasAskedEverything) {
  BoardTurns turns(plan_);
  turns.leave(0);
  EXPECT_TRUE(turns.may_measure(0)) << "its open trials";
  EXPECT_TRUE(turns.may_measure(1));
  turns.pause(0);
  EXPECT_FALSE(turns.may_measure(0)) << "its second visit comes after the other's";
  turns.pause(1);
  EXPECT_TRUE(turns.may_measure(1));
  EXPECT_FALSE(turns.may_measure(0));
  turns.close(1);
  EXPECT_TRUE(turns.may_measure(0));
}

TEST_F(SharedBoardTurnsTest, TheBestMeetOnce) {
  BoardTurns turns(plan_);
  EXPECT_TRUE(turns.take_meeting(0));
  EXPECT_FALSE(turns.take_meeting(0));
  turns.fail(1);
  EXPECT_FALSE(turns.take_meeting(1)) << "a board that failed is not ranked";
}

TEST_F(BoardTurnsTest, AGpuThatSharesWithNobodyHasItsBoardToTheEnd) {
  BoardTurns turns(plan_);
  EXPECT_FALSE(turns.take_meeting(0));
  turns.close(0);
  EXPECT_FALSE(turns.may_measure(1));
}

}  // namespace
}  // namespace warpwright
