// Divergence, locks, partial warps, warp-wide operations and barriers.
#include <bit>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

Harness sync(const std::string& entry) {
  Harness harness = Harness::fixture("sync.ptx");
  harness.launch.entry = entry;
  harness.options.time_limit = std::chrono::milliseconds(20000);
  return harness;
}

TEST(Divergence, LanesTakeALockInTurn) {
  Harness harness = sync("lane_lock");
  const auto lock = harness.zeros<int>(1);
  const auto counter = harness.zeros<int>(1);
  harness.run_clean(lock, counter);
  EXPECT_EQ(harness.download(counter)[0], 32);
}

TEST(Divergence, WarpsAndBlocksTakeALockInTurn) {
  Harness harness = sync("lane_lock");
  const auto lock = harness.zeros<int>(1);
  const auto counter = harness.zeros<int>(1);
  harness.launch.block = {96, 1, 1};
  harness.launch.grid = {3, 1, 1};
  harness.run_clean(lock, counter);
  EXPECT_EQ(harness.download(counter)[0], 288);
}

TEST(Divergence, LaneSpinsOnAnotherLanesStore) {
  Harness harness = sync("lane_flag");
  const auto flag = harness.zeros<int>(1);
  const auto out = harness.zeros<int>(1);
  harness.run_clean(flag, out);
  EXPECT_EQ(harness.download(out)[0], 42);
}

TEST(Divergence, WarpSpinsOnAnotherWarpsStore) {
  Harness harness = sync("warp_flag");
  const auto out = harness.zeros<int>(32);
  harness.launch.block = {64, 1, 1};
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out)[5], 12);
}

TEST(Divergence, BlocksWaitForLaterBlocksOnOneHostThread) {
  Harness harness = sync("grid_barrier");
  const auto arrived = harness.zeros<unsigned>(1);
  const auto out = harness.zeros<unsigned>(6);
  harness.launch.grid = {6, 1, 1};
  harness.options.threads = 1;
  harness.run_clean(arrived, out);
  EXPECT_EQ(harness.download(out), std::vector<unsigned>(6, 6));
}

TEST(Divergence, LanesReconvergeAfterABranch) {
  // The two sides of a branch run once each, and the code after it runs once for all lanes.
  Harness harness(ptx_header() + R"(
    .visible .entry op(.param .u64 p) {
    .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p;
    ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; setp.lt.u32 %p, %r0, 10;
    @%p bra LESS;
    mul.lo.u32 %r1, %r0, 3;
    bra.uni JOIN;
    LESS: mul.lo.u32 %r1, %r0, 5;
    JOIN: mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r1; ret; })");
  const auto out = harness.zeros<unsigned>(32);
  const Counters counters = harness.run_clean(out);
  EXPECT_EQ(counters.global_store_requests, 1u);
  EXPECT_EQ(counters.warp_instructions, 11u);  // reading %tid.x needs a separate move
  EXPECT_EQ(harness.download(out)[9], 45u);
  EXPECT_EQ(harness.download(out)[10], 30u);
}

TEST(WarpWide, ShufflesWithPartialMasksAndSegments) {
  Harness harness = sync("partial_shuffles");
  const auto out = harness.zeros<int>(128);
  harness.run_clean(out);
  const auto got = harness.download(out);
  for (int t = 0; t < 32; ++t) {
    const auto at = static_cast<std::size_t>(t);
    EXPECT_EQ(got[at], t < 16 ? (t + 1) % 16 * 10 : (t ^ 1) * 10) << t;
    EXPECT_EQ(got[32 + at], t % 8 >= 3 ? t - 3 : t) << t;
    EXPECT_EQ(got[64 + at], t % 16 + 2 < 16 ? t + 2 : t) << t;
    EXPECT_EQ(got[96 + at], 11) << t;
  }
}

TEST(WarpWide, MembersMayArriveAtDifferentPlaces) {
  Harness harness = sync("split_vote");
  const auto out = harness.zeros<unsigned>(32);
  harness.run_clean(out);
  unsigned expected = 0;
  for (int t = 0; t < 32; ++t) expected |= static_cast<unsigned>(t % 2 == 0 ? t < 8 : t > 24) << t;
  EXPECT_EQ(harness.download(out), std::vector<unsigned>(32, expected));
}

TEST(WarpWide, MatchReduxVoteAndActivemask) {
  Harness harness = sync("matches");
  const auto out = harness.zeros<unsigned>(256);
  harness.run_clean(out);
  const auto got = harness.download(out);
  unsigned xors = 0;
  for (unsigned t = 0; t < 32; ++t) xors ^= t * t;
  for (unsigned t = 0; t < 32; ++t) {
    unsigned same = 0;
    for (unsigned o = 0; o < 32; ++o) same |= static_cast<unsigned>(o % 5 == t % 5) << o;
    EXPECT_EQ(got[t], same);
    EXPECT_EQ(got[32 + t], 0xffffffffu);
    EXPECT_EQ(got[64 + t], 1u);
    EXPECT_EQ(got[96 + t], 496u);
    EXPECT_EQ(got[128 + t], 11u);
    EXPECT_EQ(got[160 + t], xors);
    EXPECT_EQ(got[192 + t], 3u);
    EXPECT_EQ(got[224 + t], t < 10 ? 0x3ffu : 0u);
  }
}

