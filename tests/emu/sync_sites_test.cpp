// Sites of barriers, waits and fences: which instructions are one, and launches without one of
// them.
#include "emu/ptx/sync_sites.h"

#include <gmock/gmock.h>

#include "emu/ptx/ptx_parser.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<std::string> kOnlyKernel{"kernel"};

std::string kernel_around(const std::string& body) {
  return ptx_header() + ".file 1 \"k.cu\"\n.file 2 \"helper.cuh\"\n.visible .entry kernel() {\n" +
         ".reg .pred %p<3>;\n.reg .b32 %r<3>;\n.shared .align 8 .b8 bar[8];\n" + body +
         "\n  ret;\n}\n";
}

std::vector<SyncSite> sites_of(const std::string& body) {
  const std::string text = kernel_around(body);
  return sync_sites(parse_ptx(text, "k.ptx"), kOnlyKernel);
}

std::vector<std::string> instructions_of(const std::string& body) {
  std::vector<std::string> all;
  for (const SyncSite& site : sites_of(body)) all.push_back(site.instruction);
  return all;
}

TEST(SyncSites, AreEveryKindOfBarrierWaitAndFence) {
  EXPECT_THAT(instructions_of(R"(
    bar.sync 0;
    barrier.sync.aligned 1, 64;
    bar.warp.sync 0xffffffff;
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;
    mbarrier.test_wait.parity.shared::cta.b64 %p1, [bar], 0;
    cp.async.wait_group 2;
    cp.async.wait_all;
    cp.async.bulk.wait_group.read 0;
    wgmma.fence.sync.aligned;
    wgmma.wait_group.sync.aligned 1;
    fence.proxy.async;
    fence.mbarrier_init.release.cluster;
    fence.acq_rel.gpu;
    membar.gl;
    griddepcontrol.wait;)"),
              ElementsAre("bar.sync 0", "barrier.sync.aligned 1, 64", "bar.warp.sync",
                          "mbarrier.try_wait.parity.shared::cta.b64",
                          "mbarrier.test_wait.parity.shared::cta.b64", "cp.async.wait_group 2",
                          "cp.async.wait_all", "cp.async.bulk.wait_group.read 0",
                          "wgmma.fence.sync.aligned", "wgmma.wait_group.sync.aligned 1",
                          "fence.proxy.async", "fence.mbarrier_init.release.cluster",
                          "fence.acq_rel.gpu", "membar.gl", "griddepcontrol.wait"));
}

TEST(SyncSites, AreNotInstructionsWhoseResultsAreUsed) {
  EXPECT_THAT(instructions_of("bar.red.popc.u32 %r1, 0, %p1; mov.u32 %r1, 1;\n"
                              "mbarrier.init.shared::cta.b64 [bar], 1;\n"
                              "cp.async.commit_group; wgmma.commit_group.sync.aligned;\n"
                              "griddepcontrol.launch_dependents;"),
              IsEmpty());
}

TEST(SyncSites, CopiesOfOneLineAndColumnAreOne) {
  const std::vector<SyncSite> sites = sites_of(R"(
    .loc 1 20 5
    bar.sync 0;
    .loc 1 21 5
    mov.u32 %r1, 1;
    .loc 1 20 5
    bar.sync 0;
    .loc 1 20 9
    bar.sync 0;)");
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites[0].instructions, 2u);
  EXPECT_EQ(sites[0].where.to_string(), "k.cu:20:5");
  EXPECT_EQ(sites[1].instructions, 1u);
  EXPECT_EQ(sites[1].where.to_string(), "k.cu:20:9");
}

TEST(SyncSites, CopiesNameAllTheirGroups) {
  EXPECT_THAT(instructions_of(".loc 1 20 5\ncp.async.wait_group 1;\ncp.async.wait_group 0;"),
              ElementsAre("cp.async.wait_group 1 and cp.async.wait_group 0"));
}

