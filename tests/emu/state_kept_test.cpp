// State that launches leave in variables of their module: when it is restored, when a later
// sequence of launches may not read it, and the text of the finding.
#include <gmock/gmock.h>

#include "async_harness.h"

namespace warpwright::emu {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Registers %r<9>, %d<9>, %p and %first; %out is the address of the output, %d0 that of `array`.
// With `first` != 0 `earlier` is executed, otherwise `later`.
std::string two_launches(const std::string& earlier, const std::string& later) {
  return ptx_header() + R"(
.file 1 "kept.cu"
.global .align 16 .b8 array[64];
.global .align 4 .u32 count = 5;
.global .align 8 .u64 pointer = array;
.global .align 4 .u32 _ZN4blas5otherE;
.const .align 4 .u32 table[2] = {7, 9};
.visible .entry k(.param .u64 out, .param .u32 first) {
.reg .b32 %r<9>; .reg .b64 %d<9>, %out; .reg .b32 %first; .reg .pred %p;
.shared .align 16 .b8 tile[64];
ld.param.u64 %out, [out]; ld.param.u32 %first, [first]; mov.u64 %d0, array;
setp.eq.u32 %p, %first, 0; @%p bra LATER;
)" + earlier +
         "\nret;\nLATER:\n.loc 1 7 0\n" + later + "\nret;\n}\n";
}

class TwoLaunches {
 public:
  TwoLaunches(const std::string& earlier, const std::string& later)
      : harness(two_launches(earlier, later)) {
    harness.launch.block = {1, 1, 1};
    harness.options.check = true;
  }

  void begin(SequenceStart start) {
    const Module* module = harness.module.get();
    begin_sequence(*harness.memory, std::span(&module, 1), start);
  }
  LaunchReport launch(bool first) { return harness.run(out, first ? 1u : 0u); }
  // Runs a sequence with `earlier`, then one with `later`, and returns the findings of the second.
  std::vector<Finding> found() {
    begin(SequenceStart::kRestored);
    EXPECT_TRUE(launch(true).hazards.empty());
    begin(SequenceStart::kWatched);
    const LaunchReport report = launch(false);
    EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
    return report.hazards;
  }
  [[nodiscard]] std::uint32_t result() { return harness.download(out)[0]; }

