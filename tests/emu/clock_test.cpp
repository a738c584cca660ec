// Vector clocks: coverage after joins, and with separate epochs for the lanes of a warp.
#include "emu/model/clock.h"

#include <gtest/gtest.h>

namespace warpwright::emu {
namespace {

constexpr std::uint32_t kAll = 0xffffffffu;
Actor actor(std::uint16_t index, std::uint32_t epoch, std::uint64_t block = 0) {
  return {block, index, epoch};
}
ClockRef knowing(const Actor& of, std::uint32_t lanes) {
  auto clock = Counted<Clock>::make();
  clock->learn(of.block, of.index, of.epoch, lanes);
  return clock;
}

TEST(Clock, CoversUpToTheEpochItLearned) {
  const ClockRef clock = knowing(actor(3, 7), kAll);
  EXPECT_TRUE(covers(clock, actor(3, 7), kAll));
  EXPECT_TRUE(covers(clock, actor(3, 1), 1));
  EXPECT_FALSE(covers(clock, actor(3, 8), 1));
  EXPECT_FALSE(covers(clock, actor(2, 1), 1));
  EXPECT_FALSE(covers(clock, actor(3, 7, 1), 1)) << "of another block";
  EXPECT_FALSE(covers(nullptr, actor(3, 1), 1));
}

TEST(Clock, LanesAreKnownOneByOne) {
  const ClockRef clock = knowing(actor(3, 7), 0x5);
  EXPECT_TRUE(covers(clock, actor(3, 7), 0x4));
  EXPECT_FALSE(covers(clock, actor(3, 7), 0x6));
}

TEST(Clock, JoinsKnowWhatEitherKnew) {
  const ClockRef both = joined(knowing(actor(3, 7), 0x5), knowing(actor(3, 9), 0x2));
  EXPECT_TRUE(covers(both, actor(3, 7), 0x7));
  EXPECT_FALSE(covers(both, actor(3, 8), 0x1));
  EXPECT_TRUE(covers(both, actor(3, 9), 0x2));
  const ClockRef blocks = joined(both, knowing(actor(1, 2, 40), kAll));
  EXPECT_TRUE(covers(blocks, actor(1, 2, 40), kAll));
  EXPECT_TRUE(covers(blocks, actor(3, 9), 0x2));
}

TEST(Clock, JoiningWhatIsKnownKeepsTheClock) {
  const ClockRef more = joined(knowing(actor(3, 7), kAll), knowing(actor(4, 2), kAll));
  EXPECT_EQ(joined(more, knowing(actor(3, 6), 0x10)), more);
  EXPECT_EQ(joined(knowing(actor(3, 6), 0x10), more), more);
  EXPECT_EQ(joined(nullptr, more), more);
}

TEST(Clock, LanesThatAllCaughtUpCoverTheWarp) {
  const ClockRef halves =
      joined(knowing(actor(0, 4), 0x0000ffff), knowing(actor(0, 4), 0xffff0000));
  EXPECT_TRUE(covers(halves, actor(0, 4), kAll));
}

TEST(Clock, JoinsLeaveTheirOperandsAlone) {
  const ClockRef a = knowing(actor(0, 4), kAll);
  const ClockRef b = knowing(actor(1, 5), kAll);
  static_cast<void>(joined(a, b));
  EXPECT_FALSE(covers(a, actor(1, 1), 1));
  EXPECT_FALSE(covers(b, actor(0, 1), 1));
}

}  // namespace
}  // namespace warpwright::emu
