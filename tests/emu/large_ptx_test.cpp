// PTX and launches far beyond any practical size: each is processed in linear time, or refused with
// the limit. Quadratic time would take minutes at these sizes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/error.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

std::string entry(const std::string& parameters, const std::string& body) {
  return ".visible .entry k(" + parameters + ") {\n" + body + "ret;\n}\n";
}

TEST(LargePtx, AHundredThousandConstantsAreFoundByName) {
  constexpr int kMany = 100'000;
  std::string text = ptx_header();
  for (int i = 0; i < kMany; ++i) text += fmt::format(".const .b32 c{} = {};\n", i, i);
  std::string body = ".reg .b32 %r<2>;\n";
  for (int i = 0; i < kMany; ++i) body += fmt::format("ld.const.u32 %r1, [c{}];\n", i);
  const Harness harness(text + entry("", body));
  EXPECT_EQ(harness.module->variable_bytes("c99999"), 4u);
}

TEST(LargePtx, AHundredThousandLabelsAreFoundByName) {
  constexpr int kMany = 100'000;
  std::string body;
  for (int i = 0; i < kMany; ++i) body += fmt::format("bra L{};\nL{}:\n", i, i);
  const Harness harness(ptx_header() + entry("", body));
  EXPECT_EQ(harness.module->entries().size(), 1u);
}

TEST(LargePtx, AHundredThousandParametersAreLaidOut) {
  constexpr int kMany = 100'000;
  std::string parameters = ".param .u32 p0";
  for (int i = 1; i < kMany; ++i) parameters += fmt::format(", .param .u32 p{}", i);
  const Harness harness(ptx_header() + entry(parameters, ""));
  EXPECT_EQ(harness.module->entries()[0].parameter_bytes, 4u * kMany);
}

TEST(LargePtx, AHundredThousandFunctionsAreFoundByName) {
  constexpr int kMany = 100'000;
  std::string text = ptx_header();
  for (int i = 0; i < kMany; ++i) text += fmt::format(".func f{}();\n", i);
  const Harness harness(text + entry("", ""));
  EXPECT_EQ(harness.module->entries().size(), 1u);
}

TEST(LargePtx, TenThousandTablesOfTargetsAreFoundByName) {
  constexpr int kMany = 10'000;
  std::string body = ".reg .b32 %r<2>;\nmov.u32 %r1, 0;\n";
  for (int i = 0; i < kMany; ++i)
    body += fmt::format("T{}: .branchtargets L{};\nbrx.idx %r1, T{};\nL{}:\n", i, i, i, i);
  const Harness harness(ptx_header() + entry("", body));
  EXPECT_EQ(harness.module->entries().size(), 1u);
}

// Each address is copied from the register after it: an analysis that repeats passes over the whole
// function until nothing changes would need one pass per register.
TEST(LargePtx, AddressesAreFollowedThroughAHundredThousandMovesInTheWrongOrder) {
  constexpr int kMany = 100'000;
  std::string body =
      fmt::format(".shared .b32 tile[32];\n.reg .b64 %rd<{}>;\n.reg .b32 %r<2>;\n", kMany + 1);
  for (int i = 0; i < kMany; ++i) body += fmt::format("mov.u64 %rd{}, %rd{};\n", i, i + 1);
  body += fmt::format("mov.u64 %rd{}, tile;\nld.shared.u32 %r1, [%rd0];\n", kMany);
  const Harness harness(ptx_header() + entry("", body));
  EXPECT_EQ(harness.module->entries()[0].static_shared_bytes, 128u);
}

TEST(LargePtx, FiftyThousandRegistersThatAreAliveAtOnceGetRows) {
  constexpr int kMany = 50'000;
  std::string body = fmt::format(".reg .b32 %r<{}>;\n", kMany);
  for (int i = 0; i < kMany; ++i) body += fmt::format("mov.u32 %r{}, {};\n", i, i);
  for (int i = 1; i < kMany; ++i) body += fmt::format("add.u32 %r0, %r0, %r{};\n", i);
  const Harness harness(ptx_header() + entry("", body));
  EXPECT_EQ(harness.module->entries().size(), 1u);
}

TEST(LargePtx, AFunctionOfTooManyBlocksAndRegistersIsRefusedWithTheLimit) {
  std::string body = ".reg .b32 %r<200000>;\n.reg .pred %p;\n";
  for (int i = 0; i < 10'000; ++i) body += fmt::format("@%p bra L{};\nL{}:\n", i, i);
  try {
    const Harness harness(ptx_header() + entry("", body));
    FAIL() << "expected UnsupportedPtx";
  } catch (const UnsupportedPtx& error) {
    EXPECT_STREQ(error.what(),
                 "emulator lacks room for a function of 200001 registers in 10002 basic blocks, "
                 "expected at most 5368 for that many registers");
  }
}

class LargeGrid : public ::testing::Test {
 protected:
  LargeGrid() { harness_.launch.grid = {2147483647, 1, 1}; }
  FindingKind fault_of_run() {
    const LaunchReport report = harness_.run(std::uint64_t{0});
    EXPECT_TRUE(report.fault.has_value());
    return report.fault ? report.fault->kind : FindingKind::kCancelled;
  }
  Harness harness_{ptx_header() + entry(".param .u64 p",
                                        ".reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\n"
                                        "st.global.u32 [%rd1], 1;\n")};
};

TEST_F(LargeGrid, AFaultEndsItAtOnce) { EXPECT_EQ(fault_of_run(), FindingKind::kOutOfBounds); }

TEST_F(LargeGrid, AFaultUnderTheCheckersEndsItAtOnce) {
  harness_.options.check = true;
  harness_.options.seed = 7;
  EXPECT_EQ(fault_of_run(), FindingKind::kOutOfBounds);
}

TEST_F(LargeGrid, ALimitEndsItAtOnce) {
  Harness idle(ptx_header() + entry("", ""));
  idle.launch.grid = {2147483647, 1, 1};
  idle.options.instruction_limit = 1000;
  const LaunchReport report = idle.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDoesNotEnd);
}

TEST(BranchIndex, OfSomeLanesOnlyIsNamedWithThem) {
  Harness harness(ptx_header() +
                  entry("",
                        ".reg .b32 %r<3>;\nmov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 3;\n"
                        "T: .branchtargets A, B;\nbrx.idx %r2, T;\nA:\nB:\n"));
  harness.options.check = true;
  const LaunchReport report = harness.run();
  EXPECT_FALSE(report.fault.has_value());
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].kind, FindingKind::kBranchIndex);
  EXPECT_EQ(report.hazards[0].message,
            "the lanes 0xffff0000 of the warp jump through a table of 2 targets with an index "
            "beyond it, lane 16 with 2: where they go is undefined");
  EXPECT_EQ(report.hazards[0].here->thread, (std::array<std::uint32_t, 3>{16, 0, 0}));
}

// Lanes with an index beyond the table are not reported if they do not take part.
TEST(BranchIndex, OfLanesThatAreOffIsOfNoInterest) {
  Harness harness(ptx_header() + entry("",
                                       ".reg .b32 %r<3>;\n.reg .pred %p<2>;\nmov.u32 %r1, %tid.x;\n"
                                       "shr.u32 %r2, %r1, 3;\nsetp.lt.u32 %p1, %r1, 16;\n"
                                       "T: .branchtargets A, B;\n@%p1 brx.idx %r2, T;\nA:\nB:\n"));
  harness.options.check = true;
  const LaunchReport report = harness.run();
  EXPECT_FALSE(report.fault.has_value());
  EXPECT_TRUE(report.hazards.empty());
}

}  // namespace
}  // namespace warpwright::emu
