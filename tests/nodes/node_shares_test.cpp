// Tests how the resources of a host are divided among its ranks.
#include "nodes/node_shares.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(ShareHosts, RanksThatMayRunAnywhereDivideTheCoresAndTheMemory) {
  const auto shares = share_hosts({{"a", {0, 1, 2, 3}, 100}, {"a", {0, 1, 2, 3}, 100}});
  EXPECT_EQ(shares[0].cores, 2);
  EXPECT_EQ(shares[1].cores, 2);
  EXPECT_EQ(shares[0].available_memory, 50u);
}

TEST(ShareHosts, RanksThatAreBoundKeepWhatIsTheirs) {
  const auto shares = share_hosts({{"a", {0, 1, 2}, {}}, {"a", {3}, {}}});
  EXPECT_EQ(shares[0].cores, 3);
  EXPECT_EQ(shares[1].cores, 1);
}

TEST(ShareHosts, HostsAreNotShared) {
  const auto shares = share_hosts({{"a", {0, 1}, 100}, {"b", {0, 1}, 60}});
  EXPECT_EQ(shares[0].cores, 2);
  EXPECT_EQ(shares[1].cores, 2);
  EXPECT_EQ(shares[1].available_memory, 60u);
}

TEST(ShareHosts, ThreeOnThreeCoresHaveOneEachAndFourHaveToo) {
  EXPECT_EQ(share_hosts(std::vector<NodeHost>(3, {"a", {0, 1, 2}, {}}))[2].cores, 1);
  EXPECT_EQ(share_hosts(std::vector<NodeHost>(4, {"a", {0, 1, 2}, {}}))[3].cores, 1);
}

}  // namespace
}  // namespace warpwright
