// Instructions that neither compute per lane nor fit a fixture: hints must not change any state,
// and instructions such as exit and trap must end their lanes or the launch.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Runs one warp; every lane stores %r1 after `code`, which has its lane in %r0 and the buffer of 64
// words in %d0, and may use %r1 to %r9 and the predicates %p and %q.
std::vector<std::uint32_t> words_after(const std::string& code, LaunchReport* report = nullptr,
                                       const std::string& before = "") {
  Harness harness(ptx_header() + before + R"(
.visible .entry k(.param .u64 p)
{
  .reg .b64 %d<8>; .reg .b32 %r<10>; .reg .pred %p, %q;
  ld.param.u64 %d0, [p];
  mov.u32 %r0, %tid.x;
  mul.wide.u32 %d1, %r0, 4;
  add.u64 %d1, %d0, %d1;
  mov.u32 %r1, 77;
)" + code + R"(
  st.global.u32 [%d1], %r1;
  ret;
}
)");
  std::vector<std::uint32_t> values(64);
  for (std::uint32_t i = 0; i < 64; ++i) values[i] = 1000 + i;
  const auto buffer = harness.upload(values);
  const LaunchReport got = harness.run(buffer);
  if (report != nullptr) {
    *report = got;
  } else {
    EXPECT_FALSE(got.fault.has_value()) << got.fault->message;
  }
  return harness.download(buffer);
}

TEST(RestOfTheOpcodes, HintsChangeNothing) {
  const auto words = words_after(R"(
  prefetch.global.L2 [%d1];
  prefetchu.L1 [%d1];
  applypriority.global.L2::evict_normal [%d0], 128;
  createpolicy.fractional.L2::evict_last.b64 %d2, 1.0;
  nanosleep.u32 20;
  pmevent 3;
  griddepcontrol.wait;
  griddepcontrol.launch_dependents;
  membar.gl;
  fence.acq_rel.gpu;
  fence.proxy.async;
)");
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], 77u);
  for (std::size_t i = 32; i < 64; ++i) EXPECT_EQ(words[i], 1000u + i);
}

// The old content may be discarded; later writes are kept.
TEST(RestOfTheOpcodes, DiscardComesBeforeStores) {
  const auto words = words_after("discard.global.L2 [%d0], 128;");
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], 77u);
}

TEST(RestOfTheOpcodes, UniformLoadReads) {
  const auto words = words_after("ldu.global.u32 %r1, [%d0+128];");
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], 1032u);
}

TEST(RestOfTheOpcodes, ExitEndsItsLanesOnly) {
  const auto words = words_after(R"(
  setp.lt.u32 %p, %r0, 5;
  @%p exit;
)");
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(words[lane], lane < 5 ? 1000u + lane : 77u) << lane;
}

TEST(RestOfTheOpcodes, SelpAndMovBySelf) {
  const auto words = words_after(R"(
  setp.ge.u32 %p, %r0, 16;
  selp.b32 %r2, 5, 9, %p;
  mov.b64 %d3, {%r2, %r0};
  mov.b64 {%r4, %r5}, %d3;
  shl.b32 %r4, %r4, 8;
  or.b32 %r1, %r4, %r5;
)");
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(words[lane], ((lane >= 16 ? 5u : 9u) << 8 | lane)) << lane;
}

TEST(RestOfTheOpcodes, ActivemaskIsWhoIsHere) {
  const auto words = words_after(R"(
  setp.lt.u32 %p, %r0, 8;
  @!%p bra END;
  activemask.b32 %r1;
END:
)");
  for (std::size_t lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], lane < 8 ? 0xffu : 77u);
}

// The third set bit up from bit 4, and the second one down; 0xffffffff if there is none.
TEST(RestOfTheOpcodes, FnsFindsTheNthSetBit) {
  const auto words = words_after(R"(
  fns.b32 %r2, 0x00008b31, 4, 3;
  fns.b32 %r3, 0x00008b31, 4, -2;
  fns.b32 %r4, 0x00008b31, 4, 9;
  shl.b32 %r3, %r3, 8;
  or.b32 %r1, %r2, %r3;
  setp.ne.u32 %p, %r4, 0xffffffff;
  @%p mov.u32 %r1, 0;
)");
  EXPECT_EQ(words[0], 8u | 0u << 8);
}

TEST(RestOfTheOpcodes, BreakpointIsATrap) {
  LaunchReport report;
  (void)words_after("setp.eq.u32 %p, %r0, 3;\n@%p brkpt;", &report);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kTrap);
  EXPECT_EQ(report.fault->here->thread[0], 3u);
}

// An address in another block's shared memory contains that block's rank.
TEST(RestOfTheOpcodes, MapaAndGetctarankAreInverse) {
  const auto words = words_after(R"(
  mov.u32 %r2, tile;
  mapa.shared::cluster.u32 %r3, %r2, 0;
  getctarank.shared::cluster.u32 %r1, %r3;
)",
                                 nullptr, ".shared .align 4 .b32 tile;\n");
  EXPECT_EQ(words[0], 0u);
}

}  // namespace
}  // namespace warpwright::emu
