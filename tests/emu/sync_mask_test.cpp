// .sync operations whose lanes name different members, lanes that are not in their own mask, and
// shuffles from lanes that do not take part.
#include <bit>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Lane t is in the group of the lanes with the same t % 4; %r0 is t, %r1 its group's mask, %d0 the
// address of the lane's result, which the body computes in %r8.
std::string by_group(const std::string& body) {
  return ptx_header() + R"(
    .visible .entry op(.param .u64 p) {
    .reg .b32 %r<12>; .reg .b64 %d<3>; .reg .pred %p<4>;
    ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x;
    mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;
    and.b32 %r2, %r0, 3; mov.u32 %r1, 0x11111111; shl.b32 %r1, %r1, %r2;
    )" + body +
         R"(
    st.global.u32 [%d0], %r8; ret; })";
}

std::vector<unsigned> run_by_group(const std::string& body) {
  Harness harness(by_group(body));
  const auto out = harness.zeros<unsigned>(32);
  harness.run_clean(out);
  return harness.download(out);
}

constexpr unsigned group_of(unsigned lane) { return 0x11111111u << lane % 4; }

TEST(SyncByMask, ReduxAddsUpEachGroup) {
  const auto got = run_by_group("redux.sync.add.u32 %r8, %r0, %r1;");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], 112 + 8 * (t % 4)) << t;
}

TEST(SyncByMask, BallotShowsEachGroup) {
  const auto got = run_by_group("setp.lt.u32 %p0, %r0, 17; vote.sync.ballot.b32 %r8, %p0, %r1;");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], group_of(t) & 0x1ffffu) << t;
}

TEST(SyncByMask, AnyAndAllAskEachGroup) {
  const auto got = run_by_group(R"(
    setp.eq.u32 %p0, %r0, 5; vote.sync.any.pred %p1, %p0, %r1; selp.u32 %r3, 1, 0, %p1;
    setp.eq.u32 %p0, %r2, 2; vote.sync.all.pred %p2, %p0, %r1; selp.u32 %r4, 2, 0, %p2;
    or.b32 %r8, %r3, %r4;)");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(got[t], (t % 4 == 1 ? 1u : 0u) | (t % 4 == 2 ? 2u : 0u)) << t;
}

TEST(SyncByMask, MatchAnyLooksInEachGroup) {
  const auto got = run_by_group("shr.u32 %r3, %r0, 4; match.any.sync.b32 %r8, %r3, %r1;");
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(got[t], group_of(t) & (t < 16 ? 0xffffu : 0xffff0000u)) << t;
}

TEST(SyncByMask, MatchAllComparesEachGroup) {
  // Equal in all groups but the last, where lane 31 differs.
  const auto got = run_by_group(R"(
    setp.eq.u32 %p0, %r0, 31; selp.u32 %r3, 99, %r2, %p0;
    match.all.sync.b32 %r8|%p1, %r3, %r1;
    @!%p1 add.u32 %r8, %r8, 7;)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], t % 4 == 3 ? 7u : group_of(t)) << t;
}

TEST(SyncByMask, ShufflesStayInTheirGroup) {
  const auto got = run_by_group(R"(
    add.u32 %r3, %r0, 4; mul.lo.u32 %r4, %r0, 10;
    shfl.sync.idx.b32 %r8, %r4, %r3, 31, %r1;)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], (t + 4) % 32 * 10) << t;
}

TEST(SyncByMask, AnInstructionOfAllGroupsCountsOnce) {
  Harness harness(by_group("redux.sync.add.u32 %r8, %r0, %r1;"));
  const auto out = harness.zeros<unsigned>(32);
  const std::uint64_t together = harness.run_clean(out).warp_instructions;
  Harness full(by_group("redux.sync.add.u32 %r8, %r0, 0xffffffff;"));
  EXPECT_EQ(together, full.run_clean(full.zeros<unsigned>(32)).warp_instructions);
}

