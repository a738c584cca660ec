// Observed launches of small kernels whose truth is known: roles, barriers, rings of copies, the
// map of shared memory, phases, and accesses of buffers.
#include "emu/observe/observation.h"

#include <gmock/gmock.h>

#include "emu/launch/module.h"
#include "emu/observe/byte_ranges.h"
#include "emu/observe/instruction_kinds.h"
#include "emu/observe/roles.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const char* const kFile = "\t.file 1 \"/somewhere/k.cu\"\n";

std::vector<int> lines_of(const std::vector<SourceLocation>& places) {
  std::vector<int> lines;
  for (const SourceLocation& place : places) lines.push_back(place.line);
  return lines;
}

// Runs the launch and returns what was seen; the launch must not fail.
template <class... Arguments>
std::shared_ptr<const Observation> observe(Harness& harness, Arguments... arguments) {
  harness.options.observe = true;
  LaunchReport report = harness.run(arguments...);
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  return report.observation;
}

const SharedRange& array_of(const BlockObservation& block, const std::string& symbol) {
  static const SharedRange kNothing;
  for (const SharedRange& range : block.shared)
    if (range.symbol == symbol) return range;
  ADD_FAILURE() << "nothing accessed " << symbol;
  return kNothing;
}

// Warp 0 copies 4 tiles of 256 bytes into 2 stages; warp 1 adds them up and gives stages back.
std::string ring_ptx() {
  return ptx_header() + R"(
.visible .entry ring(.param .u64 in, .param .u64 out) {
	.reg .b64 %rd<8>; .reg .b32 %r<16>; .reg .f32 %f<4>; .reg .pred %p<6>;
	.shared .align 128 .b8 tile[512];
	.shared .align 8 .b8 full[16];
	.shared .align 8 .b8 empty[16];
	.loc 1 5 0
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [out];
	mov.u32 %r0, tile;
	mov.u32 %r1, full;
	mov.u32 %r2, empty;
	mov.u32 %r3, %tid.x;
	shr.u32 %r4, %r3, 5;
	and.b32 %r5, %r3, 31;
	setp.ne.u32 %p0, %r3, 0;
	@%p0 bra READY;
	.loc 1 10 0
	mbarrier.init.shared.b64 [%r1], 1;
	mbarrier.init.shared.b64 [%r1+8], 1;
	.loc 1 11 0
	mbarrier.init.shared.b64 [%r2], 32;
	mbarrier.init.shared.b64 [%r2+8], 32;
READY:
	.loc 1 12 0
	bar.sync 0;
	mov.u32 %r6, 0;
	setp.ne.u32 %p1, %r4, 0;
	@%p1 bra CONSUME;
	setp.ne.u32 %p2, %r5, 0;
	@%p2 bra END;
PRODUCE:
	and.b32 %r7, %r6, 1;
	shl.b32 %r8, %r7, 3;
	add.u32 %r9, %r2, %r8;
	shr.u32 %r10, %r6, 1;
	and.b32 %r10, %r10, 1;
	xor.b32 %r10, %r10, 1;
EMPTY:
	.loc 1 20 0
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r9], %r10;
	@!%p3 bra EMPTY;
	add.u32 %r11, %r1, %r8;
	.loc 1 21 0
	mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 256;
	shl.b32 %r12, %r7, 8;
	add.u32 %r12, %r12, %r0;
	.loc 1 22 0
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r12], [%rd1], 256, [%r11];
	add.u64 %rd1, %rd1, 256;
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p4, %r6, 4;
	@%p4 bra PRODUCE;
	bra END;
CONSUME:
	mov.f32 %f1, 0f00000000;
NEXT:
	and.b32 %r7, %r6, 1;
	shl.b32 %r8, %r7, 3;
	shr.u32 %r10, %r6, 1;
	and.b32 %r10, %r10, 1;
	add.u32 %r11, %r1, %r8;
