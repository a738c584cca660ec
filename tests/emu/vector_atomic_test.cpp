// Atomics of vectors in global memory: each element is a separate atomic, in a single access.
#include <algorithm>
#include <bit>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Lane l has its number in %r0 and as f32 in %f0; `code` has the address of the buffer in %d0.
std::string atomics(const std::string& code) {
  return ptx_header() +
         ".shared .align 16 .b8 tile[64];\n"
         ".visible .entry k(.param .u64 p, .param .u64 q) {\n"
         ".reg .b16 %h<17>; .reg .b32 %r<17>; .reg .f32 %f<17>; .reg .b64 %d<9>; .reg .pred %p;\n"
         "ld.param.u64 %d0, [p]; ld.param.u64 %d1, [q]; mov.u32 %r0, %tid.x;\n"
         "cvt.rn.f32.u32 %f0, %r0; mul.wide.u32 %d2, %r0, 16; add.u64 %d1, %d1, %d2;\n" +
         code + "ret;\n}\n";
}

struct Ran {
  LaunchReport report;
  std::vector<std::uint32_t> memory;  // eight words that begin as `before`
  std::vector<std::uint32_t> out;     // four words a lane
};
Ran run_atomics(const std::string& code, std::vector<std::uint32_t> before,
                std::uint32_t blocks = 1, std::uint64_t offset = 0) {
  before.resize(8);
  Harness harness(atomics(code));
  auto memory = harness.upload(before, "sums");
  memory.address += offset;
  const auto out = harness.zeros<std::uint32_t>(128);
  harness.launch.grid = {blocks, 1, 1};
  harness.options.check = true;
  Ran ran;
  ran.report = harness.run(memory, out);
  memory.address -= offset;
  ran.memory = harness.download(memory);
  ran.out = harness.download(out);
  return ran;
}

