// .b128: moves to and from halves, loads and stores, compare-and-swap and exchange.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Lane l has its number in %d1; `code` has the address of 64 words of 64 bits in %d0, and that of
// the lane's own two words in %d2.
std::string quads(const std::string& code) {
  return ptx_header() +
         ".shared .align 16 .b8 tile[512];\n"
         ".visible .entry k(.param .u64 p, .param .u64 q) {\n"
         ".reg .b128 %q<9>; .reg .b64 %d<9>; .reg .b32 %r<9>; .reg .pred %p;\n"
         "ld.param.u64 %d0, [p]; ld.param.u64 %d3, [q]; mov.u32 %r0, %tid.x;\n"
         "cvt.u64.u32 %d1, %r0; mul.wide.u32 %d4, %r0, 16; add.u64 %d2, %d0, %d4;\n"
         "add.u64 %d3, %d3, %d4;\n" +
         code + "ret;\n}\n";
}

struct QuadRun {
  LaunchReport report;
  std::vector<std::uint64_t> in, out;
};
QuadRun run_quads(const std::string& code, std::uint64_t offset = 0) {
  Harness harness(quads(code));
  std::vector<std::uint64_t> values;
  for (std::uint64_t i = 0; i < 65; ++i) values.push_back(1000 + i);
  auto in = harness.upload(values);
  const auto out = harness.zeros<std::uint64_t>(64);
  harness.options.check = true;
  QuadRun run;
  in.address += offset;
  run.report = harness.run(in, out);
  in.address -= offset;
  run.in = harness.download(in);
  run.out = harness.download(out);
  return run;
}

TEST(Quads, MoveLoadAndStore) {
  const QuadRun run = run_quads(
      "mov.u32 %r1, tile; mad.lo.u32 %r1, %r0, 16, %r1;\n"
      "ld.global.b128 %q1, [%d2]; st.shared.b128 [%r1], %q1; ld.shared.b128 %q2, [%r1];\n"
      "mov.b128 {%d5, %d6}, %q2; mov.b128 {%d6, %d5}, %q2; add.u64 %d5, %d5, 7;\n"
      "mov.b128 %q3, {%d6, %d5}; mov.b128 %q4, %q3; st.global.b128 [%d3], %q4;\n");
  ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
  EXPECT_TRUE(run.report.hazards.empty());
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(run.out[2 * lane], 1000 + 2 * lane) << lane;
    EXPECT_EQ(run.out[2 * lane + 1], 1001 + 2 * lane + 7) << lane;
  }
  EXPECT_EQ(run.report.counters.global_load_requests, 1u);
}

TEST(Quads, HalvesMayBeExchangedInPlace) {
  const QuadRun run = run_quads(
      "mov.u64 %d5, 5; mov.u64 %d6, 6; mov.b128 %q1, {%d5, %d6}; mov.b128 {%d6, %d5}, %q1;\n"
      "mov.b128 %q2, {0, %d5}; mov.b128 {_, %d5}, %q2; st.global.v2.b64 [%d3], {%d5, %d6};\n");
  EXPECT_EQ(run.out[0], 6u);
  EXPECT_EQ(run.out[1], 5u);
}

// A lane swaps only if both halves in memory equal the compared value.
TEST(Quads, CompareAndSwapNeedsBothHalves) {
  const QuadRun run = run_quads(
      "setp.eq.u64 %p, %d1, 3; mov.u64 %d5, 1000; mov.u64 %d6, 1001; @%p mov.u64 %d6, 1002;\n"
      "setp.gt.u64 %p, %d1, 3; @%p mov.u64 %d5, 4; @%p mov.u64 %d6, 40;\n"
      "mov.b128 %q1, {%d5, %d6};\n"
      "mov.u64 %d5, 4; mov.u64 %d6, 40; mov.b128 %q2, {%d5, %d6};\n"
      "atom.global.cas.b128 %q3, [%d0], %q1, %q2; st.global.b128 [%d3], %q3;\n");
  ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
  EXPECT_EQ(run.in[0], 4u);
  EXPECT_EQ(run.in[1], 40u);
  EXPECT_EQ(run.in[2], 1002u);
  EXPECT_EQ(run.out[0], 1000u);  // lane 0 swaps, and the next lanes see its value
  EXPECT_EQ(run.out[1], 1001u);
  for (std::size_t lane = 1; lane < 32; ++lane) {
    EXPECT_EQ(run.out[2 * lane], 4u);
    EXPECT_EQ(run.out[2 * lane + 1], 40u);
  }
  const QuadRun lower_only = run_quads(
      "mov.u64 %d5, 1000; mov.u64 %d6, 7; mov.b128 %q1, {%d5, %d6};\n"
      "atom.global.cas.b128 _, [%d0], %q1, %q1;\n");
  EXPECT_EQ(lower_only.in[1], 1001u);
}

TEST(Quads, ExchangeHandsOn) {
  const QuadRun run = run_quads(
      "mov.u32 %r1, tile; mov.u64 %d5, 100; mov.b128 %q1, {%d5, %d1};\n"
      "setp.eq.u64 %p, %d1, 0; @%p st.shared.b128 [%r1], %q1; bar.warp.sync 0xffffffff;\n"
      "atom.shared.exch.b128 %q2, [%r1], %q1; st.global.b128 [%d3], %q2;\n");
  ASSERT_FALSE(run.report.fault.has_value()) << run.report.fault->message;
  EXPECT_TRUE(run.report.hazards.empty());
  for (std::size_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(run.out[2 * lane], 100u);
    EXPECT_EQ(run.out[2 * lane + 1], lane == 0 ? 0 : lane - 1);
  }
}

TEST(Quads, AreAlignedAsAWhole) {
  for (const std::string code :
       {"ld.global.b128 %q1, [%d2];\n", "atom.global.exch.b128 %q1, [%d2], %q2;\n"}) {
    const QuadRun run = run_quads("mov.b128 %q2, {%d1, %d1};\n" + code, 8);
    ASSERT_TRUE(run.report.fault.has_value()) << code;
    EXPECT_EQ(run.report.fault->kind, FindingKind::kMisaligned);
  }
}

TEST(Quads, OtherInstructionsDoNotTakeThem) {
  for (const std::string code :
       {"add.u64 %d1, %q1, %d1", "mov.b64 %q1, %d1", "ld.global.v2.b128 {%q1, %q2}, [%d2]",
        "atom.global.add.b128 %q1, [%d2], %q1", "mov.b128 %q1, {%d1, %d2, %d3}",
        "mov.b128 %q1, %d1", "red.global.exch.b128 [%d2], %q1", "ld.global.b64 %d1, [%q1]"}) {
    try {
      (void)Module::parse(quads(code + ";\n"), "test.ptx");
      ADD_FAILURE() << code << " was taken";
    } catch (const UnsupportedPtx& unsupported) {
      EXPECT_EQ(std::string(unsupported.what()),
                "emulator lacks `" + code.substr(0, code.find(' ')) + "` at test.ptx:10 (PTX)");
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
