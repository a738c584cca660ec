// Tests how much of a launch a model runs.
#include "sweep/model_prior.h"

#include <gtest/gtest.h>

namespace warpwright::testing {
namespace {

TEST(BlocksToModel, AreManyWhereEachDoesLittle) {
  EXPECT_EQ(blocks_to_model(1e6, 1e9, 1e9), 48U);
  EXPECT_EQ(blocks_to_model(1, 0, 0), 48U) << "unknown work counts as none";
}

TEST(BlocksToModel, AreFewWhereEachDoesMuch) {
  // 200 KiB per block: a row of a vocabulary.
  EXPECT_EQ(blocks_to_model(8192, 8192.0 * 200 * 1024, 0), 12U);
  EXPECT_EQ(blocks_to_model(132, 132 * 1e8, 0), 3U) << "the first, the middle and the last";
  EXPECT_EQ(blocks_to_model(2048, 0, 2048 * 1e8), 3U) << "arithmetic takes time, too";
}

}  // namespace
}  // namespace warpwright::testing
