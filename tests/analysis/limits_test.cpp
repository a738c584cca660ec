#include <gtest/gtest.h>

#include "analysis/board/board_additions.h"
#include "analysis/sample_roofs.h"
#include "analysis/sample_rows.h"

namespace warpwright {
namespace {

using testing::h200_roofs;
using testing::RowMaker;

TEST(Limits, ABoardAndItsEntriesAreHeldAgainstTheirDevice) {
  RowMaker make;
  make.work_bytes = 4.4e9;
  auto rows = {make.ok("a", "", 1250), make.ok("b", "", 2000)};
  std::vector<Leaderboard> boards = make_leaderboards(rows);
  add_limits(boards, {{boards[0].device_fingerprint, h200_roofs()}});
  ASSERT_TRUE(boards[0].limit.has_value());
  EXPECT_DOUBLE_EQ(boards[0].limit->us, 1000);
  EXPECT_DOUBLE_EQ(boards[0].entries[0].limit_share->fraction, 0.8);
  EXPECT_DOUBLE_EQ(boards[0].entries[1].limit_share->fraction, 0.5);
  EXPECT_NEAR(boards[0].datasheet_gb_per_s.value_or(0), 4814.3, 0.05);
  EXPECT_EQ(boards[0].missing_ceiling, "");
}

TEST(Limits, EveryEntryIsHeldAgainstItsOwnWork) {
  RowMaker make;
  make.work_bytes = 4.4e9;
  const auto newer = make.ok("a", "", 1250);
  make.work_bytes = 2.2e9;  // an older contract counted less
  std::vector<Leaderboard> boards = make_leaderboards({newer, make.ok("b", "", 2000)});
  add_limits(boards, {{boards[0].device_fingerprint, h200_roofs()}});
  EXPECT_DOUBLE_EQ(boards[0].limit->us, 1000);
  EXPECT_DOUBLE_EQ(boards[0].entries[1].limit_share->fraction, 0.25);
}

TEST(Limits, ADeviceThatWasNotCalibratedNamesWhatIsMissing) {
  RowMaker make;
  std::vector<Leaderboard> boards = make_leaderboards({make.ok("a", "", 100)});
  add_limits(boards, {{boards[0].device_fingerprint, Roofs{}}});
  EXPECT_EQ(boards[0].limit, std::nullopt);
  EXPECT_EQ(boards[0].missing_ceiling, "read");
  EXPECT_EQ(boards[0].entries[0].limit_share, std::nullopt);
}

TEST(Limits, TheKernelsThatMeasureCeilingsAreHeldAgainstNone) {
  RowMaker make;
  make.kernel = "harness_bandwidth";
  std::vector<Leaderboard> boards = make_leaderboards({make.ok("sum", "", 100)});
  add_limits(boards, {{boards[0].device_fingerprint, h200_roofs()}});
  EXPECT_EQ(boards[0].limit, std::nullopt);
  EXPECT_EQ(boards[0].entries[0].limit_share, std::nullopt);
}

TEST(Limits, ABoardOfAnUnknownDeviceOrWithoutEntriesIsLeftAlone) {
  RowMaker make;
  std::vector<Leaderboard> boards =
      make_leaderboards({make.failed("a", "", Status::kCrashed, "signal 11")});
  add_limits(boards, {{boards[0].device_fingerprint, h200_roofs()}});
  EXPECT_EQ(boards[0].limit, std::nullopt);
  boards = make_leaderboards({make.ok("a", "", 100)});
  add_limits(boards, {});
  EXPECT_EQ(boards[0].limit, std::nullopt);
  EXPECT_EQ(boards[0].missing_ceiling, "");
}

}  // namespace
}  // namespace warpwright
