// The number of times a warp waits for loads: it depends on which loads need each other's results,
// not on which of them are executed.
#include <gtest/gtest.h>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Three iterations of a loop around `body`, which may use the addresses %rd4 and %rd5 and must set
// %r5; %p1 is never true.
std::uint64_t rounds_of(const std::string& body) {
  Harness harness(ptx_header() + R"(
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .pred %p<3>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd4, 128;
	add.s64 %rd6, %rd2, %rd3;
	setp.gt.u32 %p1, %r1, 1000;
	mov.u32 %r2, 0;
$L1:
)" + body + R"(
	st.global.u32 [%rd6], %r5;
	add.s32 %r2, %r2, 1;
	setp.lt.u32 %p2, %r2, 3;
	@%p2 bra $L1;
	ret;
}
)");
  const auto in = harness.zeros<std::uint32_t>(64);
  const auto out = harness.zeros<std::uint32_t>(32);
  const LaunchReport report = harness.run(in, out);
  EXPECT_FALSE(report.fault.has_value());
  return report.counters.global_load_rounds;
}

// Computes %rd8, an address that depends on a load.
constexpr const char* kLoadsAnAddress = R"(
	ld.global.u32 %r3, [%rd4];
	mul.wide.u32 %rd7, %r3, 4;
	add.s64 %rd8, %rd5, %rd7;
)";

TEST(LoadRounds, LoadsThatDoNotNeedEachOtherAreOne) {
  EXPECT_EQ(rounds_of(R"(
	ld.global.u32 %r3, [%rd4];
	ld.global.u32 %r4, [%rd5];
	add.s32 %r5, %r3, %r4;)"),
            3u);
}

TEST(LoadRounds, ALoadWhoseAddressWasLoadedIsOfTheNext) {
  EXPECT_EQ(rounds_of(std::string(kLoadsAnAddress) + "ld.global.u32 %r5, [%rd8];"), 6u);
}

// The third load does not need the second, so it joins the first round although it is later in the
// code.
TEST(LoadRounds, ALoadOfTheFirstRoundThatComesLateIsNoRoundOfItsOwn) {
  EXPECT_EQ(rounds_of(std::string(kLoadsAnAddress) + R"(
	ld.global.u32 %r4, [%rd8];
	ld.global.u32 %r6, [%rd5];
	add.s32 %r5, %r4, %r6;)"),
            6u);
}

TEST(LoadRounds, OneThatBeginsWithWhatDoesNotRunCountsAllTheSame) {
  EXPECT_EQ(rounds_of(R"(
	mov.u32 %r3, 0;
	@!%p1 bra $SKIP;
	ld.global.u32 %r3, [%rd4];
$SKIP:
	ld.global.u32 %r4, [%rd5];
	add.s32 %r5, %r3, %r4;)"),
            3u);
}

}  // namespace
}  // namespace warpwright::emu
