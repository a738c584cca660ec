// Trusted plain loads in front of atomicCAS loops: tests which loads are recognised.
#include "hazard_fixture.h"

namespace warpwright::emu {
namespace {

TEST(CasReads, AreInNobodysWayWhereTheyAreTrusted) {
  CheckedLaunch launch("hazards/cas_first_read.ptx", "cas_first_read_broken", 1);
  launch.shape(2, 64).words(128).zeros(1).trust_cas_reads();
  EXPECT_TRUE(findings_of(launch.run()).empty());
}

// Every thread loads the counter and swaps in a number. Returns whether this is reported as a race.
bool races(const std::string& load_and_swap) {
  Harness harness(ptx_header() + R"(
.visible .entry kernel(.param .u64 out) {
  .reg .b32 %seen, %old, %other, %t;
  .reg .b64 %out, %next;
  ld.param.u64 %out, [out];
  add.s64 %next, %out, 4;
  mov.u32 %t, %tid.x;
)" + load_and_swap +
                  "\n  ret;\n}\n");
  harness.launch.block = {64, 1, 1};
  harness.options.check = true;
  harness.options.trust_cas_reads = true;
  const LaunchReport report = harness.run(harness.zeros<std::uint32_t>(2));
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  return !report.hazards.empty();
}

TEST(CasReads, GoIntoTheComparisonByMovesAlone) {
  EXPECT_FALSE(
      races("ld.global.u32 %seen, [%out]; mov.u32 %old, %seen;\n"
            "atom.global.cas.b32 %other, [%out], %old, %t;"));
  EXPECT_TRUE(
      races("ld.global.u32 %seen, [%out]; add.u32 %old, %seen, 1;\n"
            "atom.global.cas.b32 %other, [%out], %old, %t;"));
}

TEST(CasReads, AreOfTheWordThatIsSwapped) {
  EXPECT_TRUE(
      races("ld.global.u32 %seen, [%out];\n"
            "atom.global.cas.b32 %other, [%next], %seen, %t;\n"
            "atom.global.add.u32 %other, [%out], 1;"));
  EXPECT_TRUE(
      races("ld.global.u32 %seen, [%out];\n"
            "atom.global.cas.b32 %other, [%out+4], %seen, %t;\n"
            "atom.global.add.u32 %other, [%out], 1;"));
}

TEST(CasReads, RaceWithOrdinaryStoresAllTheSame) {
  EXPECT_TRUE(
      races("ld.global.u32 %seen, [%out];\n"
            "atom.global.cas.b32 %other, [%out], %seen, %t;\n"
            "st.global.u32 [%out], %t;"));
}

TEST(CasReads, AreNotWhatIsStored) {
  EXPECT_TRUE(
      races("ld.global.u32 %seen, [%out];\n"
            "atom.global.cas.b32 %other, [%out], %t, %seen;"));
}

}  // namespace
}  // namespace warpwright::emu
