#include "analysis/compare/agreement.h"

#include <gmock/gmock.h>

#include <cmath>

#include "analysis/sample_contenders.h"

namespace warpwright::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Configurations a, b, c, ... with these times; 0 was pruned.
Contender contender_timed(RowMaker make, const std::vector<double>& times) {
  std::vector<Database::TrialRow> rows;
  std::string name = "a";
  for (const double us : times) {
    rows.push_back(us > 0 ? make.ok(name, "", us)
                          : make.failed(name, "", Status::kPruned, "certainly slower"));
    ++name[0];
  }
  return contender_of(make.device_name, make, rows);
}

BoardAgreement met_board(const Agreement& agreement) {
  EXPECT_EQ(agreement.boards.size(), 1u);
  return agreement.boards.empty() ? BoardAgreement{} : agreement.boards.front();
}

TEST(Agreement, EqualOrdersHaveTauOneAndOneWinner) {
  const RowMaker make = gpu("cuda:0", "NVIDIA H200");
  const BoardAgreement board =
      met_board(agree(contender_timed(make, {10, 20, 30}), contender_timed(make, {11, 21, 31})));
  EXPECT_EQ(board.timed_in_both, 3u);
  EXPECT_DOUBLE_EQ(*board.tau, 1.0);
  EXPECT_THAT(board.winners, ElementsAre("a", "a"));
  EXPECT_DOUBLE_EQ(*board.elsewhere[0].cost, 1.0);
  EXPECT_EQ(board.tie_sets, TieSets::kEqual);
}

TEST(Agreement, AnotherWinnerCostsWhatItTakesThere) {
  const RowMaker make = gpu("cuda:0", "NVIDIA H200");
  const BoardAgreement board =
      met_board(agree(contender_timed(make, {10, 20, 30}), contender_timed(make, {40, 20, 50})));
  EXPECT_THAT(board.winners, ElementsAre("a", "b"));
  EXPECT_DOUBLE_EQ(*board.elsewhere[0].cost, 2.0);  // a takes 40 there, and b 20
  EXPECT_DOUBLE_EQ(*board.elsewhere[1].cost, 2.0);
  EXPECT_NEAR(*board.tau, 1.0 / 3, 1e-12);
  EXPECT_EQ(board.tie_sets, TieSets::kDisjoint);
}

TEST(Agreement, PrunedOnesTieBehindAllOthers) {
  const RowMaker make = gpu("cuda:0", "NVIDIA H200");
  const BoardAgreement board = met_board(
      agree(contender_timed(make, {10, 20, 0, 0}), contender_timed(make, {10, 20, 30, 0})));
  EXPECT_EQ(board.timed_in_both, 2u);
  EXPECT_EQ(board.known_in_both, 4u);
  // Six pairs: c and d are equal in the first, which leaves five, of which none is discordant.
  EXPECT_NEAR(*board.tau_with_pruned, 5 / std::sqrt(5.0 * 6.0), 1e-12);
  EXPECT_THAT(board.pruned, ElementsAre(2u, 1u));
}

TEST(Agreement, AWinnerThatIsPrunedOrNotTimedElsewhereHasNoCost) {
  const RowMaker make = gpu("cuda:0", "NVIDIA H200");
  const BoardAgreement pruned =
      met_board(agree(contender_timed(make, {10, 20}), contender_timed(make, {0, 20})));
  EXPECT_EQ(pruned.elsewhere[0].how, WinnerElsewhere::How::kPruned);
  EXPECT_EQ(pruned.elsewhere[0].cost, std::nullopt);
  EXPECT_EQ(pruned.tau, std::nullopt);  // one pair of times has no order
  const BoardAgreement absent =
      met_board(agree(contender_timed(make, {20, 30, 10}), contender_timed(make, {20, 30})));
  EXPECT_EQ(absent.elsewhere[0].how, WinnerElsewhere::How::kNotTimed);
}

TEST(Agreement, TieSetsThatShareAMemberOverlap) {
  RowMaker make = gpu("cuda:0", "NVIDIA H200");
  make.half_width_us = 2;
  const BoardAgreement board =
      met_board(agree(contender_timed(make, {10, 11, 30}), contender_timed(make, {30, 11, 12})));
  EXPECT_EQ(board.tie_sets, TieSets::kOverlapping);
  EXPECT_THAT(board.tied, ElementsAre(2u, 2u));
  EXPECT_EQ(board.tied_in_both, 1u);
}

TEST(Agreement, BoardsOfOneProtocolMeetAndTheOthersAreAlone) {
  RowMaker cold = gpu("cuda:0", "NVIDIA H200"), hot = cold;
  cold.protocol = "cold-1";
  hot.protocol = "hot-1";
  Contender both = contender_timed(cold, {10, 20});
  const Contender second = contender_timed(hot, {10, 20});
  both.boards.push_back(second.boards.front());
  const Agreement agreement = agree(both, second);
  EXPECT_THAT(met_board(agreement).protocols, ElementsAre("hot-1", "hot-1"));
  ASSERT_EQ(agreement.alone.size(), 1u);
  EXPECT_EQ(agreement.alone[0].protocol, "cold-1");
}

TEST(Agreement, AModelMeetsAMeasurementAsOrdersOnly) {
  const Agreement agreement = agree(contender_timed(gpu("cuda:0", "NVIDIA H200"), {10, 20, 30}),
                                    contender_timed(emulator("emu:sm_90a"), {1, 3, 2}));
  const BoardAgreement board = met_board(agreement);
  EXPECT_THAT(board.kinds, ElementsAre(TimeKind::kMeasured, TimeKind::kModelled));
  EXPECT_NEAR(*board.tau, 1.0 / 3, 1e-12);
  EXPECT_THAT(agreement.alone, IsEmpty());
}

TEST(Agreement, AProblemOfOneAloneIsNamed) {
  RowMaker make = gpu("cuda:0", "NVIDIA H200"), other = make;
  other.problem_json = R"({"n":1})";
  other.problem_text = "n=1";
  const Agreement agreement = agree(contender_timed(make, {10}), contender_timed(other, {10}));
  EXPECT_THAT(agreement.boards, IsEmpty());
  ASSERT_EQ(agreement.alone.size(), 2u);
  EXPECT_EQ(agreement.alone[1].contender, 1u);
  EXPECT_EQ(agreement.alone[1].problem_text, "n=1");
}

}  // namespace
}  // namespace warpwright::testing