  Harness harness;
  Buffer<std::uint32_t> out = harness.zeros<std::uint32_t>(32, "out");
};

struct alignas(64) MapArgument {
  std::array<std::byte, kTensorMapBytes> bytes;
};
// Returns a map of an 8 x 8 tensor, with boxes of 4 x 4.
MapArgument map_of(const Buffer<float>& tensor) {
  TensorMap map;
  map.rank = 2;
  map.element = TensorElement::kF32;
  map.address = tensor.address;
  map.sizes = {8, 8};
  map.strides = {32};
  map.box = {4, 4};
  map.element_strides = {1, 1};
  return {to_bytes(map)};
}

const std::string kInitBarrier =
    "@%p0 mbarrier.init.shared.b64 [%r1], 1; fence.mbarrier_init.release.cluster; "
    "fence.proxy.async; bar.sync 0;\n";

std::string repeated(int times, const std::string& text) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::vector<std::string> messages(const std::vector<Finding>& hazards) {
  std::vector<std::string> texts;
  for (const Finding& hazard : hazards) texts.push_back(hazard.message);
  return texts;
}
std::vector<std::string> found(const std::string& earlier, const std::string& later) {
  return messages(TwoLaunches(earlier, later).found());
}
std::string says(const std::string& access, int offset, const std::string& variable) {
  return access + " from offset " + std::to_string(offset) + " of the variable '" + variable +
         "' finds what an earlier launch has left there, not what it held after loading";
}

constexpr const char* kCountUp =
    "ld.global.u32 %r0, [count]; add.u32 %r0, %r0, 1; st.global.u32 [count], %r0; "
    "st.global.u32 [%out], %r0;";

TEST(ModuleVariables, AreRestoredWhereASequenceBegins) {
  TwoLaunches launches(kCountUp, "");
  for (int i = 0; i < 2; ++i) {
    launches.begin(SequenceStart::kRestored);
    static_cast<void>(launches.launch(true));
    EXPECT_EQ(launches.result(), 6u);
    static_cast<void>(launches.launch(true));
    EXPECT_EQ(launches.result(), 7u) << "launches of one sequence go on from each other";
  }
}

TEST(ModuleVariables, AreKeptWhereItIsAskedFor) {
  TwoLaunches launches(kCountUp, "");
  for (const std::uint32_t expected : {6u, 7u, 8u}) {
    launches.begin(SequenceStart::kKept);
    EXPECT_TRUE(launches.launch(true).hazards.empty()) << "kept state is not checked";
    EXPECT_EQ(launches.result(), expected);
  }
}

TEST(ModuleVariables, AreRestoredWithoutCheckers) {
  TwoLaunches launches(kCountUp, "");
  launches.harness.options.check = false;
  for (int i = 0; i < 2; ++i) {
    launches.begin(SequenceStart::kRestored);
    static_cast<void>(launches.launch(true));
    EXPECT_EQ(launches.result(), 6u);
  }
}

TEST(ModuleVariables, OfOtherModulesStayAsTheyAre) {
  TwoLaunches launches(kCountUp, "");
  launches.begin(SequenceStart::kRestored);
  static_cast<void>(launches.launch(true));
  begin_sequence(*launches.harness.memory, {}, SequenceStart::kRestored);
  static_cast<void>(launches.launch(true));
  EXPECT_EQ(launches.result(), 7u);
}

// Only variables that were used are restored, and clearing a large one must not commit its memory.
TEST(ModuleVariables, LargeOnesAreRestored) {
  Harness harness(ptx_header() + R"(
.global .align 4 .b8 large[1073741824];
.visible .entry k(.param .u64 out) {
.reg .b32 %r<2>; .reg .b64 %out; ld.param.u64 %out, [out];
ld.global.u32 %r0, [large+805306368]; add.u32 %r0, %r0, 1; st.global.u32 [large+805306368], %r0;
st.global.u32 [%out], %r0; ret; })");
  harness.launch.block = {1, 1, 1};
  const auto out = harness.zeros<std::uint32_t>(1);
  const Module* module = harness.module.get();
  for (int i = 0; i < 2; ++i) {
    begin_sequence(*harness.memory, std::span(&module, 1), SequenceStart::kRestored);
    harness.run_clean(out);
    EXPECT_EQ(harness.download(out)[0], 1u);
  }
}

TEST(ModuleVariables, PointersToVariablesAreRestored) {
  TwoLaunches launches("st.global.u64 [pointer], 0;",
                       "ld.global.u64 %d1, [pointer]; setp.eq.u64 %p, %d1, %d0; "
                       "selp.u32 %r0, 1, 0, %p; st.global.u32 [%out], %r0;");
  launches.begin(SequenceStart::kRestored);
  static_cast<void>(launches.launch(true));
  launches.begin(SequenceStart::kRestored);
  static_cast<void>(launches.launch(false));
  EXPECT_EQ(launches.result(), 1u);
}

TEST(ModuleVariables, ThatHaveChangedAreTold) {
  TwoLaunches launches("st.global.u32 [count], 6;", "st.global.u32 [count], 5;");
  const auto changed = [&] {
    return changed_variables(*launches.harness.memory, *launches.harness.module);
  };
  EXPECT_THAT(changed(), ElementsAre()) << "nothing was launched";
  launches.begin(SequenceStart::kRestored);
  static_cast<void>(launches.launch(true));
  EXPECT_THAT(changed(), ElementsAre(testing::Pair("count", 4u)));
  static_cast<void>(launches.launch(false));
  EXPECT_THAT(changed(), ElementsAre()) << "it holds its first value again";
  static_cast<void>(launches.launch(true));
  launches.begin(SequenceStart::kKept);
  EXPECT_THAT(changed(), ElementsAre(testing::Pair("count", 4u))) << "of an earlier sequence";
  const auto content = launches.harness.upload<std::uint32_t>({8}, "content");
  launches.harness.launch.variables = {{"count", content.address, 4}};
  static_cast<void>(launches.launch(true));
  EXPECT_THAT(changed(), ElementsAre()) << "it was given content";
}

TEST(StateKept, IsFoundWhereItIsRead) {
  const auto hazards =
      TwoLaunches("st.global.u32 [count], 6;", "ld.global.u32 %r0, [count];").found();
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards[0].kind, FindingKind::kStateKept);
  EXPECT_EQ(hazards[0].message,
            "load of 4 bytes from offset 0 of the variable 'count' finds what an earlier launch "
            "has left there, not what it held after loading");
  EXPECT_EQ(hazards[0].advice,
            "write it in every launch before it is read, set it back at the end of the launch, or "
            "pass it as a scratch argument with a `fill`, which is restored before every launch");
  EXPECT_EQ(hazards[0].here->what, "load of 4 bytes");
  EXPECT_EQ(hazards[0].here->where.file, "kept.cu");
  EXPECT_EQ(hazards[0].here->where.line, 7);
  EXPECT_FALSE(hazards[0].other.has_value());
}

