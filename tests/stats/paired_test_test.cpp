#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/error.h"
#include "stats/hypothesis_tests.h"

namespace warpwright {
namespace {

// 2 (1 + 10 + 45) / 1024.
TEST(SignTestTest, EightAgainstTwo) {
  EXPECT_NEAR(sign_test_p(8, 2, 0), 0.109375, 1e-14);
  EXPECT_NEAR(sign_test_p(2, 8, 0), 0.109375, 1e-14);
}

TEST(SignTestTest, AllOnOneSide) {
  EXPECT_NEAR(sign_test_p(10, 0, 0), 2.0 / 1024, 1e-15);
  EXPECT_NEAR(sign_test_p(0, 30, 0), std::ldexp(1, -29), 1e-20);
}

TEST(SignTestTest, CountsSigns) {
  const SignTest test = sign_test(std::vector<double>{0.5, -1, 0, 2, 3, 1e-300});
  EXPECT_EQ(test.positive, 4u);
  EXPECT_EQ(test.negative, 1u);
  EXPECT_EQ(test.zero, 1u);
  EXPECT_EQ(test.p, sign_test_p(4, 1, 1));
}

TEST(SignTestTest, EvenlySplitIsCertain) {
  EXPECT_EQ(sign_test_p(5, 5, 0), 1);
  EXPECT_EQ(sign_test_p(3, 2, 0), 1);
}

TEST(SignTestTest, NoneOneAndTwoPairsProveNothing) {
  EXPECT_EQ(sign_test(std::vector<double>{}).p, 1);
  EXPECT_EQ(sign_test(std::vector<double>{2}).p, 1);
  EXPECT_NEAR(sign_test(std::vector<double>{2, 3}).p, 0.5, 1e-15);
}

TEST(SignTestTest, ZerosAloneProveNothing) {
  EXPECT_EQ(sign_test(std::vector<double>(50, 0.0)).p, 1);
}

// Four zeros, two counted for each side: 8 and 4 zeros become 10 against 2. An odd zero counts as
// negative.
TEST(SignTestTest, ZerosCountHalfToEachSide) {
  EXPECT_EQ(sign_test_p(8, 0, 4), sign_test_p(10, 2, 0));
  EXPECT_EQ(sign_test_p(8, 0, 5), sign_test_p(10, 3, 0));
}

// Given the number of zeros, the signs of the others are fair coins: the chance of p <= level,
// summed over every outcome, must not exceed the level.
TEST(SignTestTest, ExactForEveryNumberOfZeros) {
  for (std::size_t pairs = 1; pairs <= 40; ++pairs) {
    for (std::size_t zeros = 0; zeros <= pairs; ++zeros) {
      const std::size_t signs = pairs - zeros;
      for (const double level : {0.05, 0.01, 0.001, 0.0001}) {
        double probability = 0;
        for (std::size_t positive = 0; positive <= signs; ++positive) {
          if (sign_test_p(positive, signs - positive, zeros) <= level) {
            probability += std::exp(log_fair_binomial(signs, positive));
          }
        }
        EXPECT_LE(probability, level) << pairs << " pairs, " << zeros << " zeros";
      }
    }
  }
}

// With zeros dropped, 8 against 2 would be the smaller p-value.
TEST(SignTestTest, ZerosNeverHelp) {
  for (std::size_t zeros = 0; zeros < 20; ++zeros) {
    EXPECT_GE(sign_test_p(8, 2, zeros + 1), sign_test_p(8, 2, 0));
  }
}

// Phi(-1.999) twice, with the continuity correction.
TEST(SignTestTest, AMillionPairs) {
  EXPECT_NEAR(sign_test_p(501000, 499000, 0), std::erfc(1.999 / std::sqrt(2.0)), 1e-6);
}

TEST(SignTestTest, ThousandsOnOneSideAreStillResolved) {
  EXPECT_NEAR(std::log2(sign_test_p(1000, 0, 0)), -999, 1e-9);
}

TEST(SignTestTest, NonFiniteDifferencesBreakAnInvariant) {
  EXPECT_THROW((void)sign_test(std::vector<double>{1, std::nan("")}), Error);
  EXPECT_THROW((void)sign_test(std::vector<double>{1, HUGE_VAL}), Error);
}

}  // namespace
}  // namespace warpwright
