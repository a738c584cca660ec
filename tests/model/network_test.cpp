#include "model/network.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

constexpr Interconnect kLink{100e9, 5};  // 100 GB/s, so 0.1 MB a microsecond

TEST(Network, NothingIsExchangedWithOneself) {
  EXPECT_EQ(all_reduce(kLink, 1, 1e9).us, 0);
  EXPECT_EQ(all_gather(kLink, 1, 1e9).bytes, 0);
  EXPECT_EQ(all_to_all(kLink, 1, 1e9).us, 0);
}

TEST(Network, SmallSumsGoToEverybodyAtOnce) {
  const Exchange sum = all_reduce(kLink, 8, 1000);
  EXPECT_EQ(sum.bytes, 7000);
  EXPECT_DOUBLE_EQ(sum.us, 5.07);
}

TEST(Network, LargeSumsAreMadeInParts) {
  const Exchange sum = all_reduce(kLink, 8, 100e6);
  EXPECT_DOUBLE_EQ(sum.bytes, 175e6);  // 2 * 7/8
  EXPECT_DOUBLE_EQ(sum.us, 2 * 5 + 1750);
}

TEST(Network, TwoGpusNeedNoParts) {
  const Exchange sum = all_reduce(kLink, 2, 1e9);
  EXPECT_DOUBLE_EQ(sum.bytes, 1e9);
  EXPECT_DOUBLE_EQ(sum.us, 5 + 1e4);
}

TEST(Network, GathersAndExchangesByHand) {
  EXPECT_DOUBLE_EQ(all_gather(kLink, 4, 1e5).us, 5 + 3);
  EXPECT_DOUBLE_EQ(all_to_all(kLink, 4, 1e5).bytes, 0.75e5);
  EXPECT_DOUBLE_EQ(send(kLink, 1e5).us, 6);
}

}  // namespace
}  // namespace warpwright