TEST(StateKept, NamesTheOffsetAndTheSourcesVariable) {
  EXPECT_THAT(found("st.global.u32 [array+20], 6;",
                    "ld.global.v4.u32 {%r0, %r1, %r2, %r3}, "
                    "[array+16];"),
              ElementsAre(says("load of 16 bytes", 16, "array")));
  EXPECT_THAT(found("st.global.u32 [_ZN4blas5otherE], 6;", "ld.global.u32 %r0, [_ZN4blas5otherE];"),
              ElementsAre(says("load of 4 bytes", 0, "other")));
}

TEST(StateKept, IsReadByAtomics) {
  EXPECT_THAT(found("st.global.u32 [count], 6;", "atom.global.add.u32 %r0, [count], 1;"),
              ElementsAre(says("atomic of 4 bytes", 0, "count")));
  EXPECT_THAT(found("st.global.u32 [count], 6;", "red.global.add.u32 [count], 1;"),
              ElementsAre(says("atomic of 4 bytes", 0, "count")));
}

TEST(StateKept, IsReadThroughGenericAddressesAndTheReadOnlyPath) {
  const std::string write = "st.global.u32 [array+4], 6;";
  EXPECT_THAT(found(write, "cvta.global.u64 %d1, %d0; ld.u32 %r0, [%d1+4];"),
              ElementsAre(says("load of 4 bytes", 4, "array")));
  EXPECT_THAT(found(write, "ld.global.nc.u32 %r0, [%d0+4];"),
              ElementsAre(says("load of 4 bytes", 4, "array")));
}

TEST(StateKept, IsReadByCopies) {
  EXPECT_THAT(found("st.global.u32 [array+4], 6;",
                    "mov.u32 %r0, tile; cp.async.ca.shared.global [%r0], [%d0], 16; "
                    "cp.async.wait_all;"),
              ElementsAre(says("load of 16 bytes", 0, "array")));
  EXPECT_THAT(
      found("st.global.u32 [array+4], 6;",
            "mov.u32 %r0, tile; add.u32 %r1, %r0, 32; mbarrier.init.shared.b64 [%r1], 1; "
            "fence.mbarrier_init.release.cluster; fence.proxy.async; "
            "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 32; "
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%d0], 32, "
            "[%r1];\nWAIT: mbarrier.try_wait.parity.shared::cta.b64 %p, [%r1], 0; @!%p bra WAIT;"),
      ElementsAre(says("asynchronous read", 0, "array")));
}

constexpr const char* kReduce =
    "mov.u32 %r0, tile; mov.u32 %r1, 1; st.shared.v4.u32 [%r0], {%r1, %r1, %r1, %r1}; "
    "fence.proxy.async; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%d0], [%r0], "
    "16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";

TEST(StateKept, IsReadByBulkReductions) {
  EXPECT_THAT(found(kReduce, kReduce), ElementsAre(says("asynchronous read", 0, "array")));
}

// The map of a tensor copy, which the first launch writes.
TEST(StateKept, IsReadAsATensorMap) {
  Harness harness(async_ptx(
      ".param .align 64 .b8 given[128], .param .u32 first",
      kInitBarrier +
          "mov.b64 %rd1, given; cvta.param.u64 %rd1, %rd1; mov.u64 %rd2, map; ld.param.u32 %r3, "
          "[first]; setp.eq.u32 %p1, %r3, 0; @%p1 bra LATER;\n" +
          repeated(8,
                   "ld.v2.u64 {%rd3, %rd4}, [%rd1]; st.global.v2.u64 [%rd2], {%rd3, %rd4}; "
                   "add.u64 %rd1, %rd1, 16; add.u64 %rd2, %rd2, 16;\n") +
          "ret;\nLATER: cvta.global.u64 %rd2, %rd2;\n" +
          "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 64; "
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], "
          "[%rd2, {0, 0}], [%r1];\n" +
          wait_ptx(),
      16, ".global .align 128 .b8 map[128];\n"));
  harness.launch.block = {1, 1, 1};
  harness.options.check = true;
  const auto tensor = harness.zeros<float>(64);
  const auto out = harness.zeros<std::uint32_t>(16);
  const Module* module = harness.module.get();
  begin_sequence(*harness.memory, std::span(&module, 1), SequenceStart::kRestored);
  EXPECT_TRUE(harness.run(map_of(tensor), 1u, out).hazards.empty());
  begin_sequence(*harness.memory, std::span(&module, 1), SequenceStart::kWatched);
  const LaunchReport report = harness.run(map_of(tensor), 0u, out);
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  EXPECT_THAT(messages(report.hazards), ElementsAre(says("asynchronous read", 0, "map")));
}

