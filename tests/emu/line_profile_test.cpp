// Counts by source line: they add up to those of the launch, do not depend on host threads, and
// cost nothing unless they are requested.
#include <gmock/gmock.h>

#include <map>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

using ::testing::IsEmpty;

// Line 5 loads 32 words per iteration, 3 times; line 6 adds; line 9 stores once.
std::string two_lines() {
  return ptx_header() + R"(
.visible .entry k(.param .u64 in, .param .u64 out)
{
	.reg .pred %p<2>;
	.reg .b32 %r<8>;
	.reg .f32 %f<4>;
	.reg .b64 %rd<8>;
	.loc 1 3 0
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd3, %r1, 4;
	add.s64 %rd4, %rd1, %rd3;
	add.s64 %rd5, %rd2, %rd3;
	mov.f32 %f1, 0f00000000;
	mov.u32 %r2, 0;
$L1:
	.loc 1 5 0
	ld.global.f32 %f2, [%rd4];
	.loc 1 6 0
	add.f32 %f1, %f1, %f2;
	add.s32 %r2, %r2, 1;
	setp.lt.u32 %p1, %r2, 3;
	@%p1 bra $L1;
	.loc 1 9 0
	st.global.f32 [%rd5], %f1;
	ret;
}
	.file 1 "/somewhere/k.cu"
)";
}

std::map<int, Counters> by_number(const LaunchReport& report) {
  std::map<int, Counters> lines;
  for (const LineCounts& line : report.lines) {
    EXPECT_EQ(line.file, "/somewhere/k.cu");
    lines[line.line] = line.counters;
  }
  return lines;
}

LaunchReport run_two_lines(bool count_lines, int threads = 1, std::uint32_t blocks = 1) {
  Harness harness(two_lines());
  const auto in = harness.upload(std::vector<float>(32, 1.0f));
  const auto out = harness.zeros<float>(32);
  harness.launch.grid = {blocks, 1, 1};
  harness.options.count_lines = count_lines;
  harness.options.threads = threads;
  LaunchReport report = harness.run(in, out);
  EXPECT_FALSE(report.fault.has_value());
  return report;
}

TEST(LineProfile, EveryLineHasWhatItDid) {
  std::map<int, Counters> lines = by_number(run_two_lines(true));
  EXPECT_EQ(lines[5].warp_instructions, 3u);
  EXPECT_EQ(lines[5].lane_instructions, 96u);
  EXPECT_EQ(lines[5].load_store, 3u);
  EXPECT_EQ(lines[5].global_load_requests, 3u);
  EXPECT_EQ(lines[5].global_load_sectors, 12u);
  EXPECT_EQ(lines[6].fp32, 3u);
  EXPECT_EQ(lines[6].global_load_sectors, 0u);
  EXPECT_EQ(lines[9].global_store_sectors, 4u);
  EXPECT_EQ(lines[9].global_load_requests, 0u);
}

TEST(LineProfile, LinesAddUpToTheLaunch) {
  const LaunchReport report = run_two_lines(true, 1, 7);
  Counters sum;
  for (const LineCounts& line : report.lines) sum += line.counters;
  EXPECT_EQ(sum.warp_instructions, report.counters.warp_instructions);
  EXPECT_EQ(sum.lane_instructions, report.counters.lane_instructions);
  EXPECT_EQ(sum.integer, report.counters.integer);
  EXPECT_EQ(sum.control, report.counters.control);
  EXPECT_EQ(sum.global_load_sectors, report.counters.global_load_sectors);
  EXPECT_EQ(sum.global_store_requests, report.counters.global_store_requests);
}

TEST(LineProfile, HostThreadsMakeNoDifference) {
  const auto one = by_number(run_two_lines(true, 1, 9));
  const auto four = by_number(run_two_lines(true, 4, 9));
  ASSERT_EQ(one.size(), four.size());
  for (const auto& [line, counters] : one) {
    EXPECT_EQ(counters.warp_instructions, four.at(line).warp_instructions) << line;
    EXPECT_EQ(counters.global_load_sectors, four.at(line).global_load_sectors) << line;
  }
}

TEST(LineProfile, NobodyAskedNothingIsKept) {
  const LaunchReport plain = run_two_lines(false);
  EXPECT_THAT(plain.lines, IsEmpty());
  EXPECT_EQ(plain.counters.warp_instructions, run_two_lines(true).counters.warp_instructions);
}

TEST(LineProfile, ALaunchThatFailsHasNoLines) {
  Harness harness(two_lines());
  const auto out = harness.zeros<float>(32);
  harness.options.count_lines = true;
  const LaunchReport report = harness.run(Buffer<float>{0, 32}, out);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_THAT(report.lines, IsEmpty());
}

TEST(LineProfile, CodeWithoutLinesIsLineZero) {
  Harness harness(ptx_header() + ".visible .entry k()\n{\n\tret;\n}\n");
  harness.options.count_lines = true;
  const LaunchReport report = harness.run();
  ASSERT_EQ(report.lines.size(), 1u);
  EXPECT_EQ(report.lines[0].line, 0);
  EXPECT_EQ(report.lines[0].file, "");
}

TEST(LineProfile, BarriersAndSharedMemoryCountWhereTheyStand) {
  Harness harness = Harness::fixture("samples.ptx");
  harness.options.count_lines = true;
  const auto in = harness.upload(std::vector<float>(1024, 1.0f));
  const auto out = harness.zeros<float>(4);
  harness.launch.entry = "block_reduction";
  harness.launch.grid = {4, 1, 1};
  harness.launch.block = {256, 1, 1};
  const LaunchReport report = harness.run(in, out, 1000);
  ASSERT_FALSE(report.fault.has_value());
  Counters sum;
  for (const LineCounts& line : report.lines) sum += line.counters;
  EXPECT_GT(sum.barriers, 0u);
  EXPECT_EQ(sum.barriers, report.counters.barriers);
  EXPECT_EQ(sum.shared_wavefronts, report.counters.shared_wavefronts);
}

}  // namespace
}  // namespace warpwright::emu