TEST(WarpWide, ElectPicksTheLowestMember) {
  Harness harness(ptx_header() + R"(
    .visible .entry op(.param .u64 p) {
    .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .pred %p, %q;
    ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; setp.ge.u32 %q, %r0, 5;
    mov.u32 %r1, 99; mov.u32 %r2, 0;
    @!%q bra OUT;
    elect.sync %r1|%p, 0xffffffe0;
    selp.u32 %r2, 1, 0, %p;
    OUT: mul.wide.u32 %d1, %r0, 8; add.u64 %d0, %d0, %d1;
    st.global.v2.u32 [%d0], {%r1, %r2}; ret; })");
  const auto out = harness.zeros<unsigned>(64);
  harness.run_clean(out);
  const auto got = harness.download(out);
  EXPECT_EQ(got[2 * 4], 99u);
  EXPECT_EQ(got[2 * 5], 5u);
  EXPECT_EQ(got[2 * 5 + 1], 1u);
  EXPECT_EQ(got[2 * 31], 5u);
  EXPECT_EQ(got[2 * 31 + 1], 0u);
}

TEST(Barriers, ArriveAndSyncWithCounts) {
  Harness harness = sync("named_barriers");
  const auto out = harness.zeros<int>(32);
  harness.launch.block = {96, 1, 1};
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    harness.options.seed = seed;
    harness.run_clean(out);
    for (int t = 0; t < 32; ++t)
      EXPECT_EQ(harness.download(out)[static_cast<std::size_t>(t)], (31 - t) * 3);
  }
}

TEST(Barriers, Reductions) {
  Harness harness = sync("counted_barriers");
  const auto out = harness.zeros<int>(240);
  harness.launch.block = {120, 1, 1};
  const Counters counters = harness.run_clean(out);
  for (std::size_t t = 0; t < 120; ++t) {
    EXPECT_EQ(harness.download(out)[t], 40);
    EXPECT_EQ(harness.download(out)[120 + t], 3);
  }
  EXPECT_EQ(counters.barriers, 12u);
}

TEST(Barriers, ExitedLanesDoNotHoldTheirWarp) {
  Harness harness = sync("lane_exit");
  const auto out = harness.zeros<int>(64);
  harness.launch.block = {64, 1, 1};
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out)[1], 1);
  EXPECT_EQ(harness.download(out)[2], 0);
}

TEST(Barriers, ExitedWarpsDoNotHoldTheirBlock) {
  Harness harness = sync("missing_warp");
  const auto out = harness.zeros<int>(128);
  harness.launch.block = {128, 1, 1};
  const Counters counters = harness.run_clean(out);
  std::vector<int> expected(128, 0);
  std::fill_n(expected.begin(), 64, 2);
  EXPECT_EQ(harness.download(out), expected);
  EXPECT_EQ(counters.barriers, 2u);
}

// Threads of the first or the last warp exit, and thus before or after the others wait.
std::string leave_before_barrier(const std::string& which, const std::string& barrier) {
  return ptx_header() + R"(
    .visible .entry op() {
    .reg .b32 %r<2>; .reg .pred %p;
    mov.u32 %r0, %tid.x; setp.)" +
         which + R"( %p, %r0, 32;
    @%p bra DONE;
    )" + barrier +
         R"(
    DONE: ret; })";
}

class LeaveBeforeBarrier : public testing::TestWithParam<const char*> {};

TEST_P(LeaveBeforeBarrier, ABarrierOfTheBlockIsReleased) {
  Harness harness(leave_before_barrier(GetParam(), "bar.sync 0;"));
  harness.launch.block = {64, 1, 1};
  EXPECT_EQ(harness.run_clean().barriers, 1u);
}

TEST_P(LeaveBeforeBarrier, ABarrierWithACountWaitsForAsMany) {
  Harness harness(leave_before_barrier(GetParam(), "bar.sync 0, 64;"));
  harness.launch.block = {64, 1, 1};
  const LaunchReport report = harness.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDeadlock);
  EXPECT_NE(report.fault->message.find("where 32 of 64 threads have arrived"), std::string::npos)
      << report.fault->message;
  EXPECT_TRUE(report.fault->message.ends_with(
      "every thread that a barrier counts must reach it, so move it out of the branch or the early "
      "return"))
      << report.fault->message;
}