// A constant whose address is cast so that it can be written.
TEST(StateKept, IsAlsoInConstantMemory) {
  EXPECT_THAT(found("mov.u64 %d1, table; cvta.const.u64 %d1, %d1; st.u32 [%d1+4], 6;",
                    "ld.const.u32 %r0, [table+4];"),
              ElementsAre(says("load of 4 bytes", 4, "table")));
}

TEST(StateKept, IsNotWhatHoldsItsFirstValueAgain) {
  EXPECT_THAT(found("atom.global.add.u32 %r0, [count], 1; st.global.u32 [count], 5;",
                    "ld.global.u32 %r0, [count];"),
              ElementsAre());
  EXPECT_THAT(found("st.global.u64 [pointer], %d0;", "ld.global.u64 %d1, [pointer];"),
              ElementsAre());
}

TEST(StateKept, IsNotWhatIsWrittenFirst) {
  EXPECT_THAT(
      found("st.global.u32 [count], 6;", "st.global.u32 [count], 7; ld.global.u32 %r0, [count];"),
      ElementsAre());
}

TEST(StateKept, IsNotWhatIsOnlyWritten) {
  EXPECT_THAT(found("st.global.u32 [count], 6;", "st.global.u32 [count], 7;"), ElementsAre());
}

TEST(StateKept, IsNotBesideWhatWasLeft) {
  EXPECT_THAT(found("st.global.u32 [array+4], 6;",
                    "ld.global.u32 %r0, [array]; ld.global.u32 %r1, [array+8];"),
              ElementsAre());
}

TEST(StateKept, OfWhatIsHalfWrittenIsFound) {
  EXPECT_THAT(found("st.global.u32 [array], 0x01010101;",
                    "st.global.u16 [array], 0; ld.global.u32 %r1, [array];"),
              ElementsAre(says("load of 4 bytes", 0, "array")));
}

TEST(StateKept, IsNotWhatALaunchOfTheSameSequenceHasWritten) {
  TwoLaunches launches("st.global.u32 [count], 6;", "ld.global.u32 %r0, [count];");
  launches.begin(SequenceStart::kRestored);
  EXPECT_TRUE(launches.launch(true).hazards.empty());
  launches.begin(SequenceStart::kWatched);
  EXPECT_TRUE(launches.launch(true).hazards.empty());
  EXPECT_TRUE(launches.launch(false).hazards.empty());
}

TEST(StateKept, IsFoundInEveryLaunchOfASequence) {
  TwoLaunches launches("st.global.u32 [count], 6;", "ld.global.u32 %r0, [count];");
  EXPECT_EQ(launches.found().size(), 1u);
  EXPECT_EQ(launches.launch(false).hazards.size(), 1u);
}

TEST(StateKept, IsNotWhatTheLaunchIsGiven) {
  TwoLaunches launches("st.global.u32 [count], 6;", "ld.global.u32 %r0, [count];");
  const auto content = launches.harness.upload<std::uint32_t>({8}, "content");
  launches.harness.launch.variables = {{"count", content.address, 4}};
  EXPECT_THAT(messages(launches.found()), ElementsAre());
}

TEST(StateKept, IsNotSeenAfterAFault) {
  TwoLaunches launches("st.global.u32 [count], 6; trap;", "ld.global.u32 %r0, [count];");
  launches.begin(SequenceStart::kRestored);
  EXPECT_TRUE(launches.launch(true).fault.has_value());
  launches.begin(SequenceStart::kWatched);
  EXPECT_TRUE(launches.launch(false).hazards.empty()) << "it was restored";
}

