// The bounds of a shared variable apply to addresses that can only be derived from it.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Fills two arrays of 16 words, then runs `access` with their addresses in %row and %halo.
std::vector<Finding> hazards_of(const std::string& access, const std::string& before = "") {
  Harness harness(ptx_header() + before + R"(
.extern .shared .align 4 .b8 dynamic[];
.visible .entry kernel(.param .u64 out) {
  .reg .pred %p;
  .reg .b32 %row, %halo, %a, %b, %at, %i, %v;
  .reg .b64 %out, %wide;
  .shared .align 4 .b8 row[64];
  .shared .align 4 .b8 halo[64];
  ld.param.u64 %out, [out];
  mov.u32 %i, %tid.x;
  shl.b32 %i, %i, 2;
  mov.u32 %row, row;
  mov.u32 %halo, halo;
  add.s32 %a, %row, %i;
  st.shared.u32 [%a], %i;
  add.s32 %a, %halo, %i;
  st.shared.u32 [%a], %i;
  mov.u32 %a, dynamic;
  add.s32 %a, %a, %i;
  st.shared.u32 [%a], %i;
  bar.sync 0;
)" + access + "\n  st.global.u32 [%out], %v;\n  ret;\n}\n");
  harness.launch.block = {16, 1, 1};
  harness.launch.dynamic_shared_bytes = 64;
  harness.options.check = true;
  const LaunchReport report = harness.run(harness.zeros<std::uint32_t>(1));
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  std::vector<Finding> found;
  for (const Finding& hazard : report.hazards)
    if (hazard.kind == FindingKind::kSharedOverrun) found.push_back(hazard);
  return found;
}

TEST(SharedOverrun, NamesBothVariables) {
  const auto found = hazards_of("ld.shared.u32 %v, [%row+68];");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(
      found[0].message,
      "load of 4 bytes at shared address 68, 4 bytes past the end of 'row' (64 bytes), in 'halo'");
}

TEST(SharedOverrun, BeforeTheStart) {
  const auto found = hazards_of("ld.shared.u32 %v, [%halo+-4];");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message,
            "load of 4 bytes at shared address 60, 4 bytes before the start of 'halo' (64 bytes), "
            "in 'row'");
}

TEST(SharedOverrun, OfAnOperandThatIsTheVariable) {
  EXPECT_EQ(hazards_of("ld.shared.u32 %v, [row+64];").size(), 1u);
}

TEST(SharedOverrun, ThroughAGenericAddress) {
  EXPECT_EQ(
      hazards_of("cvt.u64.u32 %wide, %row; cvta.shared.u64 %wide, %wide; ld.u32 %v, [%wide+64];")
          .size(),
      1u);
}

TEST(SharedOverrun, IntoDynamicSharedMemory) {
  EXPECT_EQ(hazards_of("ld.shared.u32 %v, [%halo+64];").size(), 1u);
}

TEST(SharedOverrun, NoneInTheWholeOfDynamicSharedMemory) {
  EXPECT_EQ(hazards_of("mov.u32 %a, dynamic; ld.shared.u32 %v, [%a+60];").size(), 0u);
}

TEST(SharedOverrun, NoneWithinEitherOfTwoVariables) {
  EXPECT_EQ(
      hazards_of("setp.eq.u32 %p, %i, 0; selp.b32 %a, %row, %halo, %p; ld.shared.u32 %v, [%a];")
          .size(),
      0u);
}

TEST(SharedOverrun, NoneOfADifferenceOfAddresses) {
  EXPECT_EQ(
      hazards_of("sub.s32 %b, %halo, %row; add.s32 %a, %row, %b; ld.shared.u32 %v, [%a];").size(),
      0u);
}

TEST(SharedOverrun, NoneOfARegisterThatMayHoldAnotherAddress) {
  EXPECT_EQ(hazards_of("mov.u32 %a, %row; mov.u32 %a, 64; ld.shared.u32 %v, [%a];").size(), 0u);
}

TEST(SharedOverrun, NoneOfAFoldedOffset) {
  EXPECT_EQ(hazards_of("add.s32 %a, %halo, 64; ld.shared.u32 %v, [%a+-4];").size(), 0u);
}

TEST(SharedOverrun, InALoopThatCountsAddresses) {
  EXPECT_EQ(hazards_of("mov.u32 %at, %row; again: ld.shared.u32 %v, [%at]; add.s32 %at, %at, 4; "
                       "add.s32 %b, %row, 68;"
                       "setp.lt.u32 %p, %at, %b; @%p bra again;")
                .size(),
            1u);
}

}  // namespace
}  // namespace warpwright::emu
