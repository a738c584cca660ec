#include <gtest/gtest.h>

#include "output/text/overview_text.h"

namespace warpwright {
namespace {

ShardsHere split_sweep(std::uint64_t count, std::set<std::uint64_t> begun, std::uint64_t known) {
  return {"gemv", "rows=8", "H200", count, std::move(begun), 48, known};
}

TEST(ShardsText, NamesTheShardThatIsMissing) {
  EXPECT_EQ(shards_text({split_sweep(4, {1, 2, 4}, 36)}),
            "gemv rows=8 on H200: 36 of 48 configurations are here; of 4 shards 3 is missing\n");
}

TEST(ShardsText, NamesManyByTheirEnds) {
  EXPECT_EQ(shards_text({split_sweep(12, {1, 4, 11}, 12)}),
            "gemv rows=8 on H200: 12 of 48 configurations are here; of 12 shards 2, 3, 5 to 10, 12 "
            "are missing\n");
}

TEST(ShardsText, ShardsThatWereInterruptedGoOn) {
  EXPECT_EQ(
      shards_text({split_sweep(2, {1, 2}, 47)}),
      "gemv rows=8 on H200: 47 of 48 configurations are here; all 2 shards were begun, and one "
      "that is run again goes on\n");
}

TEST(ShardsText, WhatIsCompleteNeedsNoWord) {
  EXPECT_EQ(shards_text({split_sweep(2, {1, 2}, 48), split_sweep(2, {1}, 48)}), "");
}

}  // namespace
}  // namespace warpwright