TEST(StateKept, IsToldOnceForAVariableAndALine) {
  const auto hazards =
      TwoLaunches("st.global.u32 [count], 6; st.global.v2.u32 [array], {%first, %first};",
                  "ld.global.u32 %r0, [array]; ld.global.u32 %r1, [array+4]; "
                  "ld.global.u32 %r2, [count];\n.loc 1 8 0\nld.global.u32 %r3, [array+4];")
          .found();
  EXPECT_THAT(messages(hazards),
              ElementsAre(says("load of 4 bytes", 0, "array"), says("load of 4 bytes", 0, "count"),
                          says("load of 4 bytes", 4, "array")));
  EXPECT_EQ(hazards[0].occurrences, 2u);
  EXPECT_EQ(hazards[2].here->where.line, 8);
}

// --- which allocations a sequence of launches has accessed

class Accessed : public testing::Test {
 protected:
  // Whether a kernel with these registers, parameters and body accesses the buffer that it is
  // given at `to`, whose address is %rd1.
  static bool by(const std::string& body, bool check = true) {
    Harness harness(async_ptx(".param .u64 to", "ld.param.u64 %rd1, [to];\n" + body, 4));
    harness.options.check = check;
    const auto to = harness.zeros<std::uint32_t>(64, "to");
    const auto beside = harness.zeros<std::uint32_t>(64, "beside");
    const Module* module = harness.module.get();
    begin_sequence(*harness.memory, std::span(&module, 1), SequenceStart::kRestored);
    EXPECT_FALSE(harness.memory->accessed(to.address));
    const LaunchReport report = harness.run(to, harness.zeros<std::uint32_t>(32));
    EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
    EXPECT_FALSE(harness.memory->accessed(beside.address));
    const bool accessed = harness.memory->accessed(to.address);
    begin_sequence(*harness.memory, std::span(&module, 1), SequenceStart::kRestored);
    EXPECT_FALSE(harness.memory->accessed(to.address)) << "a new sequence has begun";
    return accessed;
  }
};

TEST_F(Accessed, ByNothing) {
  EXPECT_FALSE(by(""));
  EXPECT_FALSE(by("prefetch.global.L2 [%rd1];"));
  EXPECT_FALSE(by("@%p0 bra PAST; bra PAST; ld.global.u32 %r3, [%rd1];\nPAST:"));
}

TEST_F(Accessed, ByLoadsAndStores) {
  for (const bool check : {false, true}) {
    EXPECT_TRUE(by("ld.global.u32 %r3, [%rd1];", check));
    EXPECT_TRUE(by("ld.global.nc.u32 %r3, [%rd1];", check));
    EXPECT_TRUE(by("ld.u8 %r3, [%rd1+255];", check));
    EXPECT_TRUE(by("ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+16];", check));
    EXPECT_TRUE(by("@%p0 st.global.u32 [%rd1], %r2;", check));
    // Contiguous lanes take a different path.
    EXPECT_TRUE(
        by("mul.wide.u32 %rd2, %r2, 4; add.u64 %rd2, %rd2, %rd1; "
           "st.global.u32 [%rd2], %r2;",
           check));
  }
}

TEST_F(Accessed, ByAtomics) {
  for (const bool check : {false, true}) {
    EXPECT_TRUE(by("atom.global.add.u32 %r3, [%rd1], 1;", check));
    EXPECT_TRUE(by("red.add.u32 [%rd1], 1;", check));
    EXPECT_TRUE(by("red.global.add.v2.f32 [%rd1], {%r3, %r4};", check));
    EXPECT_TRUE(by(".reg .b128 %q<1>; atom.global.exch.b128 %q0, [%rd1], %q0;", check));
  }
}

TEST_F(Accessed, ByAsynchronousCopies) {
  for (const bool check : {false, true}) {
    EXPECT_TRUE(by("@%p0 cp.async.ca.shared.global [%r0], [%rd1], 4; cp.async.wait_all;", check));
    EXPECT_TRUE(
        by("@!%p0 bra ISSUED; st.shared.v4.u32 [%r0], {%r2, %r2, %r2, %r2}; "
           "fence.proxy.async.shared::cta; "
           "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r0], 16; "
           "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nISSUED:",
           check));
  }
}

constexpr const char* kTensorLoad =
    "@!%p0 bra ISSUED; mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 64; "
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r0], "
    "[%rd1, {4, 4}], [%r1];\nISSUED:\n";
