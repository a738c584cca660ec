#include <gtest/gtest.h>

#include <set>

#include "core/shared_names.h"

namespace warpwright {
namespace {

TEST(CeilingNames, EachIsThereOnce) {
  std::set<std::string> all;
  for (const auto* names : {&memory_ceilings(), &arithmetic_ceilings()}) {
    for (const std::string& name : *names) EXPECT_TRUE(all.insert(name).second) << name;
  }
  EXPECT_EQ(memory_ceilings().size(), 4U);
  EXPECT_EQ(arithmetic_ceilings().size(), 18U);
}

TEST(CeilingNames, TheUnitFollowsTheName) {
  EXPECT_EQ(ceiling_unit("copy"), "GB/s");
  EXPECT_EQ(ceiling_unit("l2_read"), "GB/s");
  EXPECT_EQ(ceiling_unit("fma_f64"), "GFLOP/s");
  EXPECT_EQ(ceiling_unit("wgmma_e4m3"), "GFLOP/s");
  EXPECT_FALSE(is_arithmetic_ceiling("wgmma_f64"));
  EXPECT_FALSE(is_arithmetic_ceiling(""));
}

}  // namespace
}  // namespace warpwright