// Lanes 0 to 15 come first: those below 8 are complete, the others wait for lanes 16 to 23.
TEST(SyncByMask, SomeGroupsWaitForLanesElsewhere) {
  const auto got = run_by_group(R"(
    mov.u32 %r1, 0x000000ff; setp.ge.u32 %p0, %r0, 8; @%p0 mov.u32 %r1, 0x00ffff00;
    setp.ge.u32 %p0, %r0, 24; @%p0 mov.u32 %r1, 0xff000000;
    setp.ge.u32 %p1, %r0, 16; @%p1 bra HIGH;
    redux.sync.add.u32 %r8, %r0, %r1; add.u32 %r8, %r8, 1000; bra.uni DONE;
    HIGH: redux.sync.add.u32 %r8, %r0, %r1;
    DONE:)");
  for (unsigned t = 0; t < 32; ++t) {
    const unsigned sum = t < 8 ? 28u : t < 24 ? 248u : 220u;
    EXPECT_EQ(got[t], sum + (t < 16 ? 1000 : 0)) << t;
  }
}

TEST(SyncByMask, DifferentOperationsUnderOneMaskAreAFault) {
  Harness harness(by_group(R"(
    setp.ge.u32 %p1, %r0, 16; @%p1 bra HIGH;
    redux.sync.add.u32 %r8, %r0, 0xffffffff; bra.uni DONE;
    HIGH: bar.warp.sync 0xffffffff; mov.u32 %r8, 1;
    DONE:)"));
  const LaunchReport report = harness.run(harness.zeros<unsigned>(32));
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kTrap);
  EXPECT_EQ(report.fault->message.substr(0, 99),
            "threads of a warp meet at `redux.sync.add.u32` and at `bar.warp.sync` under the mask "
            "0xffffffff at ");
}

// The lower half waits for all lanes, the upper half for its own lanes and lane 0, at two different
// places.
TEST(SyncByMask, LanesThatWaitForEachOtherUnderDifferentMasksAreToldWhatMasksNeed) {
  Harness harness(by_group(R"(
    setp.ge.u32 %p1, %r0, 16; @%p1 bra HIGH;
    redux.sync.add.u32 %r8, %r0, 0xffffffff; bra.uni DONE;
    HIGH: redux.sync.add.u32 %r8, %r0, 0xffff0001;
    DONE:)"));
  const LaunchReport report = harness.run(harness.zeros<unsigned>(32));
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDeadlock);
  EXPECT_NE(report.fault->message.find("; every lane that a mask names, and that has not exited, "
                                       "must execute the operation with that same mask"),
            std::string::npos)
      << report.fault->message;
}

// --- findings of the checkers

std::vector<Finding> check(const std::string& body) {
  Harness harness(by_group(body));
  harness.options.check = true;
  const LaunchReport report = harness.run(harness.zeros<unsigned>(32));
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  return report.hazards;
}

// A lane stores, its group synchronises, and the lane reads the value stored by the lane `distance`
// further on.
std::string exchange_in_shared(int distance) {
  return R"(
    .shared .align 4 .b8 tile[128];
    mov.u32 %r5, tile; shl.b32 %r6, %r0, 2; add.u32 %r6, %r5, %r6; st.shared.u32 [%r6], %r0;
    bar.warp.sync %r1;
    add.u32 %r7, %r0, )" +
         std::to_string(distance) + R"(; and.b32 %r7, %r7, 31;
    shl.b32 %r7, %r7, 2; add.u32 %r7, %r5, %r7; ld.shared.u32 %r8, [%r7];)";
}

TEST(SyncByMask, ABarrierOfGroupsOrdersEachGroup) {
  EXPECT_TRUE(check(exchange_in_shared(4)).empty());
}

TEST(SyncByMask, ABarrierOfGroupsDoesNotOrderThemAmongEachOther) {
  const std::vector<Finding> hazards = check(exchange_in_shared(1));
  ASSERT_FALSE(hazards.empty());
  EXPECT_EQ(hazards[0].kind, FindingKind::kSharedRace);
}