std::uint32_t word_of(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(VectorAtomics, FloatsAreAddedElementByElement) {
  const std::string values = "add.f32 %f1, %f0, %f0; mov.f32 %f2, 0f3F800000; neg.f32 %f3, %f0;\n";
  const std::vector<std::uint32_t> before = {word_of(100), word_of(0), word_of(0.5f), word_of(0)};
  const std::vector<std::uint32_t> after = {word_of(596), word_of(992), word_of(32.5f),
                                            word_of(-496)};
  const Ran four =
      run_atomics(values + "red.global.add.v4.f32 [%d0], {%f0, %f1, %f2, %f3};\n", before);
  ASSERT_FALSE(four.report.fault.has_value()) << four.report.fault->message;
  EXPECT_EQ(std::vector(four.memory.begin(), four.memory.begin() + 4), after);
  EXPECT_EQ(four.report.counters.global_atomic_requests, 1u);
  EXPECT_TRUE(four.report.hazards.empty());
  const Ran two = run_atomics(values +
                                  "red.relaxed.gpu.global.add.v2.f32 [%d0], {%f0, %f1};\n"
                                  "red.add.v2.f32 [%d0+8], {%f2, %f3};\n",
                              before);
  EXPECT_EQ(std::vector(two.memory.begin(), two.memory.begin() + 4), after);
}

TEST(VectorAtomics, AtomGivesWhatWasThere) {
  const Ran ran = run_atomics(
      "mov.f32 %f2, 0f3F800000;\n"
      "atom.global.add.v4.f32 {%f0, %f2, _, %f5}, [%d0], {%f0, %f2, %f2, 0f40000000};\n"
      "st.global.v4.f32 [%d1], {%f0, %f2, %f2, %f5};\n",
      {word_of(1), word_of(2), word_of(3), word_of(4)});
  ASSERT_FALSE(ran.report.fault.has_value()) << ran.report.fault->message;
  for (std::size_t lane = 0; lane < 32; ++lane) {  // lanes in order
    const auto l = static_cast<float>(lane);
    EXPECT_EQ(ran.out[4 * lane], word_of(1 + l * (l - 1) / 2));
    EXPECT_EQ(ran.out[4 * lane + 1], word_of(2 + l));
    EXPECT_EQ(ran.out[4 * lane + 3], word_of(4 + 2 * l));
  }
  EXPECT_EQ(ran.memory[2], word_of(35));
}

TEST(VectorAtomics, HalvesAreAddedAndCompared) {
  // 1, 2, 0.5 and -1 as f16 and as bf16.
  const std::uint16_t f16[4] = {0x3c00, 0x4000, 0x3800, 0xbc00};
  const std::uint16_t bf16[4] = {0x3f80, 0x4000, 0x3f00, 0xbf80};
  const std::uint16_t f16_sums[4] = {0x5000, 0x5400, 0x4c00, 0xd000};   // 32 times
  const std::uint16_t bf16_sums[4] = {0x4200, 0x4280, 0x4180, 0xc200};  // 32 times
  for (const std::string type : {"f16", "bf16"}) {
    const std::uint16_t* one = type == "f16" ? f16 : bf16;
    const std::uint16_t* sums = type == "f16" ? f16_sums : bf16_sums;
    std::string values;
    for (int i = 0; i < 8; ++i)
      values += "mov.b16 %h" + std::to_string(i) + ", " + std::to_string(one[i % 4]) + ";\n";
    const auto pair = [](const std::uint16_t* of, int i) {
      return of[i % 4] | std::uint32_t{of[i % 4 + 1]} << 16;
    };
    const std::vector<std::uint32_t> expected = {pair(sums, 0), pair(sums, 2), pair(sums, 0),
                                                 pair(sums, 2)};
    const std::string all = "{%h0, %h1, %h2, %h3, %h4, %h5, %h6, %h7}";
    for (const std::string& code :
         {"red.global.add.noftz.v8." + type + " [%d0], " + all + ";\n",
          "red.global.add.noftz.v4." + type + " [%d0], {%h0, %h1, %h2, %h3};\n" +
              "red.global.add.noftz.v2." + type + " [%d0+8], {%h0, %h1};\n" +
              "red.global.add.noftz.v2." + type + " [%d0+12], {%h2, %h3};\n",
          "mov.b32 %r1, {%h0, %h1}; mov.b32 %r2, {%h2, %h3};\n"
          "red.global.add.noftz.v4." +
              type + "x2 [%d0], {%r1, %r2, %r1, %r2};\n",
          "mov.b32 %r1, {%h0, %h1}; mov.b32 %r2, {%h2, %h3};\n"
          "red.global.add.noftz.v2." +
              type + "x2 [%d0], {%r1, %r2};\nred.global.add.noftz.v2." + type +
              "x2 [%d0+8], {%r1, %r2};\n"}) {
      const Ran ran = run_atomics(values + code, {});
      ASSERT_FALSE(ran.report.fault.has_value()) << ran.report.fault->message;
      EXPECT_EQ(std::vector(ran.memory.begin(), ran.memory.begin() + 4), expected) << code;
    }
    const Ran least = run_atomics(values + "red.global.min.noftz.v4." + type +
                                      " [%d0], {%h0, %h1, %h2, %h3};\n"
                                      "red.global.max.noftz.v4." +
                                      type + " [%d0+8], {%h0, %h1, %h2, %h3};\n",
                                  {pair(one, 1), pair(one, 1), pair(one, 1), pair(one, 1)});
    // min and max of 2, 0.5, 2, 0.5 and 1, 2, 0.5, -1
    EXPECT_EQ(least.memory[0], one[0] | std::uint32_t{one[2]} << 16);
    EXPECT_EQ(least.memory[1], one[2] | std::uint32_t{one[3]} << 16);
    EXPECT_EQ(least.memory[2], one[1] | std::uint32_t{one[1]} << 16);
    EXPECT_EQ(least.memory[3], one[1] | std::uint32_t{one[2]} << 16);
  }
}

// Vector atomics do not race with each other, in any block; they do race with a store of an
// element.
TEST(VectorAtomics, RaceWithOtherAccessesAsScalarOnesDo) {
  const std::string red = "red.global.add.v4.f32 [%d0], {%f0, %f0, %f0, %f0};\n";
  EXPECT_TRUE(run_atomics(red, {}, 2).report.hazards.empty());
  const Ran mixed = run_atomics(red + "red.global.add.f32 [%d0+4], %f0;\n", {}, 2);
  EXPECT_TRUE(mixed.report.hazards.empty());
  const Ran stored = run_atomics(
      "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p, %r1, 1; @%p bra ADD;\n"
      "st.global.f32 [%d0+12], 0f3F800000;\nret;\nADD:\n" +
          red,
      {}, 2);
  std::vector<FindingKind> kinds;
  for (const Finding& hazard : stored.report.hazards) kinds.push_back(hazard.kind);
  EXPECT_NE(std::find(kinds.begin(), kinds.end(), FindingKind::kGlobalRace), kinds.end());
}

TEST(VectorAtomics, AreAlignedAsAWhole) {
  const Ran ran = run_atomics("red.global.add.v4.f32 [%d0], {%f0, %f0, %f0, %f0};\n", {}, 1, 8);
  ASSERT_TRUE(ran.report.fault.has_value());
  EXPECT_EQ(ran.report.fault->kind, FindingKind::kMisaligned);
  EXPECT_EQ(
      ran.report.fault->message,
      "atomic of 16 bytes at offset 8 of buffer 'sums' is not aligned to 16 bytes at "
      "`red.global.add.v4.f32` (no line information), thread (0,0,0) of block (0,0,0); access "
      "fewer bytes at a time or align the address");
}

TEST(VectorAtomics, AreOfGlobalMemoryOnly) {
  const Ran ran = run_atomics(
      "mov.u64 %d3, tile; cvta.shared.u64 %d3, %d3;\n"
      "red.add.v2.f32 [%d3], {%f0, %f0};\n",
      {});
  ASSERT_TRUE(ran.report.fault.has_value());
  EXPECT_EQ(ran.report.fault->message,
            "`red.add.v2.f32` at address 0x200000000000000 at `red.add.v2.f32` (no line "
            "information), thread (0,0,0) of block (0,0,0), which is not in global memory; outside "
            "of it add the elements one by one");
}

TEST(VectorAtomics, OtherFormsAreUnsupported) {
  for (const std::string code :
       {"red.global.min.v2.f32 [%d0], {%f0, %f0}", "red.global.add.v8.f32 [%d0], {%f0, %f0}",
        "red.global.add.v2.u32 [%d0], {%r0, %r0}", "red.shared.add.v2.f32 [%d0], {%f0, %f0}",
        "red.global.add.v4.f32 [%d0], {%f0, %f0}",
        "atom.global.exch.v2.f32 {%f1, %f2}, [%d0], "
        "{%f0, %f0}",
        "atom.global.add.v2.f32 %f1, [%d0], {%f0, %f0}"}) {
    try {
      (void)Module::parse(atomics(code + ";\n"), "test.ptx");
      ADD_FAILURE() << code << " was taken";
    } catch (const UnsupportedPtx& unsupported) {
      EXPECT_EQ(std::string(unsupported.what()).substr(0, 20),
                "emulator lacks `" + code.substr(0, 4));
    }
  }
}

}  // namespace
}  // namespace warpwright::emu
