#include "search/shard.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "space/brute_force.h"
#include "support/error_text.h"

namespace warpwright {
namespace {

using testing::error_text;
using testing::make_definition;

std::vector<std::uint64_t> all_asked(Strategy& strategy, bool tells) {
  std::vector<std::uint64_t> asked;
  while (const std::optional<std::uint64_t> index = strategy.ask()) {
    asked.push_back(*index);
    if (tells) strategy.tell({*index, 1.0 + static_cast<double>(*index % 7)});
  }
  return asked;
}

std::unique_ptr<SearchSpace> grid() {
  return solve_space(make_definition({{"A", {1, 2, 3, 4, 5}}, {"B", {1, 2, 3, 4}}}, {}));
}

TEST(Shard, PartsAreDisjointAndMakeUpTheWhole) {
  for (std::uint64_t count = 1; count <= 9; ++count) {
    for (std::uint64_t position = 0; position < 100; ++position) {
      int holders = 0;
      for (std::uint64_t index = 1; index <= count; ++index)
        holders += Shard{index, count}.holds(position) ? 1 : 0;
      EXPECT_EQ(holders, 1) << position << " of " << count;
    }
  }
}

TEST(Shard, SizesDifferByOneAtMost) {
  for (const std::uint64_t total : {7u, 16u, 100u, 101u}) {
    std::vector<std::uint64_t> shares;
    for (std::uint64_t index = 1; index <= 8; ++index)
      shares.push_back(Shard{index, 8}.share(total));
    const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
    EXPECT_LE(*most - *least, 1u) << total;
  }
}

TEST(Shard, ShareIsWhatItHolds) {
  const Shard shard{3, 7};
  std::uint64_t held = 0;
  for (std::uint64_t position = 0; position < 61; ++position) held += shard.holds(position) ? 1 : 0;
  EXPECT_EQ(shard.share(61), held);
}

// A parameter whose values repeat every n configurations would otherwise fall to one part.
TEST(Shard, EveryPartHasEveryValueOfAPeriodAsLongAsTheParts) {
  for (std::uint64_t index = 1; index <= 4; ++index) {
    std::map<std::uint64_t, int> values;
    for (std::uint64_t position = 0; position < 400; ++position)
      if (Shard{index, 4}.holds(position)) ++values[position % 4];
    ASSERT_EQ(values.size(), 4u);
    for (const auto& [value, times] : values) EXPECT_GT(times, 10) << value;
  }
}

// Databases written by different versions of the program are merged, so this split must never
// change.
TEST(Shard, TheSplitIsAlwaysTheSame) {
  std::vector<std::uint64_t> held;
  for (std::uint64_t position = 0; position < 16; ++position)
    if (Shard{1, 4}.holds(position)) held.push_back(position);
  EXPECT_EQ(held, (std::vector<std::uint64_t>{1, 7, 10, 15}));
}

TEST(Shard, PartsOfAStrategyMakeUpWhatItAsks) {
  const std::unique_ptr<SearchSpace> space = grid();
  for (const std::string name : {"exhaustive", "random", "latin_hypercube"}) {
    const StrategyOptions options{.seed = 3, .budget = 11};
    std::vector<std::uint64_t> whole = all_asked(*make_strategy(name, *space, options), true);
    whole.resize(11);
    std::vector<std::uint64_t> parts;
    for (std::uint64_t index = 1; index <= 3; ++index) {
      const auto part = make_shard(make_strategy(name, *space, options), {index, 3}, 11);
      const std::vector<std::uint64_t> asked = all_asked(*part, index != 2);
      EXPECT_EQ(asked.size(), (Shard{index, 3}.share(11))) << name;
      parts.insert(parts.end(), asked.begin(), asked.end());
    }
    EXPECT_EQ(std::set<std::uint64_t>(parts.begin(), parts.end()),
              std::set<std::uint64_t>(whole.begin(), whole.end()))
        << name;
    EXPECT_EQ(parts.size(), whole.size()) << name;
  }
}

TEST(Shard, IsReadAsPartAndNumber) {
  EXPECT_EQ(parse_shard("2/8").index, 2u);
  EXPECT_EQ(parse_shard("2/8").count, 8u);
}

TEST(Shard, OtherTextsAreErrors) {
  for (const std::string text : {"", "2", "2/", "/8", "a/b", "2/0", "-1/8", "2/8/9", "1/1000001"}) {
    EXPECT_EQ(error_text([&] { (void)parse_shard(text); }),
              "--shard: got '" + text +
                  "', expected which part of how many, as in 2/8 for the second of eight");
  }
}

TEST(Shard, PartsAreCountedFromOne) {
  for (const std::string text : {"0/8", "9/8"}) {
    EXPECT_EQ(error_text([&] { (void)parse_shard(text); }),
              "--shard: got '" + text +
                  "', expected a part from 1 to 8; a job array that counts from 0 is "
                  "`--array=1-8` instead");
  }
}

}  // namespace
}  // namespace warpwright