constexpr const char* kTensorStore =
    "@!%p0 bra STORED; fence.proxy.async; "
    "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {4, 4}], [%r0]; "
    "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nSTORED:\n";

TEST_F(Accessed, ByTensorCopies) {
  const std::string map = "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;\n";
  for (const std::string& copy :
       {kInitBarrier + map + kTensorLoad + wait_ptx(), kInitBarrier + map + kTensorStore}) {
    Harness harness(async_ptx(".param .align 64 .b8 map[128]", copy, 4));
    const auto tensor = harness.zeros<float>(64);
    const auto out = harness.zeros<std::uint32_t>(4);
    harness.run_clean(map_of(tensor), out);
    EXPECT_TRUE(harness.memory->accessed(tensor.address));
  }
}

TEST_F(Accessed, ByTexturesAndMatrices) {
  EXPECT_TRUE(
      by(".reg .f32 %f<8>; wmma.load.c.sync.aligned.row.m16n16k16.global.f32 "
         "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%rd1], 0;"));
  Harness harness(ptx_header() + R"(
.visible .entry k(.param .u64 texture) {
.reg .b64 %d0; .reg .f32 %f<4>; .reg .b32 %r0; ld.param.u64 %d0, [texture]; mov.u32 %r0, 1;
tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [%d0, {%r0}]; ret; })");
  Texture texture;
  const auto texels = harness.zeros<float>(4);
  texture.address = texels.address;
  texture.width = 4;
  harness.launch.textures[7] = texture;
  harness.run_clean(std::uint64_t{7});
  EXPECT_TRUE(harness.memory->accessed(texels.address));
}

// A string is read by the emulator itself.
TEST_F(Accessed, ByPrintedStrings) {
  Harness harness(ptx_header() + R"(
.extern .func (.param .b32 result) vprintf (.param .b64 pattern, .param .b64 arguments);
.visible .entry k(.param .u64 text) {
.reg .b64 %d<3>; .reg .b32 %r0; ld.param.u64 %d0, [text]; mov.u64 %d1, 0;
{ .param .b64 pattern; st.param.b64 [pattern], %d0; .param .b64 arguments;
  st.param.b64 [arguments], %d1; .param .b32 result;
  call.uni (result), vprintf, (pattern, arguments); ld.param.b32 %r0, [result]; }
ret; })");
  harness.launch.block = {1, 1, 1};
  const auto text = harness.upload(std::vector<char>{'a', '\0'});
  EXPECT_EQ(harness.run(text).printf_output, "a");
  EXPECT_TRUE(harness.memory->accessed(text.address));
}

TEST_F(Accessed, InAnyLaunchOfTheSequence) {
  TwoLaunches launches("ld.global.u32 %r0, [%out];", "");
  launches.begin(SequenceStart::kRestored);
  static_cast<void>(launches.launch(true));
  static_cast<void>(launches.launch(false));
  EXPECT_TRUE(launches.harness.memory->accessed(launches.out.address));
}

// An access to a variable counts as an access to the array that its content was set from.
TEST_F(Accessed, ThroughVariables) {
  TwoLaunches launches("ld.const.u32 %r0, [table+4];", "");
  const auto content = launches.harness.upload<std::uint32_t>({1, 2}, "content");
  launches.harness.launch.variables = {{"table", content.address, 8}};
  for (const bool reads : {true, false}) {
    launches.begin(SequenceStart::kRestored);
    static_cast<void>(launches.launch(reads));
    EXPECT_EQ(launches.harness.memory->accessed(content.address), reads);
  }
}

// --- bytes that have not been written since forget()

TEST(Unwritten, IsWhatWasForgotten) {
  GlobalMemory memory;
  const std::uint64_t buffer = memory.allocate(100, "x");
  EXPECT_FALSE(memory.unwritten(buffer, 100).has_value());
  memory.forget(buffer + 10, 20);
  const auto all = memory.unwritten(buffer, 100);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->first, 10u);
  EXPECT_EQ(all->count, 20u);
  memory.define(buffer + 8, 6);
  memory.define(buffer + 20, 1);
  const auto rest = memory.unwritten(buffer + 12, 50);
  ASSERT_TRUE(rest.has_value());
  EXPECT_EQ(rest->first, 2u);
  EXPECT_EQ(rest->count, 15u);
  EXPECT_FALSE(memory.unwritten(buffer + 30, 70).has_value());
  EXPECT_FALSE(memory.unwritten(buffer + 20, 1).has_value());
}

