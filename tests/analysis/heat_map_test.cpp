#include "analysis/insight/heat_map.h"

#include <gtest/gtest.h>

#include "analysis/valued_rows.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::ValuedRows;

ValuedRows sample() {
  ValuedRows made;
  made.ok("a", {{"X", 1}, {"Y", "u"}, {"Z", 1}}, 30);
  made.ok("a", {{"X", 1}, {"Y", "u"}, {"Z", 2}}, 20);
  made.ok("a", {{"X", 1}, {"Y", "u"}, {"Z", 3}}, 25);
  made.ok("a", {{"X", 10}, {"Y", "u"}, {"Z", 1}}, 40);
  made.pruned("a", {{"X", 10}, {"Y", "v"}, {"Z", 1}}, 50);
  made.failed("a", {{"X", 2}, {"Y", "v"}, {"Z", 1}}, Status::kInvalid, "too much");
  made.failed("a", {{"X", 2}, {"Y", "v"}, {"Z", 2}}, Status::kNoisy, "the clocks moved");
  made.ok("b", {{"X", 99}, {"Y", "w"}}, 1);
  return made;
}

TEST(HeatMap, CellsHoldTheBestAndTheMedian) {
  const HeatMap map = make_heat_map(sample().board(), "a", "X", "Y");
  EXPECT_EQ(map.x_values, (std::vector<Value>{1, 2, 10}));
  EXPECT_EQ(map.y_values, (std::vector<Value>{"u", "v"}));
  EXPECT_EQ(map.cell(0, 0).configurations, 3u);
  EXPECT_EQ(map.cell(0, 0).best->us, 20);
  EXPECT_EQ(map.cell(0, 0).median->us, 25);
  EXPECT_EQ(map.cell(2, 0).best->us, 40);
}

TEST(HeatMap, BoundsFailuresAndHolesAreTold) {
  const HeatMap map = make_heat_map(sample().board(), "a", "X", "Y");
  EXPECT_TRUE(map.cell(2, 1).best->at_least);
  EXPECT_EQ(map.cell(2, 1).pruned, 1u);
  EXPECT_EQ(map.cell(1, 1).failed, 1u);
  EXPECT_FALSE(map.cell(1, 1).best.has_value());
  EXPECT_EQ(map.cell(0, 1).configurations, 0u);
  EXPECT_EQ(map.cell(0, 1).failed, 0u);
}

TEST(HeatMap, UnknownNamesAreSuggested) {
  const Leaderboard board = sample().board();
  EXPECT_EQ(error_text([&] { (void)make_heat_map(board, "c", "X", "Y"); }),
            "softmax_topk: no results of variant 'c'; known: a, b");
  EXPECT_EQ(error_text([&] { (void)make_heat_map(board, "b", "X", "Z"); }),
            "variant 'b' has no parameter 'Z'; known: X, Y");
  EXPECT_EQ(error_text([&] { (void)make_heat_map(board, "a", "X", "X"); }),
            "a heat map needs two different parameters, got 'X' twice");
}

TEST(HeatMap, OneConfigurationIsOneCell) {
  ValuedRows made;
  made.ok("a", {{"X", 1}, {"Y", 2}}, 30);
  const HeatMap map = make_heat_map(made.board(), "a", "Y", "X");
  ASSERT_EQ(map.cells.size(), 1u);
  EXPECT_EQ(map.cells[0].median->us, 30);
}

}  // namespace
}  // namespace warpwright
