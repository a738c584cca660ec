#include "trial/data/random_bits.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warpwright {
namespace {

// Values of Python's statistics.NormalDist().inv_cdf, which implements the same algorithm.
TEST(InverseNormalTest, KnownQuantiles) {
  EXPECT_EQ(inverse_normal(0.5), 0);
  EXPECT_NEAR(inverse_normal(0.975), 1.9599639845400536, 1e-14);
  EXPECT_NEAR(inverse_normal(0.9), 1.2815515655446008, 1e-14);
  EXPECT_NEAR(inverse_normal(1e-3), -3.0902323061678136, 1e-14);
  EXPECT_NEAR(inverse_normal(1e-15), -7.941345326170997, 1e-13);
}

TEST(InverseNormalTest, ItIsOdd) {
  for (const double p : {0.01, 0.2, 0.4375, 1e-6})
    EXPECT_NEAR(inverse_normal(p), -inverse_normal(1 - p), 1e-9);
}

TEST(RandomStreamTest, TheNumbersAreFixedForEver) {
  // Stored results name their seed: these values may only change together with kFillVersion.
  const RandomStream stream(1, "logits");
  EXPECT_EQ(stream.bits(0), 0xd78b5d504325554u);
  EXPECT_EQ(stream.bits(1), 0xee013705ecd13ce2u);
  EXPECT_EQ(stream.normal(12345), -0x1.936f6e230f093p+0);
}

TEST(RandomStreamTest, SeedsNamesAndNumbersGiveOtherStreams) {
  const std::uint64_t first = RandomStream(1, "x").bits(0);
  EXPECT_NE(first, RandomStream(2, "x").bits(0));
  EXPECT_NE(first, RandomStream(1, "y").bits(0));
  EXPECT_NE(first, RandomStream(1, "x", 1).bits(0));
}

TEST(RandomStreamTest, NormalHasItsMoments) {
  const RandomStream stream(7, "moments");
  constexpr int kCount = 200'000;
  double sum = 0, squares = 0, fourths = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = stream.normal(static_cast<std::uint64_t>(i));
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / kCount, 0, 0.01);
  EXPECT_NEAR(squares / kCount, 1, 0.01);
  EXPECT_NEAR(fourths / kCount, 3, 0.1);
}

TEST(RandomStreamTest, BelowIsEvenAndInRange) {
  const RandomStream stream(7, "below");
  int counts[5] = {};
  for (std::uint64_t i = 0; i < 50'000; ++i) ++counts[stream.below(i, 5)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);
}

}  // namespace
}  // namespace warpwright
