#include <gtest/gtest.h>

#include "core/shared_names.h"

namespace warpwright {
namespace {

TEST(RemarkCode, EveryCodeHasANameOfItsOwn) {
  EXPECT_EQ(all_remark_codes().size(), 6U);
  for (const RemarkCode code : all_remark_codes())
    EXPECT_EQ(parse_remark_code(remark_code_name(code)), code);
  EXPECT_EQ(remark_code_name(RemarkCode::kZerosPass), "zeros_pass");
  EXPECT_EQ(remark_code_name(RemarkCode::kConstantAlongAxis), "constant_along_axis");
  EXPECT_EQ(parse_remark_code("ones_pass"), std::nullopt);
}

}  // namespace
}  // namespace warpwright