FULL:
	.loc 1 30 0
	mbarrier.try_wait.parity.shared::cta.b64 %p3, [%r11], %r10;
	@!%p3 bra FULL;
	shl.b32 %r12, %r7, 8;
	add.u32 %r12, %r12, %r0;
	shl.b32 %r13, %r5, 3;
	add.u32 %r12, %r12, %r13;
	.loc 1 31 0
	ld.shared.v2.f32 {%f2, %f3}, [%r12];
	add.f32 %f1, %f1, %f2;
	add.f32 %f1, %f1, %f3;
	add.u32 %r9, %r2, %r8;
	.loc 1 32 0
	mbarrier.arrive.shared.b64 _, [%r9];
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p4, %r6, 4;
	@%p4 bra NEXT;
	mul.wide.u32 %rd3, %r5, 4;
	add.u64 %rd2, %rd2, %rd3;
	.loc 1 33 0
	st.global.f32 [%rd2], %f1;
END:
	ret;
}
)" + kFile;
}

class ObservedRing : public testing::Test {
 protected:
  ObservedRing() : harness_(ring_ptx()) {
    harness_.launch.block = {64, 1, 1};
    const auto in = harness_.upload(std::vector<float>(256, 1.0f), "in");
    const auto out = harness_.zeros<float>(32, "out");
    seen_ = observe(harness_, in, out);
    sums_ = harness_.download(out);
  }
  [[nodiscard]] const BlockObservation& block() const { return seen_->block; }

  Harness harness_;
  std::shared_ptr<const Observation> seen_;
  std::vector<float> sums_;
};

TEST_F(ObservedRing, ComputesTheSums) { EXPECT_EQ(sums_, std::vector<float>(32, 8.0f)); }

TEST_F(ObservedRing, HasAProducerAndAConsumer) {
  ASSERT_THAT(block().roles, SizeIs(2));
  const Role& producer = block().roles[0];
  const Role& consumer = block().roles[1];
  EXPECT_EQ(producer.name, "producer");
  EXPECT_EQ(producer.warps, 1u);
  EXPECT_EQ(producer.activities[Activity::kBulkLoad], 4u);
  EXPECT_EQ(producer.activities[Activity::kFloat], 0u);
  EXPECT_EQ(producer.activities[Activity::kMbarrier], 12u);  // 4 inits, waits and arrivals
  EXPECT_EQ(consumer.name, "consumer");
  EXPECT_EQ(consumer.warps, 2u);
  EXPECT_EQ(consumer.activities[Activity::kFloat], 8u);
  EXPECT_EQ(consumer.activities[Activity::kSharedLoad], 4u);
  EXPECT_EQ(consumer.activities[Activity::kMbarrier], 8u);
}

TEST_F(ObservedRing, ArrivalsAndWaitsHaveRoles) {
  ASSERT_THAT(block().barriers, SizeIs(3));
  const BarrierUse& whole = block().barriers[0];
  EXPECT_EQ(whole.kind, BarrierUse::Kind::kBlock);
  EXPECT_EQ(whole.expected, 64u);
  EXPECT_EQ(whole.completions, 1u);
  ASSERT_THAT(whole.waits, SizeIs(2));
  EXPECT_THAT(lines_of(whole.waits[0].places), ElementsAre(12));

  const BarrierUse& full = block().barriers[1];
  EXPECT_EQ(full.kind, BarrierUse::Kind::kMbarriers);
  EXPECT_THAT(full.objects, SizeIs(2));
  EXPECT_EQ(full.expected, 1u);
  EXPECT_EQ(full.completions, 4u);
  EXPECT_EQ(full.copied_bytes, 1024u);
  ASSERT_THAT(full.arrivals, SizeIs(1));
  EXPECT_EQ(full.arrivals[0].role, 0u);
  EXPECT_EQ(full.arrivals[0].count, 4u);
  EXPECT_THAT(lines_of(full.arrivals[0].places), ElementsAre(21));
  ASSERT_THAT(full.waits, SizeIs(1));
  EXPECT_EQ(full.waits[0].role, 1u);
  EXPECT_EQ(full.waits[0].count, 4u);
  EXPECT_THAT(lines_of(full.waits[0].places), ElementsAre(30));

  const BarrierUse& empty = block().barriers[2];
  EXPECT_EQ(empty.expected, 32u);
  EXPECT_EQ(empty.completions, 4u);
  EXPECT_EQ(empty.copied_bytes, 0u);
  ASSERT_THAT(empty.arrivals, SizeIs(1));
  EXPECT_EQ(empty.arrivals[0].role, 1u);
  EXPECT_EQ(empty.arrivals[0].count, 128u);
  ASSERT_THAT(empty.waits, SizeIs(1));
  EXPECT_EQ(empty.waits[0].role, 0u);
  EXPECT_EQ(empty.waits[0].count, 4u);
}