TEST(SyncSites, EachCallOfAHelperIsOne) {
  const std::vector<SyncSite> sites = sites_of(R"(
    .loc 1 20 5
    mov.u32 %r1, 1;
    .loc 2 7 3, function_name $L__info_string0, inlined_at 1 20 5
    bar.sync 0;
    .loc 1 30 5
    mov.u32 %r1, 1;
    .loc 2 7 3, function_name $L__info_string0, inlined_at 1 30 5
    bar.sync 0;)");
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites[0].where.to_string(), "helper.cuh:7:3");
  ASSERT_EQ(sites[0].callers.size(), 1u);
  EXPECT_EQ(sites[0].callers[0].to_string(), "k.cu:20:5");
  EXPECT_EQ(sites[1].callers[0].to_string(), "k.cu:30:5");
  EXPECT_FALSE(same_site(sites[0], sites[1]));
}

TEST(SyncSites, TheHalvesOfANamedBarrierAreOne) {
  const std::vector<SyncSite> sites = sites_of(R"(
    .loc 1 20 5
    bar.arrive 1, 64;
    .loc 1 30 5
    bar.sync 1, 64;
    .loc 1 40 5
    bar.sync 2, 64;)");
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites[0].instruction, "bar.arrive 1, 64 and bar.sync 1, 64");
  EXPECT_EQ(sites[0].where.line, 20);
  ASSERT_EQ(sites[0].also.size(), 1u);
  EXPECT_EQ(sites[0].also[0].line, 30);
  EXPECT_EQ(sites[0].instructions, 2u);
  EXPECT_EQ(sites[1].instruction, "bar.sync 2, 64");
}

TEST(SyncSites, TheHalvesOfABarrierOfAClusterAreOne) {
  const std::vector<SyncSite> sites = sites_of(R"(
    .loc 1 20 5
    barrier.cluster.arrive.aligned;
    .loc 1 30 5
    barrier.cluster.wait.aligned;
    .loc 1 40 5
    barrier.cluster.arrive.aligned;
    barrier.cluster.wait.aligned;)");
  ASSERT_EQ(sites.size(), 2u);
  EXPECT_EQ(sites[0].instruction,
            "barrier.cluster.arrive.aligned and barrier.cluster.wait.aligned");
  ASSERT_EQ(sites[0].also.size(), 1u);
  EXPECT_EQ(sites[0].also[0].line, 30);
  EXPECT_EQ(sites[1].where.line, 40);
  EXPECT_THAT(sites[1].also, IsEmpty());
}

TEST(SyncSites, OfOtherEntriesAreNotListed) {
  const std::string text = ptx_header() + R"(
.func helper() { membar.gl; ret; }
.visible .entry kernel() { bar.sync 0; ret; }
.visible .entry other() { bar.sync 1; ret; }
)";
  std::vector<std::string> all;
  for (const SyncSite& site : sync_sites(parse_ptx(text, "k.ptx"), kOnlyKernel))
    all.push_back(site.instruction);
  EXPECT_THAT(all, ElementsAre("membar.gl", "bar.sync 0"));
}

TEST(SyncSites, SayWhyTheyCannotBeTested) {
  const std::vector<SyncSite> sites = sites_of(
      "griddepcontrol.wait; fence.proxy.alias; fence.proxy.tensormap::generic.release.gpu;\n"
      "bar.sync 0;");
  ASSERT_EQ(sites.size(), 4u);
  EXPECT_EQ(sites[0].untestable, "the emulator ends a launch before the next begins");
  EXPECT_EQ(sites[1].untestable, "the emulator has one address for one byte");
  EXPECT_EQ(sites[2].untestable, "the checkers ask only for the acquiring side of it");
  EXPECT_EQ(sites[3].untestable, "");
}

