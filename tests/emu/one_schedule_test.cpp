// same_under_all_schedules: which instructions such a launch may execute, and that its results are
// then the same, without hazards, under every other schedule.
#include <functional>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Two warps and two blocks; each thread has its own word of `out`, whose address is in %own, and
// one of shared memory at %slot; %other is the slot of the thread that is 32 away.
LaunchReport run_body(const std::string& body, bool check = true, std::uint32_t cluster = 1) {
  Harness harness(ptx_header() + R"(
.global .align 4 .u32 variable = 7;
.const .align 4 .u32 constant = 3;
.visible .entry kernel(.param .u64 out) {
  .reg .pred %p;
  .reg .b32 %r<9>, %thread, %global, %slot, %other, %x;
  .reg .b64 %out, %own, %rd<4>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %out, [out];
  mov.u32 %thread, %tid.x;
  mov.u32 %r0, %ctaid.x;
  mad.lo.u32 %global, %r0, 64, %thread;
  mul.wide.u32 %own, %global, 4;
  add.u64 %own, %own, %out;
  mov.u32 %slot, tile;
  mad.lo.u32 %slot, %thread, 4, %slot;
  xor.b32 %r1, %thread, 32;
  mov.u32 %other, tile;
  mad.lo.u32 %other, %r1, 4, %other;
  setp.eq.u32 %p, %thread, 0;
)" + body + "\n  ret;\n}\n");
  harness.launch.grid = {2, 1, 1};
  harness.launch.block = {64, 1, 1};
  harness.launch.cluster = {cluster, 1, 1};
  harness.options.check = check;
  return harness.run(harness.zeros<std::uint32_t>(128));
}

bool is_enough(const std::string& body) {
  const LaunchReport report = run_body(body);
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  return report.same_under_all_schedules;
}

constexpr const char* kStoreOwn = "st.global.u32 [%own], %global;";
constexpr const char* kExchange =
    "st.shared.u32 [%slot], %thread; bar.sync 0; ld.shared.u32 %x, [%other]; "
    "st.global.u32 [%own], %x;";

TEST(OneSchedule, IsEnoughWhereThreadsDoNotMeet) { EXPECT_TRUE(is_enough(kStoreOwn)); }

TEST(OneSchedule, IsEnoughWhereABarrierOrdersAllAccesses) { EXPECT_TRUE(is_enough(kExchange)); }

TEST(OneSchedule, IsEnoughForReductionsAtABarrier) {
  EXPECT_TRUE(is_enough("bar.red.popc.u32 %x, 0, %p; st.global.u32 [%own], %x;"));
}

TEST(OneSchedule, IsNotEnoughWhereWarpsAskABarrierForDifferentThings) {
  EXPECT_FALSE(
      is_enough("setp.lt.u32 %p, %thread, 32; @%p bra COUNT; bar.sync 0; bra DONE;\n"
                "COUNT: bar.red.popc.u32 %x, 0, %p;\nDONE:"));
}

TEST(OneSchedule, IsEnoughForWhatAWarpDoesAmongItself) {
  EXPECT_TRUE(
      is_enough("shfl.sync.bfly.b32 %x, %thread, 1, 31, 0xffffffff; st.shared.u32 [%slot], %x; "
                "bar.warp.sync 0xffffffff; ld.shared.u32 %x, [%slot]; "
                "membar.gl; st.global.u32 [%own], %x;"));
}

TEST(OneSchedule, IsNotEnoughForARace) {
  EXPECT_FALSE(
      is_enough("st.shared.u32 [%slot], %thread; ld.shared.u32 %x, [%other]; "
                "st.global.u32 [%own], %x;"));
}

TEST(OneSchedule, IsNotEnoughForStoresOfEqualValues) {
  EXPECT_FALSE(is_enough("st.global.u32 [%out], 1;"));
}

TEST(OneSchedule, IsNotEnoughForAtomics) {
  EXPECT_FALSE(is_enough("atom.global.add.u32 %x, [%out], 1;"));
  EXPECT_FALSE(is_enough("red.global.add.u32 [%out], 1;"));
}