TEST(WarpMask, ALaneOutsideItsMaskIsNamed) {
  const std::vector<Finding> hazards = check("redux.sync.add.u32 %r8, %r0, 0xffff;");
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, FindingKind::kWarpMask);
  EXPECT_EQ(hazards[0].message,
            "lane 16 executes `redux.sync.add.u32` with the mask 0x0000ffff, which does not name "
            "it");
  EXPECT_EQ(hazards[0].here->thread, (std::array<std::uint32_t, 3>{16, 0, 0}));
}

TEST(WarpMask, LanesThatDoNotNameTheSameAreNamed) {
  const std::vector<Finding> hazards = check(R"(
    mov.u32 %r1, 0x0000ffff; setp.ge.u32 %p0, %r0, 16; @%p0 mov.u32 %r1, 0xffffffff;
    setp.eq.u32 %p1, %r0, %r0; vote.sync.ballot.b32 %r8, %p1, %r1;)");
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].message,
            "lanes execute `vote.sync.ballot.b32` with the mask 0xffffffff, but lane 0, which it "
            "names, does with 0x0000ffff");
}

// A lane that published its store at an mbarrier has not published it to its neighbours.
TEST(WarpMask, ABarrierOfTheWarpOrdersWhatAnArrivalHasPublished) {
  EXPECT_TRUE(check(R"(
    .shared .align 8 .b8 tile[16];
    mov.u32 %r5, tile; setp.ne.u32 %p0, %r0, 0; @%p0 bra MEET;
    mbarrier.init.shared.b64 [%r5+8], 1; st.shared.u32 [%r5], %r0;
    mbarrier.arrive.shared.b64 %d2, [%r5+8];
    MEET: bar.warp.sync 0xffffffff; ld.shared.u32 %r8, [%r5];)")
                  .empty());
}

TEST(WarpMask, MembersAreNotDisturbedByALaneOutside) {
  Harness harness(by_group("redux.sync.add.u32 %r8, %r0, 0xffff;"));
  const auto out = harness.zeros<unsigned>(32);
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out)[0], 120u);
}

// The lower half of the warp adds up its numbers; `stores` selects the lanes that use the sum.
std::string half_reduction(const std::string& stores) {
  return R"(
    setp.ge.u32 %p0, %r0, 16; @%p0 bra OUT;
    mov.u32 %r8, %r0;
    shfl.sync.down.b32 %r3, %r8, 8, 31, 0xffff; add.u32 %r4, %r8, %r3;
    shfl.sync.down.b32 %r5, %r4, 4, 31, 0xffff; add.u32 %r6, %r4, %r5;
    )" + stores +
         R"(
    st.global.u32 [%d0], %r6;
    OUT: ret;)";
}

TEST(WarpMask, LanesThatTakeNoPartMayBeReadWhereNothingComesOfIt) {
  EXPECT_TRUE(check(half_reduction("setp.ge.u32 %p1, %r0, 4; @%p1 bra OUT;")).empty());
}

TEST(WarpMask, AValueOfALaneThatTakesNoPartIsFoundWhereItIsStored) {
  const std::vector<Finding> hazards =
      check(half_reduction("setp.ge.u32 %p1, %r0, 5; @%p1 bra OUT;"));
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, FindingKind::kWarpMask);
  EXPECT_EQ(hazards[0].message,
            "lane 8 of `shfl.sync.down.b32` takes the value of a lane that takes no part in it; "
            "`st.global.u32` (no line information) depends on it");
}

TEST(WarpMask, ExitedLanesAreNotWaitedFor) {
  EXPECT_TRUE(check(R"(
    setp.ge.u32 %p0, %r0, 16; @%p0 exit;
    redux.sync.add.u32 %r8, %r0, 0xffffffff;)")
                  .empty());
}

TEST(WarpMask, AShuffleFromAnExitedLaneIsFound) {
  const std::vector<Finding> hazards = check(R"(
    setp.ge.u32 %p0, %r0, 16; @%p0 exit;
    shfl.sync.bfly.b32 %r8, %r0, 16, 31, 0xffffffff;)");
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, FindingKind::kWarpMask);
}

}  // namespace
}  // namespace warpwright::emu