TEST_F(ObservedRing, HasTwoStages) {
  ASSERT_THAT(block().copies, SizeIs(1));
  const CopyBuffer& ring = block().copies[0];
  EXPECT_EQ(ring.by, Activity::kBulkLoad);
  EXPECT_THAT(ring.issuers, ElementsAre(0u));
  ASSERT_THAT(ring.stages, SizeIs(2));
  EXPECT_EQ(ring.stage_bytes(), 256u);
  EXPECT_EQ(ring.fills(), 4u);
  EXPECT_EQ(ring.barriers, 1u);
}

TEST_F(ObservedRing, MapsTheTileAndTheBarriers) {
  const SharedRange& tile = array_of(block(), "tile");
  EXPECT_EQ(tile.end - tile.first, 512u);
  EXPECT_EQ(tile.written, 1024u);
  EXPECT_EQ(tile.read, 1024u);
  EXPECT_THAT(tile.uses,
              ElementsAre(SharedUse{Way::kLoad, 1, {1}}, SharedUse{Way::kBulkLoad, 0, {1}}));
  const SharedRange& full = array_of(block(), "full");
  EXPECT_EQ(full.end - full.first, 16u);
  EXPECT_THAT(full.uses, ElementsAre(SharedUse{Way::kMbarrier, 0, {0}}));
}

TEST_F(ObservedRing, HasAPhaseAfterItsInits) {
  ASSERT_THAT(block().phases, SizeIs(2));
  const Phase& inits = block().phases[0];
  EXPECT_THAT(inits.after, IsEmpty());
  EXPECT_THAT(lines_of(inits.until), ElementsAre(12));
  EXPECT_FALSE(inits.until_end);
  EXPECT_EQ(inits.global_read, 0u);
  const Phase& work = block().phases[1];
  EXPECT_THAT(lines_of(work.after), ElementsAre(12));
  EXPECT_TRUE(work.until_end);
  EXPECT_EQ(work.global_read, 1024u);
  EXPECT_EQ(work.global_written, 128u);
  EXPECT_EQ(work.shared_written, 1024u);
  EXPECT_EQ(work.shared_read, 1024u);
}

TEST_F(ObservedRing, CountsTheBytesOfEachBuffer) {
  ASSERT_THAT(seen_->buffers, SizeIs(2));
  EXPECT_EQ(seen_->buffers[0].label, "in");
  EXPECT_EQ(seen_->buffers[0].read, 1024u);
  EXPECT_THAT(seen_->buffers[0].read_ranges, ElementsAre(ByteRange{0, 1024}));
  EXPECT_EQ(seen_->buffers[0].written, 0u);
  EXPECT_EQ(seen_->buffers[1].label, "out");
  EXPECT_THAT(seen_->buffers[1].written_ranges, ElementsAre(ByteRange{0, 128}));
}

// 64 threads; all of a block's words go through shared memory, whose first half is used again.
// Every lane loads the same factor.
std::string reused_ptx() {
  return ptx_header() + R"(
.visible .entry reused(.param .u64 in, .param .u64 factor, .param .u64 out) {
	.reg .b64 %rd<8>; .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .pred %p<4>;
	.shared .align 16 .b8 words[256];
	.loc 1 5 0
	ld.param.u64 %rd1, [in];
	ld.param.u64 %rd2, [factor];
	ld.param.u64 %rd3, [out];
	mov.u32 %r0, words;
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	add.u32 %r3, %r0, %r2;
	cvt.u64.u32 %rd4, %r2;
	mov.u32 %r4, %ctaid.x;
	mul.wide.u32 %rd5, %r4, 256;
	add.u64 %rd5, %rd5, %rd4;
	add.u64 %rd6, %rd1, %rd5;
	ld.global.f32 %f1, [%rd6];
	.loc 1 6 0
	ld.global.f32 %f2, [%rd2];
	mul.f32 %f1, %f1, %f2;
	.loc 1 7 0
	st.shared.f32 [%r3], %f1;
	.loc 1 8 0
	bar.sync 0;
	xor.b32 %r5, %r2, 252;
	add.u32 %r5, %r5, %r0;
	.loc 1 9 0
	ld.shared.f32 %f3, [%r5];
	ex2.approx.f32 %f3, %f3;
	.loc 1 10 0
	bar.sync 0;
	setp.gt.u32 %p1, %r1, 31;
	@%p1 bra DONE;
	.loc 1 11 0
	st.shared.f32 [%r3], %f3;
	ld.shared.f32 %f3, [%r3];
DONE:
	add.u64 %rd7, %rd3, %rd5;
	.loc 1 13 0
	st.global.f32 [%rd7], %f3;
	ret;
}
)" + kFile;
}

