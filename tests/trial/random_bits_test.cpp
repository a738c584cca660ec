#include "trial/numbers/random_bits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <vector>

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
  // Stored results contain their seed: these values may only change together with kFillVersion.
  const RandomStream stream(1, "logits");
  EXPECT_EQ(stream.bits(0), 0xd78b5d504325554u);
  EXPECT_EQ(stream.bits(1), 0xee013705ecd13ce2u);
  EXPECT_EQ(stream.normal(12345), -0x1.936f6e230f093p+0);
}

TEST(RandomStreamTest, NormalsAreThoseOfTheirIndices) {
  const RandomStream stream(3, "many");
  std::vector<double> values(2'000'000);
  stream.normals(17, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(values[i]),
              std::bit_cast<std::uint64_t>(stream.normal(17 + i)))
        << i;
  }
  for (std::size_t length = 0; length < 520; ++length) {
    std::vector<double> some(length + 1, 9.0);
    stream.normals(17, std::span(some).first(length));
    EXPECT_TRUE(std::equal(some.begin(), some.end() - 1, values.begin()));
    EXPECT_EQ(some.back(), 9.0);
  }
}

// The inverse of x -> x ^ x >> shift.
std::uint64_t undo_shift(std::uint64_t y, int shift) {
  std::uint64_t x = y;
  for (int known = shift; known < 64; known += shift) x = y ^ x >> shift;
  return x;
}

// The inverse of an odd number modulo 2^64, by Newton's iteration.
std::uint64_t reciprocal(std::uint64_t odd) {
  std::uint64_t inverse = odd;
  for (int step = 0; step < 6; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

// The inverse of the finaliser of SplitMix64.
std::uint64_t unmix(std::uint64_t mixed) {
  std::uint64_t x = undo_shift(mixed, 31) * reciprocal(0x94D049BB133111EB);
  x = undo_shift(x, 27) * reciprocal(0xBF58476D1CE4E5B9);
  return undo_shift(x, 30);
}

TEST(RandomStreamTest, NormalsFarFromTheMeanAreThoseOfTheirIndices) {
  // Only one element in 3e10 lies there, so its index is computed: stream element i is the mix of a
  // key plus i + 1 steps.
  constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
  const RandomStream stream(3, "many");
  const std::uint64_t key = unmix(stream.bits(0)) - kStep;
  for (const std::uint64_t bits : {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 20}) {
    const std::uint64_t index = (unmix(bits) - key) * reciprocal(kStep) - 1;
    ASSERT_EQ(stream.bits(index), bits);
    ASSERT_GT(std::fabs(stream.normal(index)), 6.9);
    std::vector<double> values(7);
    stream.normals(index - 3, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i], stream.normal(index - 3 + i)) << bits;
  }
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
