#include "trial/statistics.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpwright {
namespace {

TEST(MedianTest, OddEvenAndEmpty) {
  EXPECT_EQ(median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(median(std::vector<double>{}), 0);
}

// Tables of distribution-free intervals for the median, for example Conover, Practical
// Nonparametric Statistics, A3.
TEST(MedianRanksTest, KnownRanksAt95Percent) {
  struct Row {
    std::size_t n, low, high;
    double coverage;
  };
  for (const Row& row :
       {Row{6, 1, 6, 0.96875}, Row{10, 2, 9, 0.978515625}, Row{20, 6, 15, 0.958610535},
        Row{50, 18, 33, 0.967160964}, Row{100, 40, 61, 0.9647998}}) {
    const MedianRanks ranks = median_ranks(row.n);
    EXPECT_EQ(ranks.low, row.low) << row.n;
    EXPECT_EQ(ranks.high, row.high) << row.n;
    EXPECT_NEAR(ranks.coverage, row.coverage, 1e-6) << row.n;
  }
}

TEST(MedianRanksTest, TooFewSamplesSpanEverything) {
  const MedianRanks ranks = median_ranks(3);
  EXPECT_EQ(ranks.low, 1u);
  EXPECT_EQ(ranks.high, 3u);
  EXPECT_NEAR(ranks.coverage, 0.75, 1e-12);
}

TEST(MedianIntervalTest, IntervalOfTwentySamples) {
  std::vector<double> samples;
  for (int i = 20; i >= 1; --i) samples.push_back(i);
  const MedianInterval interval = median_interval(samples);
  EXPECT_EQ(interval.median, 10.5);
  EXPECT_EQ(interval.low, 6);
  EXPECT_EQ(interval.high, 15);
  EXPECT_DOUBLE_EQ(interval.relative_half_width(), 4.5 / 10.5);
}

TEST(MedianIntervalTest, OneSample) {
  const MedianInterval interval = median_interval(std::vector<double>{5});
  EXPECT_EQ(interval.low, 5);
  EXPECT_EQ(interval.high, 5);
}

}  // namespace
}  // namespace warpwright