class ObservedReuse : public testing::Test {
 protected:
  ObservedReuse() : harness_(reused_ptx()) {
    harness_.launch.block = {64, 1, 1};
    harness_.launch.grid = {2, 1, 1};
    const auto in = harness_.zeros<float>(128, "in");
    const auto factor = harness_.zeros<float>(1, "factor");
    const auto out = harness_.zeros<float>(128, "out");
    seen_ = observe(harness_, in, factor, out);
  }
  Harness harness_;
  std::shared_ptr<const Observation> seen_;
};

TEST_F(ObservedReuse, WarpsOfOneCodeAreOneRole) {
  ASSERT_THAT(seen_->block.roles, SizeIs(1));
  const Role& role = seen_->block.roles[0];
  EXPECT_EQ(role.name, "all warps");
  EXPECT_EQ(role.warps, 3u);
  EXPECT_EQ(role.activities[Activity::kGlobalLoad], 4u);
  EXPECT_EQ(role.activities[Activity::kSharedStore], 3u);  // warp 0 stores twice
  EXPECT_THAT(role.partial, IsEmpty());
  EXPECT_EQ(role.activities[Activity::kSpecial], 2u);
}

TEST_F(ObservedReuse, EveryBarrierEndsAPhase) {
  ASSERT_THAT(seen_->block.phases, SizeIs(3));
  const std::vector<Phase>& phases = seen_->block.phases;
  EXPECT_THAT(lines_of(phases[0].until), ElementsAre(8));
  EXPECT_THAT(lines_of(phases[1].after), ElementsAre(8));
  EXPECT_THAT(lines_of(phases[1].until), ElementsAre(10));
  EXPECT_TRUE(phases[2].until_end);
  EXPECT_EQ(phases[0].global_read, 264u);  // 256 words' bytes, and 4 of the factor for each warp
  EXPECT_EQ(phases[0].shared_written, 256u);
  EXPECT_EQ(phases[1].shared_read, 256u);
  EXPECT_EQ(phases[1].activities[Activity::kSpecial], 2u);
  EXPECT_EQ(phases[1].global_read, 0u);
  EXPECT_EQ(phases[2].shared_written, 128u);
  EXPECT_EQ(phases[2].global_written, 256u);
}

TEST_F(ObservedReuse, TheReusedHalfIsARangeOfItsOwn) {
  ASSERT_THAT(seen_->block.shared, SizeIs(2));
  const SharedRange& reused = seen_->block.shared[0];
  EXPECT_EQ(reused.end - reused.first, 128u);
  EXPECT_THAT(reused.uses,
              ElementsAre(SharedUse{Way::kLoad, 0, {1, 2}}, SharedUse{Way::kStore, 0, {0, 2}}));
  EXPECT_EQ(reused.written, 256u);
  const SharedRange& rest = seen_->block.shared[1];
  EXPECT_EQ(rest.symbol, "words");
  EXPECT_EQ(rest.offset, 128u);
  EXPECT_THAT(rest.uses,
              ElementsAre(SharedUse{Way::kLoad, 0, {1}}, SharedUse{Way::kStore, 0, {0}}));
  EXPECT_EQ(rest.written, 128u);
}