TEST_P(LeaveBeforeBarrier, CheckersSayWhatTheFixIs) {
  Harness harness(leave_before_barrier(GetParam(), "bar.sync 0;"));
  harness.launch.block = {64, 1, 1};
  harness.options.check = true;
  const LaunchReport report = harness.run();
  ASSERT_FALSE(report.fault.has_value()) << report.fault->message;
  ASSERT_EQ(report.hazards.size(), 1u);
  const Finding& hazard = report.hazards[0];
  EXPECT_EQ(hazard.kind, FindingKind::kExitBeforeBarrier);
  EXPECT_EQ(hazard.message,
            "barrier 0 completes although 32 of 64 threads have exited without it; GPUs count "
            "them as arrived, CUDA leaves it undefined");
  EXPECT_EQ(hazard.advice,
            "move the return below the barrier, or guard the work instead of returning");
  EXPECT_EQ(hazard.here->what, "barrier");
  ASSERT_TRUE(hazard.other.has_value());
  EXPECT_EQ(hazard.other->what, "exit");
}

INSTANTIATE_TEST_SUITE_P(Sides, LeaveBeforeBarrier, testing::Values("lt.u32", "ge.u32"),
                         [](const auto& side) {
                           return std::string(side.param).starts_with("lt") ? "First" : "Last";
                         });

// No warp waits at the barrier that the exit completes.
TEST(Barriers, AnExitMayCompleteWhatAllHaveOnlyArrivedAt) {
  Harness harness(ptx_header() + R"(
    .visible .entry op() {
    .reg .b32 %r<2>; .reg .pred %p;
    mov.u32 %r0, %tid.x; setp.ge.u32 %p, %r0, 32;
    @%p bra DONE;
    bar.arrive 1, 64;
    DONE: ret; })");
  harness.launch.block = {64, 1, 1};
  harness.options.check = true;
  EXPECT_FALSE(harness.run().fault.has_value());
}

TEST(Barriers, LanesAtAnotherBarrierAreWaitedForWhoeverHasExited) {
  Harness harness(ptx_header() + R"(
    .visible .entry op() {
    .reg .b32 %r<2>; .reg .pred %p, %q;
    mov.u32 %r0, %tid.x; setp.ge.u32 %p, %r0, 32; setp.lt.u32 %q, %r0, 16;
    @%p exit;
    @%q bra OTHER;
    bar.sync 0;
    bra.uni DONE;
    OTHER: bar.sync 1;
    DONE: ret; })");
  harness.launch.block = {64, 1, 1};
  const LaunchReport report = harness.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDeadlock);
}

TEST(Barriers, VotesCountThoseThatArrive) {
  Harness harness(ptx_header() + R"(
    .visible .entry op(.param .u64 out) {
    .reg .b32 %r<3>; .reg .b64 %d; .reg .pred %p, %q;
    mov.u32 %r0, %tid.x; setp.ge.u32 %p, %r0, 32;
    @%p exit;
    setp.lt.u32 %q, %r0, 99;
    barrier.red.and.pred %q, 0, %q;
    selp.u32 %r1, 1, 0, %q;
    ld.param.u64 %d, [out];
    st.global.u32 [%d], %r1;
    ret; })");
  harness.launch.block = {64, 1, 1};
  const auto out = harness.zeros<int>(1);
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out)[0], 1);
}

TEST(Deadlock, WarpThatLeftIsNamed) {
  Harness harness(leave_before_barrier("ge.u32", "bar.sync 0, 64;"));
  harness.launch.block = {64, 1, 1};
  const LaunchReport report = harness.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_NE(report.fault->message.find("; warp 1 exited; every thread"), std::string::npos)
      << report.fault->message;
}

TEST(Deadlock, LanesAtDifferentBarriersAreNamed) {
  Harness harness = sync("branch_barrier");
  const auto out = harness.zeros<int>(32);
  const LaunchReport report = harness.run(out, 5);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDeadlock);
  EXPECT_NE(report.fault->message.find("with lanes 0x0000001f only, so the warp has not arrived"),
            std::string::npos)
      << report.fault->message;
  EXPECT_NE(report.fault->message.find("with lanes 0xffffffe0 only"), std::string::npos);
}

TEST(Deadlock, ShuffleThatWaitsForAMissingLane) {
  Harness harness(ptx_header() + R"(
    .visible .entry op() {
    .reg .b32 %r<4>; .reg .pred %p;
    mov.u32 %r0, %tid.x; setp.lt.u32 %p, %r0, 16;
    @%p bra LOW;
    bar.sync 1;
    bra.uni DONE;
    LOW: shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffffffff;
    DONE: ret; })");
  const LaunchReport report = harness.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDeadlock);
  EXPECT_NE(report.fault->message.find("lanes 0x0000ffff wait at `shfl.sync.idx.b32`"),
            std::string::npos)
      << report.fault->message;
  EXPECT_NE(report.fault->message.find("for the lanes 0xffff0000 of its mask"), std::string::npos);
}

}  // namespace
}  // namespace warpwright::emu
