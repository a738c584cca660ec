#include "analysis/compare/transfer.h"

#include <gtest/gtest.h>

#include "analysis/sample_contenders.h"

namespace warpwright {
namespace {

using testing::boards_of;
using testing::contender_of;
using testing::gpu;
using testing::RowMaker;
using How = Reached::How;

TEST(Transfer, IsTheOthersBestOverThisConfigurationsTimeThere) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const std::vector<Contender> both = {
      contender_of("A", a, {a.ok("v", "X=1", 100), a.ok("v", "X=2", 125)}),
      contender_of("B", b, {b.ok("v", "X=1", 300), b.ok("v", "X=2", 240)})};
  const auto matrix = transfer_matrix(boards_of(both));
  EXPECT_DOUBLE_EQ(*matrix[0][0].reached.fraction, 1);
  EXPECT_DOUBLE_EQ(*matrix[0][1].reached.fraction, 0.8);  // 240 / 300
  EXPECT_DOUBLE_EQ(*matrix[1][0].reached.fraction, 0.8);  // 100 / 125
  EXPECT_DOUBLE_EQ(*matrix[1][1].reached.fraction, 1);
  EXPECT_EQ(matrix[0][1].configuration, "v X=1");
  EXPECT_EQ(*matrix[0][1].reached.time_us, 300);
}

TEST(Transfer, SaysWhatHappenedWhereThereIsNoTime) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const Contender winner = contender_of("A", a, {a.ok("v", "X=1", 100)});
  const auto on = [&](Database::TrialRow row) {
    return transfer_matrix(
               boards_of({winner, contender_of("B", b, {b.ok("v", "X=9", 71), row})}))[0][1]
        .reached;
  };
  const Reached wrong = on(b.failed("v", "X=1", Status::kWrongResult, "wrong"));
  EXPECT_EQ(wrong.how, How::kFailed);
  EXPECT_EQ(wrong.status, Status::kWrongResult);
  EXPECT_FALSE(wrong.fraction);

  Database::TrialRow pruned = b.failed("v", "X=1", Status::kPruned, "stopped early");
  EXPECT_FALSE(on(pruned).fraction);
  pruned.trial.at_least_us = 100;
  EXPECT_EQ(on(pruned).how, How::kPruned);
  EXPECT_DOUBLE_EQ(*on(pruned).fraction, 0.71);

  EXPECT_EQ(on(b.failed("v", "X=1", Status::kNoisy, "clocks")).how, How::kUntimed);
  EXPECT_EQ(on(b.failed("v", "X=2", Status::kOk, "")).how, How::kNotTried);
}

TEST(Transfer, TheBestOfTheTieSetStandsForTheWinner) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const auto matrix = transfer_matrix(boards_of(
      {contender_of("A", a,
                    {a.ok("v", "X=1", 100), a.ok("v", "X=2", 100.1), a.ok("v", "X=3", 200)}),
       contender_of("B", b,
                    {b.ok("v", "X=1", 200), b.ok("v", "X=2", 110), b.ok("v", "X=3", 99)})}));
  EXPECT_EQ(matrix[0][1].configuration, "v X=2");
  EXPECT_EQ(matrix[0][1].of_ties, 2u);
  EXPECT_DOUBLE_EQ(*matrix[0][1].reached.fraction, 0.9);
  EXPECT_EQ(matrix[0][0].configuration, "v X=1");  // equal to its tie at home, and first
}

TEST(Transfer, ATimedTieIsPreferredToAFailedWinner) {
  RowMaker a = gpu("cuda:0", "A"), b = gpu("cuda:1", "B");
  const auto matrix = transfer_matrix(
      boards_of({contender_of("A", a, {a.ok("v", "X=1", 100), a.ok("v", "X=2", 100.1)}),
                 contender_of("B", b,
                              {b.failed("v", "X=1", Status::kLaunchFailed, "shared memory"),
                               b.ok("v", "X=2", 400), b.ok("v", "X=3", 100)})}));
  EXPECT_EQ(matrix[0][1].configuration, "v X=2");
  EXPECT_DOUBLE_EQ(*matrix[0][1].reached.fraction, 0.25);
}

TEST(Transfer, ABoardThatIsNotThereReachesNothing) {
  RowMaker a = gpu("cuda:0", "A");
  Contender none;
  const auto matrix =
      transfer_matrix(boards_of({contender_of("A", a, {a.ok("v", "X=1", 100)}), none}));
  EXPECT_EQ(matrix[0][1].reached.how, How::kNotTried);
  EXPECT_EQ(matrix[1][0].reached.how, How::kNotTried);
  EXPECT_EQ(matrix[1][0].configuration, "");
}

// A screened configuration may have a shorter time than the winner of the final ranking.
TEST(Transfer, AFractionIsNeverAboveOne) {
  RowMaker a = gpu("cuda:0", "A");
  const std::vector<Database::TrialRow> rows = {a.ok("v", "X=1", 100), a.ok("v", "X=2", 100.3)};
  const Contender ranked = contender_of("A", a, rows, {a.ranking({rows[1]}, 100.5, 1)});
  ASSERT_TRUE(ranked.boards.front().ranking);
  const auto reached = reached_on(ranked.boards.front());
  EXPECT_EQ(*reached.at("v X=1").fraction, 1);
  EXPECT_EQ(*reached.at("v X=1").time_us, 100);
}

TEST(Transfer, ATimeOfZeroGivesNoFraction) {
  RowMaker a = gpu("cuda:0", "A");
  const Contender zero = contender_of("A", a, {a.ok("v", "X=1", 0), a.ok("v", "X=2", 5)});
  const auto reached = reached_on(zero.boards.front());
  EXPECT_EQ(reached.at("v X=1").how, How::kUntimed);
  EXPECT_FALSE(reached.at("v X=1").fraction);
  EXPECT_EQ(*reached.at("v X=2").fraction, 1);
}

}  // namespace
}  // namespace warpwright
