#include "check/register_limits.h"

#include <gtest/gtest.h>

namespace warpwright::testing {
namespace {

TEST(RegisterLimits, AreReadFromThePtx) {
  const std::string ptx =
      ".visible .entry plain(\n)\n{\n}\n"
      ".visible .entry bounded(\n\t.param .u64 x\n)\n.maxntid 256, 1, 1\n.minnctapersm 8\n{\n}\n"
      ".visible .entry square(\n)\n.maxntid 8, 4\n{\n}\n"
      ".visible .entry held(\n)\n.maxnreg 32\n{\n}\n";
  EXPECT_EQ(register_limits(ptx, "plain"), "no __launch_bounds__");
  EXPECT_EQ(register_limits(ptx, "bounded"), "__launch_bounds__(256, 8)");
  EXPECT_EQ(register_limits(ptx, "square"), "__launch_bounds__(32)");
  EXPECT_EQ(register_limits(ptx, "held"), "maxnreg 32");
  EXPECT_EQ(register_limits(ptx, "gone"), "");
}

}  // namespace
}  // namespace warpwright::testing
