// The hash table of flags by address, compared with std::map.
#include <gtest/gtest.h>

#include <random>
#include <unordered_map>

#include "emu/check/lookups.h"

namespace warpwright::emu {
namespace {

TEST(FlagTable, HoldsWhatAMapHolds) {
  FlagTable<int> table;
  std::unordered_map<std::uint64_t, int> map;
  std::mt19937_64 random(3);
  for (int i = 0; i < 5000; ++i) {
    // Neighbours, and addresses far apart.
    const std::uint64_t address = (random() % 2 << 40) + 4 * (random() % 700);
    const int* found = table.find(address);
    ASSERT_EQ(found != nullptr, map.contains(address)) << address;
    if (found != nullptr) {
      ASSERT_EQ(*found, map[address]) << address;
    }
    if (i % 3 == 0) table[address] = map[address] = i;
  }
}

TEST(FlagTable, HoldsNothingOnceItIsCleared) {
  FlagTable<int> table;
  EXPECT_EQ(table.find(0), nullptr);
  table[0] = 1;
  ASSERT_NE(table.find(0), nullptr);
  table.clear();
  EXPECT_EQ(table.find(0), nullptr);
  EXPECT_EQ(table[0], 0);
}

}  // namespace
}  // namespace warpwright::emu
