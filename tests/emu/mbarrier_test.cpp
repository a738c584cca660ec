// mbarrier as defined by PTX: counts, tokens, parities, transaction bytes, and faults of kernels.
#include <gmock/gmock.h>

#include "async_harness.h"

namespace warpwright::emu {
namespace {

using testing::HasSubstr;

std::vector<std::uint32_t> run_one(const std::string& body, std::uint32_t threads = 32,
                                   int words = 4) {
  Harness harness(async_ptx("", body, words));
  harness.launch.block = {threads, 1, 1};
  const auto out = harness.zeros<std::uint32_t>(static_cast<std::size_t>(words));
  harness.run_clean(out);
  return harness.download(out);
}

std::string fault_of(const std::string& body, std::uint32_t threads = 32) {
  Harness harness(async_ptx("", body, 4));
  harness.launch.block = {threads, 1, 1};
  const LaunchReport report = harness.run(harness.zeros<std::uint32_t>(4));
  EXPECT_TRUE(report.fault.has_value());
  return report.fault ? report.fault->message : "";
}

// Runs `body` in thread 0 only; %r3 to %r6 are stored to the tile.
std::string alone(const std::string& body) {
  return "@!%p0 bra DONE;\n" + body + "st.shared.v4.u32 [%r0], {%r3, %r4, %r5, %r6};\nDONE:\n";
}

TEST(Mbarrier, TokensSayWhetherTheirPhaseIsOver) {
  const auto got = run_one(
      alone("mbarrier.init.shared::cta.b64 [%r1], 2;\n"
            "mbarrier.arrive.shared::cta.b64 %rd1, [%r1];\n"
            "mbarrier.test_wait.shared::cta.b64 %p1, [%r1], %rd1; selp.u32 %r3, 1, 0, %p1;\n"
            "mbarrier.pending_count.b64 %r5, %rd1;\n"
            "mbarrier.arrive.shared::cta.b64 %rd2, [%r1];\n"
            "mbarrier.test_wait.shared::cta.b64 %p1, [%r1], %rd1; selp.u32 %r4, 1, 0, %p1;\n"
            "mbarrier.pending_count.b64 %r6, %rd2;\n"));
  EXPECT_EQ(got, (std::vector<std::uint32_t>{0, 1, 2, 1}));
}

TEST(Mbarrier, ParityAlternatesWithThePhases) {
  const auto got = run_one(
      alone("mbarrier.init.b64 [%rd3], 1;\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 1; selp.u32 %r3, 1, 0, %p1;\n"
            "mbarrier.arrive.shared.b64 _, [%r1];\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; selp.u32 %r4, 1, 0, %p1;\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 1; selp.u32 %r5, 1, 0, %p1;\n"
            "mbarrier.arrive.shared.b64 _, [%r1];\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 1; selp.u32 %r6, 1, 0, %p1;\n")
          .insert(0, "cvt.u64.u32 %rd3, %r1; cvta.shared.u64 %rd3, %rd3;\n"));
  EXPECT_EQ(got, (std::vector<std::uint32_t>{1, 1, 0, 1}));
}

TEST(Mbarrier, DroppedArrivalsAreExpectedNoMore) {
  const auto got = run_one(
      alone("mbarrier.init.shared.b64 [%r1], 3;\n"
            "mbarrier.arrive_drop.shared.b64 _, [%r1];\n"
            "mbarrier.arrive.shared.b64 _, [%r1], 2;\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; selp.u32 %r3, 1, 0, %p1;\n"
            "mbarrier.arrive.shared.b64 %rd1, [%r1]; mbarrier.pending_count.b64 %r4, %rd1;\n"
            "mbarrier.arrive.shared.b64 _, [%r1];\n"
            "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 1; selp.u32 %r5, 1, 0, %p1;\n"
            "mov.u32 %r6, 9;\n"));
  EXPECT_EQ(got, (std::vector<std::uint32_t>{1, 2, 1, 9}));
}

TEST(Mbarrier, BytesKeepAPhaseOpen) {
  const auto got =
      run_one(alone("mbarrier.init.shared.b64 [%r1], 1;\n"
                    "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 64;\n"
                    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 16;\n"
                    "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; selp.u32 %r3, 1, 0, %p1;\n"
                    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 64;\n"
                    "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; selp.u32 %r4, 1, 0, %p1;\n"
                    "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 16;\n"
                    "mbarrier.test_wait.parity.shared.b64 %p1, [%r1], 0; selp.u32 %r5, 1, 0, %p1;\n"
                    "mbarrier.inval.shared.b64 [%r1]; mov.u32 %r6, 7;\n"));
  EXPECT_EQ(got, (std::vector<std::uint32_t>{0, 0, 1, 7}));
}

// 96 threads arrive one by one and three warps wait, in two phases.
TEST(Mbarrier, WakesAllWhoWait) {
  const auto got = run_one(
      "@%p0 mbarrier.init.shared.b64 [%r1], 96;\nbar.sync 0;\n"
      "mbarrier.arrive.shared.b64 _, [%r1];\n" +
          wait_ptx("FIRST", 0) + "mbarrier.arrive.shared.b64 _, [%r1];\n" + wait_ptx("SECOND", 1) +
          "atom.shared.add.u32 %r3, [%r0], 1;\n",
      96, 1);
  EXPECT_EQ(got[0], 96u);
}

TEST(Mbarrier, CopiesArriveWhenTheyAreDone) {
  Harness harness(
      async_ptx(".param .u64 in",
                "@%p0 mbarrier.init.shared.b64 [%r1], 32;\nbar.sync 0;\n"
                "ld.param.u64 %rd1, [in]; mul.wide.u32 %rd2, %r2, 16; add.u64 %rd1, %rd1, %rd2;\n"
                "shl.b32 %r3, %r2, 4; add.u32 %r3, %r3, %r0;\n"
                "cp.async.cg.shared.global [%r3], [%rd1], 16;\n"
                "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];\n" +
                    wait_ptx(),
                128));
  std::vector<std::uint32_t> values(128);
  for (std::uint32_t i = 0; i < 128; ++i) values[i] = i * 7 + 1;
  const auto out = harness.zeros<std::uint32_t>(128);
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    harness.options.seed = seed;
    harness.run_clean(harness.upload(values), out);
    EXPECT_EQ(harness.download(out), values) << seed;
  }
}

TEST(MbarrierMisuse, IsNamedWithItsPlace) {
  const std::string init = "mbarrier.init.shared.b64 [%r1], 1;\n";
  EXPECT_THAT(fault_of(alone("mbarrier.arrive.shared.b64 _, [%r1];\n")),
              HasSubstr("on shared address 16384, where no mbarrier was initialised"));
  EXPECT_THAT(fault_of(alone("mbarrier.init.shared.b64 [%r1], 0;\n")),
              HasSubstr("mbarrier.init with a count of 0"));
  EXPECT_THAT(fault_of(alone(init + "mbarrier.arrive.shared.b64 _, [%r1], 2;\n")),
              HasSubstr("2 arrivals at `mbarrier.arrive.shared.b64` (no line information)"));
  EXPECT_THAT(
      fault_of(alone(init + "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 1048576;\n")),
      HasSubstr("would wait for 1048576 bytes; a phase takes at most 1048575"));
  EXPECT_THAT(fault_of(alone("mbarrier.init.shared.b64 [%r1+-4], 1;\n")),
              HasSubstr("is not aligned to 8 bytes"));
}

TEST(MbarrierMisuse, DeadlocksSayWhatThePhaseLacks) {
  const std::string message = fault_of(
      "@%p0 mbarrier.init.shared.b64 [%r1], 2;\nbar.sync 0;\n"
      "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 128;\n" +
      wait_ptx());
  EXPECT_THAT(message, HasSubstr("warp 0 waits at the mbarrier at shared address 16384"));
  EXPECT_THAT(message,
              HasSubstr("phase 0 (parity 0) lacks 1 of 2 arrivals and 128 bytes of copies"));
}

}  // namespace
}  // namespace warpwright::emu
