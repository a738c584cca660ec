#include "stats/rank_correlation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/error.h"
#include "stats/simulation.h"

namespace warpwright {
namespace {

using Values = std::vector<double>;

// Applies the definition, pair by pair.
double brute_force(const Values& x, const Values& y) {
  double difference = 0;
  double untied_x = 0;
  double untied_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const int sign_x = (x[i] > x[j]) - (x[i] < x[j]);
      const int sign_y = (y[i] > y[j]) - (y[i] < y[j]);
      difference += sign_x * sign_y;
      untied_x += sign_x != 0;
      untied_y += sign_y != 0;
    }
  }
  return difference / std::sqrt(untied_x * untied_y);
}

TEST(KendallTauTest, SameAndReverseOrderAreExactlyOne) {
  EXPECT_EQ(kendall_tau_b(Values{1, 2, 3, 4, 5}, Values{2, 4, 6, 8, 10}), 1);
  EXPECT_EQ(kendall_tau_b(Values{1, 2, 3, 4, 5}, Values{5, 4, 3, 2, 1}), -1);
  EXPECT_EQ(kendall_tau_b(Values{1, 1, 2, 3}, Values{7, 7, 8, 9}), 1);
}

// The example in the documentation of scipy.stats.kendalltau.
TEST(KendallTauTest, TiesOfTheScipyExample) {
  EXPECT_NEAR(kendall_tau_b(Values{12, 2, 1, 12, 2}, Values{1, 4, 7, 1, 0}), -0.47140452079103173,
              1e-15);
}

// Hollander and Wolfe (1973), page 187, the example of R's cor.test: T = 26 of 36 pairs.
TEST(KendallTauTest, TheTunaExampleOfR) {
  EXPECT_NEAR(kendall_tau_b(Values{44.4, 45.9, 41.9, 53.3, 44.7, 44.1, 50.7, 45.2, 60.1},
                            Values{2.6, 3.1, 2.5, 5.0, 3.6, 4.0, 5.2, 2.8, 3.8}),
              0.4444444444444444, 1e-15);
}

TEST(KendallTauTest, AgreesWithThePairwiseDefinition) {
  SplitMix64 random(7);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t n = 2 + random.below(40);
    const std::uint32_t levels = 2 + random.below(30);  // few levels make many ties
    Values x(n);
    Values y(n);
    for (double& value : x) value = random.below(levels);
    for (std::size_t j = 0; j < n; ++j) y[j] = x[j] / 2 + random.below(levels);
    const double expected = brute_force(x, y);
    const double got = kendall_tau_b(x, y);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(got));
    } else {
      EXPECT_NEAR(got, expected, 1e-14) << n;
    }
  }
}

TEST(KendallTauTest, UndefinedWithoutTwoDifferentValues) {
  EXPECT_TRUE(std::isnan(kendall_tau_b(Values{}, Values{})));
  EXPECT_TRUE(std::isnan(kendall_tau_b(Values{1}, Values{2})));
  EXPECT_TRUE(std::isnan(kendall_tau_b(Values{1, 1, 1}, Values{1, 2, 3})));
  EXPECT_TRUE(std::isnan(kendall_tau_b(Values{1, 2, 3}, Values{5, 5, 5})));
}

TEST(KendallTauTest, InfinityRanksLast) {
  EXPECT_EQ(kendall_tau_b(Values{1, 2, std::numeric_limits<double>::infinity()}, Values{1, 2, 3}),
            1);
}

TEST(KendallTauTest, NanAndUnequalLengthsBreakAnInvariant) {
  EXPECT_THROW((void)kendall_tau_b(Values{1, std::nan("")}, Values{1, 2}), Error);
  EXPECT_THROW((void)kendall_tau_b(Values{1, 2}, Values{1}), Error);
}

// 32-bit pair counts would overflow from 65,537 values on.
TEST(KendallTauTest, LongListsDoNotOverflow) {
  Values x(200000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
  const Values y(x.rbegin(), x.rend());
  EXPECT_EQ(kendall_tau_b(x, x), 1);
  EXPECT_EQ(kendall_tau_b(x, y), -1);
}

}  // namespace
}  // namespace warpwright
