// movmatrix: transposes a matrix of halves that is spread over the registers of a warp.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// One warp loads a word per lane, runs `code` on %r0 and stores %r1.
std::string moves(const std::string& code) {
  return ptx_header() +
         ".shared .align 4 .b8 tile[128];\n"
         ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
         ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p;\n"
         "ld.param.u64 %d0, [in]; ld.param.u64 %d1, [out]; mov.u32 %r2, %tid.x;\n"
         "mul.wide.u32 %d2, %r2, 4; add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;\n"
         "mov.u32 %r3, tile; mad.lo.u32 %r3, %r2, 4, %r3; mov.u32 %r1, 7;\n"
         "ld.global.u32 %r0, [%d0];\n" +
         code + "st.global.u32 [%d1], %r1;\nret;\n}\n";
}
const std::string kMove = "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r0;\n";

// Half i of a lane is row lane / 4, column 2 * (lane % 4) + i; each holds its own number.
std::uint32_t numbered(std::uint32_t lane, bool transposed) {
  std::uint32_t word = 0;
  for (std::uint32_t half = 0; half < 2; ++half) {
    const std::uint32_t row = lane / 4, column = 2 * (lane % 4) + half;
    word |= (transposed ? 8 * column + row : 8 * row + column) << (16 * half);
  }
  return word;
}

LaunchReport run_moves(const std::string& code, std::vector<std::uint32_t>& words) {
  Harness harness(moves(code));
  for (std::uint32_t lane = 0; lane < 32; ++lane) words.push_back(numbered(lane, false));
  const auto in = harness.upload(words);
  const auto out = harness.zeros<std::uint32_t>(32);
  harness.options.check = true;
  LaunchReport report = harness.run(in, out);
  words = harness.download(out);
  return report;
}

TEST(Matrix, MovesAMatrixToItsTransposed) {
  std::vector<std::uint32_t> words;
  const LaunchReport report = run_moves(kMove, words);
  ASSERT_FALSE(report.fault.has_value()) << report.fault->message;
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], numbered(lane, true));
}

TEST(Matrix, MovesAMatrixOntoItself) {
  std::vector<std::uint32_t> words;
  const LaunchReport report =
      run_moves("movmatrix.sync.aligned.m8n8.trans.b16 %r0, %r0; mov.u32 %r1, %r0;\n", words);
  ASSERT_FALSE(report.fault.has_value()) << report.fault->message;
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(words[lane], numbered(lane, true));
}

TEST(Matrix, MovmatrixNeedsAllLanes) {
  std::vector<std::uint32_t> words;
  const LaunchReport report =
      run_moves("setp.lt.u32 %p, %r2, 9; @%p bra SKIP; @%p exit; " + kMove + "SKIP:\n", words);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(
      report.fault->message.substr(0, 87),
      "`movmatrix.sync.aligned.m8n8.trans.b16` is executed by 23 of the 32 threads of a warp a");
}

// movmatrix exchanges values, but does not order the lanes' memory accesses.
TEST(Matrix, MovmatrixOrdersNoMemory) {
  std::vector<std::uint32_t> words;
  const std::string shares = "st.shared.u32 [%r3], %r0;\n" + kMove +
                             "xor.b32 %r4, %r3, 4; ld.shared.u32 %r5, [%r4];\n"
                             "add.u32 %r1, %r1, %r5;\n";
  const LaunchReport report = run_moves(shares, words);
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].kind, FindingKind::kSharedRace);
}

TEST(Matrix, MovmatrixTellsOfSharedMemoryThatNobodyWrote) {
  std::vector<std::uint32_t> words;
  const LaunchReport report = run_moves("ld.shared.u32 %r0, [%r3];\n" + kMove, words);
  ASSERT_FALSE(report.hazards.empty());
  EXPECT_EQ(report.hazards[0].kind, FindingKind::kUninitialisedShared);
}

}  // namespace
}  // namespace warpwright::emu
