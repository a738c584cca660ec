// The four warps of a warpgroup and their wgmma: waits for each other, and the finding for a warp
// that is missing.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// A warpgroup; `body` has %r0, the warp's number, %p0, true in warp 3, and descriptors %d1 and %d2
// of tiles of zeros at shared address 0. Lane 0 of each warp counts in %r1 and stores it.
std::string warpgroup(const std::string& body) {
  return ptx_header() + R"(
    .visible .entry op(.param .u64 p) {
    .shared .align 128 .b8 tiles[4096];
    .reg .b32 %r<12>; .reg .b64 %d<4>; .reg .pred %p<6>; .reg .f32 %f<4>;
    mov.u32 %r3, %tid.x; shr.u32 %r0, %r3, 5; setp.eq.u32 %p0, %r0, 3; mov.u32 %r1, 0;
    mov.u64 %d1, 0x800400000; mov.u64 %d2, 0x800080080;
    mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;
    shl.b32 %r4, %r3, 5; mov.u32 %r5, tiles; add.u32 %r4, %r4, %r5;
    st.shared.v4.f32 [%r4], {%f0, %f1, %f2, %f3}; st.shared.v4.f32 [%r4+16], {%f0, %f1, %f2, %f3};
    fence.proxy.async.shared::cta; bar.sync 0;
    )" + body +
         R"(
    end: ld.param.u64 %d0, [p]; mul.wide.u32 %d3, %r3, 4; add.u64 %d0, %d0, %d3;
    st.global.u32 [%d0], %r1; ret; })";
}

const std::string kProduct = R"(
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %d1, %d2, 1, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
)";

LaunchReport run_warpgroup(const std::string& body, bool check, std::uint64_t seed = 1) {
  Harness harness(warpgroup(body), "group.ptx");
  harness.launch.block = {128, 1, 1};
  harness.options.check = check;
  harness.options.seed = seed;
  harness.options.threads = 1;
  return harness.run(harness.zeros<unsigned>(128));
}

std::string fault_of(const LaunchReport& report) {
  return report.fault ? report.fault->message : "none";
}

TEST(Warpgroup, AWaitStandsStillForTheWarpThatHasExited) {
  const std::string body = "@%p0 bra end;" + kProduct + "wgmma.wait_group.sync.aligned 0;";
  for (const bool check : {false, true}) {
    EXPECT_EQ(
        fault_of(run_warpgroup(body, check)),
        "deadlock at `wgmma.wait_group.sync.aligned` (no line information), thread (0,0,0) of "
        "block (0,0,0): warps 0,1,2 waits at `wgmma.wait_group.sync.aligned` "
        "(`wgmma.wait_group.sync.aligned` (no line information)) for a wgmma that warp 3 of "
        "its warpgroup has not executed; warp 3 exited; all four warps of a warpgroup must "
        "execute every wgmma: move it out of the branch, and let warps without work of their "
        "own take part");
  }
}

TEST(Warpgroup, AWaitStandsStillForTheWarpsAtABarrier) {
  const LaunchReport report =
      run_warpgroup("setp.ge.u32 %p1, %r0, 2; @%p1 bra meet;" + kProduct +
                        "wgmma.wait_group.sync.aligned 0; meet: bar.sync 1;",
                    false);
  EXPECT_EQ(fault_of(report),
            "deadlock at `wgmma.wait_group.sync.aligned` (no line information), thread (0,0,0) of "
            "block (0,0,0): warps 0,1 waits at `wgmma.wait_group.sync.aligned` "
            "(`wgmma.wait_group.sync.aligned` (no line information)) for a wgmma that warps 2,3 of "
            "its warpgroup have not executed; warps 2,3 waits at barrier 1 (`bar.sync` (no line "
            "information)), where 64 of 128 threads have arrived; all four warps of a warpgroup "
            "must execute every wgmma: move it out of the branch, and let warps without work of "
            "their own take part");
}

// A wait for all but the last committed group does not wait for that group's product.
TEST(Warpgroup, AWaitIsForTheGroupsThatItNames) {
  // Warp 3 issues its second product only after it has met the others, which wait for the first.
  const std::string body = kProduct + "@%p0 bra late;" + kProduct +
                           "wgmma.wait_group.sync.aligned 1; bar.arrive 1, 128; bra both;"
                           "late: bar.sync 1, 128;" +
                           kProduct + "both: wgmma.wait_group.sync.aligned 0;";
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    EXPECT_EQ(fault_of(run_warpgroup(body, false, seed)), "none") << seed;
}

TEST(Warpgroup, AWgmmaThatNobodyWaitsForIsMissedAtTheEnd) {
  const LaunchReport report = run_warpgroup("@%p0 bra end;" + kProduct, true);
  EXPECT_EQ(fault_of(report), "none");
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].kind, FindingKind::kDivergentWgmma);
  EXPECT_EQ(
      report.hazards[0].message,
      "warp 0 executes a wgmma that warp 3 of its warpgroup exits without; it takes all four");
  EXPECT_EQ(report.hazards[0].advice,
            "let all four warps of the warpgroup execute the same wgmma with the same descriptors: "
            "a warp takes its 16 of the 64 rows by itself");
}

TEST(Warpgroup, AnotherWgmmaIsNotTheSame) {
  const LaunchReport report =
      run_warpgroup("@%p0 bra other;" + kProduct + "bra wait; other:" + kProduct +
                        "wait: wgmma.wait_group.sync.aligned 0;",
                    true);
  EXPECT_EQ(fault_of(report), "none");
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].message,
            "warp 0 executes a wgmma where warp 3 of its warpgroup executes another; they are not "
            "one product");
}

TEST(Warpgroup, DescriptorsAreTheSameInAllWarps) {
  const LaunchReport report = run_warpgroup(
      "selp.b64 %d2, 0x8000800a0, %d2, %p0;" + kProduct + "wgmma.wait_group.sync.aligned 0;", true);
  EXPECT_EQ(fault_of(report), "none");
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].message,
            "a wgmma whose descriptor of operand B differs between warps 3 and 0 of the warpgroup "
            "(0x8000800a0 and 0x800080080)");
}

}  // namespace
}  // namespace warpwright::emu