// Both blocks have two warps, whose 32 lanes ask for the same four bytes.
TEST_F(ObservedReuse, ARequestReadsAByteOnce) {
  ASSERT_THAT(seen_->buffers, SizeIs(3));
  const BufferUse& factor = seen_->buffers[1];
  EXPECT_EQ(factor.label, "factor");
  EXPECT_EQ(factor.read, 16u);
  EXPECT_EQ(factor.distinct_read(), 4u);
}

TEST_F(ObservedReuse, OneBlockStandsForEqualOnes) {
  EXPECT_EQ(seen_->blocks, 2u);
  EXPECT_EQ(seen_->least_instructions, seen_->most_instructions);
  EXPECT_EQ(seen_->block.index[0], 0u);
  ASSERT_THAT(seen_->block.buffers, SizeIs(3));
  EXPECT_THAT(seen_->block.buffers[0].read_ranges, ElementsAre(ByteRange{0, 256}));
  EXPECT_THAT(seen_->buffers[0].read_ranges, ElementsAre(ByteRange{0, 512}));
}

// Block b counts to b; warp 0 alone stores.
std::string uneven_ptx() {
  return ptx_header() + R"(
.visible .entry uneven(.param .u64 out) {
	.reg .b64 %rd<4>; .reg .b32 %r<8>; .reg .f32 %f<2>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %ctaid.x;
	mov.u32 %r3, 0;
	mov.f32 %f1, 0f00000000;
LOOP:
	add.f32 %f1, %f1, 0f3f800000;
	add.f32 %f1, %f1, 0f3f800000;
	add.f32 %f1, %f1, 0f3f800000;
	add.f32 %f1, %f1, 0f3f800000;
	add.u32 %r3, %r3, 1;
	setp.le.u32 %p1, %r3, %r2;
	@%p1 bra LOOP;
	setp.gt.u32 %p2, %r1, 31;
	@%p2 bra DONE;
	atom.global.add.u32 %r4, [%rd1], 1;
DONE:
	ret;
}
)";
}

TEST(Observation, ShowsTheBlockThatExecutesMost) {
  Harness harness(uneven_ptx());
  harness.launch.block = {64, 1, 1};
  harness.launch.grid = {3, 1, 1};
  const auto seen = observe(harness, harness.zeros<std::uint32_t>(1, "out"));
  EXPECT_EQ(seen->block.index[0], 2u);
  EXPECT_EQ(seen->most_instructions - seen->least_instructions, 2u * 2 * 7);
  EXPECT_EQ(seen->block.instructions, seen->most_instructions);
}

TEST(Observation, NamesTheWarpsThatAloneDoSomething) {
  Harness harness(uneven_ptx());
  harness.launch.block = {96, 1, 1};
  const auto seen = observe(harness, harness.zeros<std::uint32_t>(1, "out"));
  ASSERT_THAT(seen->block.roles, SizeIs(1));
  ASSERT_THAT(seen->block.roles[0].partial, SizeIs(1));
  EXPECT_EQ(seen->block.roles[0].partial[0].activity, Activity::kGlobalAtomic);
  EXPECT_EQ(seen->block.roles[0].partial[0].warps, 1u);
  ASSERT_THAT(seen->buffers, SizeIs(1));
  EXPECT_TRUE(seen->buffers[0].atomics);
  EXPECT_EQ(seen->buffers[0].read, 4u);
  EXPECT_EQ(seen->buffers[0].written, 4u);
}

// Each of 32 threads copies 16 bytes of 3 tiles in turn into 2 halves of the buffer.
std::string groups_ptx() {
  std::string text = ptx_header() + R"(
.visible .entry groups(.param .u64 in) {
	.reg .b64 %rd<4>; .reg .b32 %r<8>;
	.shared .align 16 .b8 halves[1024];
	ld.param.u64 %rd1, [in];
	mov.u32 %r0, halves;
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 4;
	add.u32 %r3, %r0, %r2;
	cvt.u64.u32 %rd2, %r2;
	add.u64 %rd1, %rd1, %rd2;
)";
  for (int tile = 0; tile < 3; ++tile)
    text += "\tcp.async.cg.shared.global [%r3+" + std::to_string(tile % 2 * 512) + "], [%rd1+" +
            std::to_string(tile * 512) +
            "], 16;\n\tcp.async.commit_group;\n\tcp.async.wait_group 0;\n";
  return text + "\tret;\n}\n";
}

