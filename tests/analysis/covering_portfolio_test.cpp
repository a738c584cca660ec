#include "analysis/compare/covering_portfolio.h"

#include <gtest/gtest.h>

#include "analysis/sample_contenders.h"

namespace warpwright {
namespace {

using testing::contender_of;
using testing::gpu;
using testing::RowMaker;

// A board per problem; `times[problem][configuration]`, 0 for a failure.
std::vector<Leaderboard> boards_with(const std::vector<std::vector<double>>& times) {
  RowMaker make = gpu("cuda:0", "A");
  make.half_width_us = 0.01;
  std::vector<Database::TrialRow> rows;
  for (std::size_t problem = 0; problem < times.size(); ++problem) {
    make.problem_text = "n=" + std::to_string(problem);
    for (std::size_t i = 0; i < times[problem].size(); ++i) {
      const std::string parameters = "X=" + std::to_string(i);
      rows.push_back(times[problem][i] > 0
                         ? make.ok("v", parameters, times[problem][i])
                         : make.failed("v", parameters, Status::kInvalid, "too large"));
    }
  }
  return contender_of("A", make, rows).boards;
}

CoveringPortfolio portfolio_of(const std::vector<std::vector<double>>& times,
                               double within = 0.05) {
  const std::vector<Leaderboard> boards = boards_with(times);
  std::vector<const Leaderboard*> pointers = {nullptr};
  for (const Leaderboard& board : boards) pointers.push_back(&board);
  return smallest_portfolio(pointers, within);
}

TEST(CoveringPortfolio, OneConfigurationThatIsNearEverywhereIsEnough) {
  const CoveringPortfolio found = portfolio_of({{100, 104, 200}, {150, 104, 100}});
  ASSERT_EQ(found.members.size(), 1u);
  EXPECT_EQ(found.members[0].configuration, "v X=1");
  EXPECT_EQ(found.members[0].serves, 2u);
  EXPECT_DOUBLE_EQ(found.members[0].worst_fraction, 100.0 / 104);
  EXPECT_TRUE(found.proved_smallest());
  EXPECT_EQ(found.places, 2u);
  EXPECT_EQ(found.candidates, 3u);
}

TEST(CoveringPortfolio, ExactlyTheLimitIsWithin) {
  EXPECT_EQ(portfolio_of({{100, 105}, {300, 100}}).members.size(), 1u);
  EXPECT_EQ(portfolio_of({{100, 105.01}, {300, 100}}).members.size(), 2u);
}

TEST(CoveringPortfolio, WithNothingToSpareEveryOwnBestIsNeeded) {
  const CoveringPortfolio found = portfolio_of({{100, 101}, {101, 100}}, 0);
  EXPECT_EQ(found.members.size(), 2u);
  EXPECT_TRUE(found.proved_smallest());
}

// The instance on which the greedy choice fails: configurations 0 and 1 are near the best on 7
// places each, and 2, 3, 4 on 8, 4 and 2.
TEST(CoveringPortfolio, FindsTheSmallestWhereGreedyDoesNot) {
  std::vector<std::vector<double>> times(14, std::vector<double>(5, 200));
  for (std::size_t place = 0; place < 14; ++place) {
    times[place][place < 7 ? 0 : 1] = 101;
    times[place][place % 7 < 4 ? 2 : place % 7 < 6 ? 3 : 4] = 100;
  }
  const CoveringPortfolio found = portfolio_of(times);
  ASSERT_EQ(found.members.size(), 2u);
  EXPECT_EQ(found.members[0].configuration, "v X=0");
  EXPECT_EQ(found.members[1].configuration, "v X=1");
  EXPECT_TRUE(found.proved_smallest());
}

TEST(CoveringPortfolio, OfEqualCoversTheFasterIsTaken) {
  const CoveringPortfolio found = portfolio_of({{104, 101, 100}, {103, 102, 300}, {102, 101, 300}});
  ASSERT_EQ(found.members.size(), 1u);
  EXPECT_EQ(found.members[0].configuration, "v X=1");
}

TEST(CoveringPortfolio, AFailureServesNothing) {
  const CoveringPortfolio found = portfolio_of({{100, 0}, {0, 50}});
  EXPECT_EQ(found.members.size(), 2u);
  EXPECT_EQ(found.members[0].serves, 1u);
}

TEST(CoveringPortfolio, PlacesWithoutATimeAreLeftOut) {
  const CoveringPortfolio found = portfolio_of({{100, 110}, {0, 0}});
  EXPECT_EQ(found.places, 1u);
  EXPECT_EQ(found.members.size(), 1u);
}

TEST(CoveringPortfolio, NothingTimedIsAnEmptyPortfolio) {
  EXPECT_EQ(portfolio_of({{0}}).places, 0u);
  EXPECT_TRUE(smallest_portfolio({}, 0.05).members.empty());
}

}  // namespace
}  // namespace warpwright