// Two warps exchange words, in the order of `first` and `second`, two barriers of different lines.
struct Exchange {
  std::string text = ptx_header() + R"(
.file 1 "k.cu"
.visible .entry kernel(.param .u64 out) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 tile[256];
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, tile;
  mad.lo.u32 %r2, %r0, 4, %r1;
  xor.b32 %r3, %r0, 32;
  mad.lo.u32 %r3, %r3, 4, %r1;
  .loc 1 4 3
  bar.sync 0;
  .loc 1 5 3
  st.shared.u32 [%r2], %r0;
  .loc 1 6 3
  bar.sync 0;
  .loc 1 7 3
  ld.shared.u32 %r4, [%r3];
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd1, %rd1, %rd0;
  st.global.u32 [%rd1], %r4;
  ret;
}
)";

  LaunchReport without(std::size_t index) const {
    Harness harness(text);
    const SyncSite site = sync_sites(parse_ptx(text, "k.ptx"), kOnlyKernel).at(index);
    harness.module = Module::parse_without(site, text, "k.ptx");
    return run(harness);
  }
  static LaunchReport run(Harness& harness) {
    harness.launch.module = harness.module.get();
    harness.launch.block = {64, 1, 1};
    harness.options.check = true;
    return harness.run(harness.zeros<std::uint32_t>(64));
  }
};

TEST(ParseWithout, ANeededBarrierLeavesARace) {
  const LaunchReport report = Exchange().without(1);
  ASSERT_FALSE(report.hazards.empty());
  EXPECT_EQ(first_cause(report.hazards).kind, FindingKind::kSharedRace);
  EXPECT_TRUE(report.passed_left_out);
}

TEST(ParseWithout, ASuperfluousBarrierLeavesNothingAndCostsNothing) {
  Harness harness(Exchange().text);
  const LaunchReport whole = Exchange::run(harness);
  const LaunchReport report = Exchange().without(0);
  EXPECT_THAT(report.hazards, IsEmpty());
  EXPECT_TRUE(report.passed_left_out);
  EXPECT_TRUE(report.same_under_all_schedules);
  EXPECT_EQ(whole.counters.barriers, 4u);
  EXPECT_EQ(report.counters.barriers, 2u);
  EXPECT_FALSE(whole.passed_left_out);
}

TEST(ParseWithout, ASiteThatTheModuleLacksLeavesItWhole) {
  const std::string text = Exchange().text;
  SyncSite site = sync_sites(parse_ptx(text, "k.ptx"), kOnlyKernel).at(0);
  site.where.line = 99;
  Harness harness(text);
  harness.module = Module::parse_without(site, text, "k.ptx");
  const LaunchReport report = Exchange::run(harness);
  EXPECT_FALSE(report.passed_left_out);
  EXPECT_EQ(report.counters.barriers, 4u);
}

TEST(ParseWithout, ABarrierThatNoWarpReachesIsNotPassed) {
  std::string text = Exchange().text;
  const std::string first = ".loc 1 4 3\n  bar.sync 0;";
  text.replace(text.find(first), first.size(),
               "bra.uni BEHIND;\n  .loc 1 4 3\n  bar.sync 0;\nBEHIND:");
  Exchange exchange;
  exchange.text = text;
  EXPECT_FALSE(exchange.without(0).passed_left_out);
}

TEST(ParseWithout, AWaitForAnMbarrierIsOverAtOnce) {
  const std::string text = kernel_around(R"(
  mbarrier.init.shared::cta.b64 [bar], 1;
WAIT:
  mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0;
  @!%p1 bra WAIT;)");
  Harness whole(text);
  whole.options.check = true;
  const LaunchReport stuck = whole.run();
  ASSERT_TRUE(stuck.fault.has_value());
  EXPECT_EQ(stuck.fault->kind, FindingKind::kDeadlock);
  const std::vector<SyncSite> sites = sync_sites(parse_ptx(text, "k.ptx"), kOnlyKernel);
  ASSERT_EQ(sites.size(), 1u);
  Harness harness(text);
  harness.module = Module::parse_without(sites[0], text, "k.ptx");
  harness.launch.module = harness.module.get();
  harness.options.check = true;
  const LaunchReport report = harness.run();
  EXPECT_FALSE(report.fault.has_value());
  EXPECT_TRUE(report.passed_left_out);
}

}  // namespace
}  // namespace warpwright::emu