TEST(Observation, CommittedGroupsFillStages) {
  Harness harness(groups_ptx());
  const auto seen = observe(harness, harness.zeros<std::uint8_t>(1536, "in"));
  ASSERT_THAT(seen->block.copies, SizeIs(1));
  const CopyBuffer& ring = seen->block.copies[0];
  EXPECT_EQ(ring.by, Activity::kCpAsync);
  EXPECT_FALSE(ring.barriers.has_value());
  ASSERT_THAT(ring.stages, SizeIs(2));
  EXPECT_EQ(ring.stage_bytes(), 512u);
  EXPECT_EQ(ring.stages[0].fills, 2u);
  EXPECT_EQ(ring.stages[1].fills, 1u);
  EXPECT_EQ(seen->block.roles[0].activities[Activity::kCpAsync], 3u);
  EXPECT_EQ(seen->block.roles[0].activities[Activity::kGroup], 6u);
}

TEST(Observation, IsThereOnlyOnRequest) {
  Harness harness(uneven_ptx());
  const auto out = harness.zeros<std::uint32_t>(1);
  const LaunchReport plain = harness.run(out);
  EXPECT_EQ(plain.observation, nullptr);
  harness.options.observe = true;
  const LaunchReport seen = harness.run(out);
  EXPECT_NE(seen.observation, nullptr);
  EXPECT_EQ(seen.counters.warp_instructions, plain.counters.warp_instructions);
  EXPECT_EQ(seen.counters.global_atomic_sectors, plain.counters.global_atomic_sectors);
}

TEST(Observation, IsLeftOutOfALaunchThatFails) {
  Harness harness(uneven_ptx());
  harness.options.observe = true;
  const LaunchReport report = harness.run(Buffer<std::uint32_t>{0, 1});
  EXPECT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.observation, nullptr);
}

TEST(InstructionKinds, FollowTheOpcodes) {
  const auto module = Module::parse(ptx_header() + R"(
.visible .entry k(.param .u64 to) {
	.reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .f32 %f<2>;
	ld.param.u64 %rd1, [to];
	shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;
	bar.warp.sync -1;
	bar.sync 0;
	cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r1], 16;
	cp.async.bulk.commit_group;
	fence.proxy.async.shared::cta;
	rsqrt.approx.f32 %f1, %f0;
	cvt.rn.f32.s32 %f1, %r1;
	st.global.f32 [%rd1], %f1;
	ret;
}
)",
                                    "test.ptx");
  std::vector<Activity> found;
  bool last_store = false;
  for (const InstructionKind& kind : instruction_kinds(module->impl().program)) {
    if (kind.counts) found.push_back(kind.activity);
    last_store = last_store || kind.by_access;
  }
  found.resize(9);
  EXPECT_THAT(found, ElementsAre(Activity::kOther, Activity::kExchange, Activity::kExchange,
                                 Activity::kBarrier, Activity::kBulkStore, Activity::kGroup,
                                 Activity::kFence, Activity::kSpecial, Activity::kConvert));
  EXPECT_TRUE(last_store);
}

TEST(ByteRanges, AreMergedInAnyOrder) {
  ByteRanges ranges;
  ranges.add(8, 12);
  ranges.add(0, 4);
  ranges.add(4, 6);
  ranges.add(10, 16);
  ranges.add(20, 20);
  EXPECT_THAT(ranges.get(), ElementsAre(ByteRange{0, 6}, ByteRange{8, 16}));
  ranges.add(5, 9);
  EXPECT_THAT(ranges.get(), ElementsAre(ByteRange{0, 16}));
}

TEST(Roles, NamesOfWarpsAreRuns) {
  EXPECT_EQ(warps_text(0b1), "warp 0");
  EXPECT_EQ(warps_text(0b1110), "warps 1-3");
  EXPECT_EQ(warps_text(0b100110011), "warps 0-1, 4-5 and 8");
  EXPECT_EQ(warps_text(0xffffffff), "warps 0-31");
}

}  // namespace
}  // namespace warpwright::emu