// The number of 64 forgotten bytes that are still unwritten after a checked launch of one thread.
std::size_t left_by(const std::string& body) {
  Harness harness(async_ptx(".param .u64 to", "ld.param.u64 %rd1, [to];\n" + body, 4));
  harness.launch.block = {1, 1, 1};
  harness.options.check = true;
  const auto to = harness.zeros<std::uint32_t>(16, "to");
  harness.memory->forget(to.address, 64);
  const LaunchReport report = harness.run(to, harness.zeros<std::uint32_t>(32));
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  const auto left = harness.memory->unwritten(to.address, 64);
  return left ? left->count : 0;
}

TEST(Unwritten, IsWhatNoAccessOfAnyKindHasWritten) {
  EXPECT_EQ(left_by(""), 64u);
  EXPECT_EQ(left_by("ld.global.u32 %r3, [%rd1];"), 64u);
  EXPECT_EQ(left_by("st.global.u8 [%rd1+3], %r2;"), 63u);
  EXPECT_EQ(left_by("st.u16 [%rd1], %r2;"), 62u);
  EXPECT_EQ(left_by("st.global.v4.u32 [%rd1], {%r2, %r2, %r2, %r2};"), 48u);
  EXPECT_EQ(left_by("red.global.add.u32 [%rd1], 1;"), 60u);
  EXPECT_EQ(left_by("atom.global.cas.b64 %rd2, [%rd1], %rd2, %rd2;"), 56u);
  EXPECT_EQ(left_by(".reg .b128 %q<1>; atom.global.exch.b128 %q0, [%rd1], %q0;"), 48u);
  const std::string store = "st.shared.v4.u32 [%r0], {%r2, %r2, %r2, %r2}; fence.proxy.async; ";
  const std::string wait = " cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";
  EXPECT_EQ(
      left_by(store + "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r0], 16;" + wait),
      48u);
  EXPECT_EQ(
      left_by(store +
              "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r0], 16;" +
              wait),
      48u);
}

TEST(Unwritten, IsNotWhatATensorCopyHasWritten) {
  Harness harness(async_ptx(
      ".param .align 64 .b8 map[128]",
      kInitBarrier + "mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1;\n" + kTensorStore, 4));
  harness.options.check = true;
  const auto tensor = harness.zeros<float>(64);
  harness.memory->forget(tensor.address, 256);
  static_cast<void>(harness.run(map_of(tensor), harness.zeros<std::uint32_t>(4)));
  EXPECT_EQ(harness.memory->unwritten(tensor.address, 256)->count, 256u - 64);
  EXPECT_FALSE(harness.memory->unwritten(tensor.address + 4 * 32 + 16, 16).has_value());
}

TEST(Unwritten, IsNotWhatAMatrixIsStoredTo) {
  Harness harness(ptx_header() + R"(
.visible .entry k(.param .u64 to) {
.reg .b64 %d0; .reg .f32 %f0; ld.param.u64 %d0, [to]; mov.f32 %f0, 0f00000000;
wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d0],
  {%f0, %f0, %f0, %f0, %f0, %f0, %f0, %f0}, 16; ret; })");
  harness.options.check = true;
  const auto to = harness.zeros<float>(257);
  harness.memory->forget(to.address, 4 * 257);
  static_cast<void>(harness.run(to));
  const auto left = harness.memory->unwritten(to.address, 4 * 257);
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(left->first, 1024u);
  EXPECT_EQ(left->count, 4u);
}

// A reduction reads the memory that it adds to.
TEST(Unwritten, MemoryIsReadByBulkReductions) {
  Harness harness(async_ptx(
      ".param .u64 to",
      "ld.param.u64 %rd1, [to]; st.shared.v4.u32 [%r0], {%r2, %r2, %r2, %r2}; fence.proxy.async; "
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [%r0], 16; "
      "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
      4));
  harness.launch.block = {1, 1, 1};
  harness.options.check = true;
  const auto to = harness.zeros<std::uint32_t>(4, "to");
  harness.memory->forget(to.address, 16);
  const LaunchReport report = harness.run(to, harness.zeros<std::uint32_t>(4));
  ASSERT_EQ(report.hazards.size(), 1u);
  EXPECT_EQ(report.hazards[0].message,
            "asynchronous read from offset 0 of buffer 'to', which was never written");
}

}  // namespace
}  // namespace warpwright::emu