TEST(OneSchedule, IsEnoughWhereAtomicsAreNotReached) {
  EXPECT_TRUE(is_enough("setp.gt.u32 %p, %thread, 64; @%p red.global.add.u32 [%out], 1;"));
}

TEST(OneSchedule, IsNotEnoughForFlags) {
  EXPECT_FALSE(is_enough("st.volatile.global.u32 [%own], 1;"));
  EXPECT_FALSE(is_enough("ld.acquire.gpu.global.u32 %x, [%own];"));
}

TEST(OneSchedule, IsNotEnoughForAsynchronousCopies) {
  EXPECT_FALSE(
      is_enough("cp.async.ca.shared.global [%slot], [%own], 4; cp.async.commit_group; "
                "cp.async.wait_group 0; bar.sync 0; ld.shared.u32 %x, [%other];"));
}

TEST(OneSchedule, IsNotEnoughForBarriersOfSomeWarps) {
  EXPECT_FALSE(is_enough("bar.sync 1, 64;"));
  EXPECT_FALSE(is_enough("bar.arrive 1, 128;"));
}

TEST(OneSchedule, IsNotEnoughForClocks) {
  EXPECT_FALSE(is_enough("mov.u32 %x, %clock; st.global.u32 [%own], %x;"));
}

TEST(OneSchedule, IsNotEnoughWhereLanesAskWhoIsHere) {
  EXPECT_FALSE(is_enough("activemask.b32 %x; st.global.u32 [%own], %x;"));
}

TEST(OneSchedule, IsNotEnoughInClusters) {
  EXPECT_FALSE(run_body(kStoreOwn, true, 2).same_under_all_schedules);
}

// The next launch would see the value that this one leaves in the variable.
TEST(OneSchedule, IsNotEnoughWhereAVariableOfTheModuleIsWritten) {
  EXPECT_TRUE(is_enough("ld.global.u32 %x, [variable]; st.global.u32 [%own], %x;"));
  EXPECT_TRUE(is_enough("ld.const.u32 %x, [constant]; st.global.u32 [%own], %x;"));
  EXPECT_FALSE(
      is_enough("mov.u32 %r2, %ctaid.x; add.u32 %r2, %r2, %thread; setp.eq.u32 %p, %r2, 0; "
                "@%p st.global.u32 [variable], 1;"));
}

TEST(OneSchedule, IsNotEnoughWithoutCheckers) {
  EXPECT_FALSE(run_body(kStoreOwn, false).same_under_all_schedules);
}

TEST(OneSchedule, IsNotEnoughForAFault) {
  EXPECT_FALSE(run_body("trap;").same_under_all_schedules);
}

// The content of a function's registers, parameters and local memory before it writes them must not
// depend on the blocks that ran before.
TEST(OneSchedule, NothingThatAFunctionNeverWroteIsOfAnotherBlock) {
  Harness harness(ptx_header() + R"(
.func (.param .b32 result) keep(.param .b32 given) {
  .local .align 4 .b8 kept[8];
  .reg .b32 %given, %stale;
  .reg .b64 %at;
  ld.param.b32 %given, [given];
  mov.u64 %at, kept;
  ld.local.u32 %stale, [%at+4];
  st.local.u32 [%at+4], %given;
  st.param.b32 [result], %stale;
  ret;
}
.visible .entry kernel(.param .u64 out) {
  .reg .b32 %block, %stale;
  .reg .b64 %out, %own;
  ld.param.u64 %out, [out];
  mov.u32 %block, %ctaid.x;
  mul.wide.u32 %own, %block, 4;
  add.u64 %own, %own, %out;
  add.u32 %block, %block, 1;
  {
    .param .b32 given;
    .param .b32 result;
    st.param.b32 [given], %block;
    call (result), keep, (given);
    ld.param.b32 %stale, [result];
  }
  st.global.u32 [%own], %stale;
  ret;
}
)");
  harness.launch.grid = {8, 1, 1};
  harness.launch.block = {1, 1, 1};
  harness.options.threads = 1;
  const auto out = harness.zeros<std::uint32_t>(8);
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out), std::vector<std::uint32_t>(8, 0));
}

}  // namespace
}  // namespace warpwright::emu
