#include "analysis/board/configuration_times.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/valued_rows.h"
#include "core/error.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::ValuedRows;

TEST(ConfigurationTimes, EntriesThenBounds) {
  ValuedRows made;
  made.ok("a", {{"N", 1}}, 10);
  made.ok("a", {{"N", 2}}, 8);
  made.pruned("a", {{"N", 3}}, 12);
  made.failed("a", {{"N", 4}}, Status::kCompileFailed, "error");
  made.failed("a", {{"N", 5}}, Status::kNoisy, "the clocks moved");
  const auto times = configuration_times(made.board());
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0].us, 8);
  EXPECT_EQ(times[0].values.at("N"), Value(2));
  EXPECT_EQ(times[1].us, 10);
  EXPECT_EQ(times[2].us, 12);
  EXPECT_FALSE(times[1].at_least);
  EXPECT_TRUE(times[2].at_least);
}

TEST(ConfigurationTimes, TimesThatAreNoneAreLeftOut) {
  ValuedRows made;
  made.ok("a", {{"N", 1}}, 0);
  made.ok("a", {{"N", 2}}, std::numeric_limits<double>::quiet_NaN());
  made.ok("a", {{"N", 3}}, std::numeric_limits<double>::infinity());
  made.pruned("a", {{"N", 4}}, std::numeric_limits<double>::infinity());
  made.failed("a", {{"N", 5}}, Status::kPruned, "without a bound");
  EXPECT_TRUE(configuration_times(made.board()).empty());
}

TEST(KnownTimes, ShortestPrefersATimeToAnEqualBound) {
  EXPECT_FALSE(shortest({{5, true}, {5, false}, {6, false}}).at_least);
  EXPECT_TRUE(shortest({{4, true}, {5, false}}).at_least);
  EXPECT_EQ(shortest({{4, true}, {5, false}}).us, 4);
}

TEST(KnownTimes, AMedianIsABoundWhenABoundLiesBelowIt) {
  EXPECT_EQ(median_time({{3, false}, {1, false}, {2, false}}).us, 2);
  EXPECT_EQ(median_time({{1, false}, {2, false}}).us, 1.5);
  EXPECT_FALSE(median_time({{1, false}, {2, false}, {9, true}}).at_least);
  EXPECT_TRUE(median_time({{1, true}, {2, false}, {3, false}}).at_least);
  EXPECT_TRUE(median_time({{7, true}}).at_least);
}

TEST(ValueOrder, NumbersBySizeThenTexts) {
  EXPECT_TRUE(value_before(Value(2), Value(10)));
  EXPECT_TRUE(value_before(Value(2), Value(2.5)));
  EXPECT_TRUE(value_before(Value(99), Value("1")));
  EXPECT_TRUE(value_before(Value("10"), Value("9")));
  EXPECT_FALSE(value_before(Value(1), Value(1)));
  EXPECT_NE(value_before(Value(1), Value(true)), value_before(Value(true), Value(1)));
}

}  // namespace
}  // namespace warpwright
