#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "space/brute_force.h"
#include "space/search_space.h"

namespace warpwright {
namespace {

using testing::make_definition;

std::unique_ptr<SearchSpace> twelve() {
  return solve_space(make_definition({{"A", {1, 2, 3, 4, 5}}, {"B", {1, 2, 3}}}, {"A + B != 4"}));
}

// Pearson's chi-square statistic for equal expectations.
double chi_square(const std::vector<int>& observed, double expected) {
  double sum = 0;
  for (const int count : observed) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

TEST(Sample, DrawsEachConfigurationEquallyOften) {
  const std::unique_ptr<SearchSpace> space = twelve();
  ASSERT_EQ(space->count(), 12U);
  std::mt19937_64 generator(42);
  std::vector<int> drawn(12, 0);
  std::vector<int> first(12, 0);
  constexpr int kRounds = 12000;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<std::uint64_t> sample = space->sample(3, generator);
    for (const std::uint64_t index : sample) ++drawn[index];
    ++first[sample[0]];
  }
  // 11 degrees of freedom: 31.3 is the 99.9th percentile. Draws without replacement vary even less.
  EXPECT_LT(chi_square(drawn, kRounds * 3 / 12.0), 31.3);
  EXPECT_LT(chi_square(first, kRounds / 12.0), 31.3);
}

TEST(Sample, IsDistinctAndInRange) {
  const std::unique_ptr<SearchSpace> space = twelve();
  std::mt19937_64 generator(1);
  for (std::uint64_t n = 0; n < 12; ++n) {
    const std::vector<std::uint64_t> sample = space->sample(n, generator);
    const std::set<std::uint64_t> distinct(sample.begin(), sample.end());
    EXPECT_EQ(distinct.size(), n);
    for (const std::uint64_t index : sample) EXPECT_LT(index, 12U);
  }
}

TEST(Sample, OfEverythingIsInOrder) {
  const std::unique_ptr<SearchSpace> space = twelve();
  std::mt19937_64 generator(1);
  const std::vector<std::uint64_t> all = space->sample(50, generator);
  EXPECT_EQ(all.size(), 12U);
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
}

TEST(Sample, TheSameSeedDrawsTheSame) {
  const std::unique_ptr<SearchSpace> space = twelve();
  std::mt19937_64 a(5);
  std::mt19937_64 b(5);
  EXPECT_EQ(space->sample(6, a), space->sample(6, b));
}

TEST(UniformBelow, CoversTheRangeWithoutBias) {
  std::mt19937_64 generator(9);
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 7000; ++i) ++seen[uniform_below(7, generator)];
  EXPECT_LT(chi_square(seen, 1000), 22.5);  // 6 degrees of freedom, 99.9th percentile
  EXPECT_EQ(uniform_below(1, generator), 0U);
}

TEST(LazyShuffle, DrawsEachNumberOnce) {
  std::mt19937_64 generator(3);
  LazyShuffle shuffle(1000);
  std::set<std::uint64_t> seen;
  while (const std::optional<std::uint64_t> drawn = shuffle.next(generator)) seen.insert(*drawn);
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_EQ(*seen.rbegin(), 999U);
  EXPECT_EQ(shuffle.next(generator), std::nullopt);
}

TEST(LazyShuffle, EveryOrderOfThreeIsEquallyLikely) {
  std::mt19937_64 generator(17);
  std::vector<int> orders(27, 0);
  for (int round = 0; round < 6000; ++round) {
    LazyShuffle shuffle(3);
    std::uint64_t code = 0;
    for (int i = 0; i < 3; ++i) code = 3 * code + *shuffle.next(generator);
    ++orders[code];
  }
  std::erase(orders, 0);
  ASSERT_EQ(orders.size(), 6U);
  EXPECT_LT(chi_square(orders, 1000), 20.5);  // 5 degrees of freedom, 99.9th percentile
}

TEST(LazyShuffle, AnAstronomicalRangeCostsNothing) {
  std::mt19937_64 generator(3);
  LazyShuffle shuffle(std::uint64_t{1} << 62);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(*shuffle.next(generator));
  EXPECT_EQ(seen.size(), 1000U);
}

}  // namespace
}  // namespace warpwright
