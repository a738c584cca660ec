// cp.async.bulk in all directions, reductions, st.async and red.async, groups, multicast, clusters.
#include <gmock/gmock.h>

#include <bit>
#include <numeric>

#include "async_harness.h"

namespace warpwright::emu {
namespace {

using testing::HasSubstr;

const std::string kInit =
    "@%p0 mbarrier.init.shared.b64 [%r1], 1;\nfence.mbarrier_init.release.cluster;\nbar.sync 0;\n";

std::vector<std::uint32_t> counting(std::size_t count, std::uint32_t first = 1) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

TEST(BulkCopy, LoadsUnderEverySchedule) {
  Harness harness(async_ptx(".param .u64 in",
                            kInit +
                                "ld.param.u64 %rd1, [in];\n@!%p0 bra ISSUED;\n"
                                "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 1024;\n"
                                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                "[%r0], [%rd1+64], 1024, [%r1];\n"
                                "ISSUED:\n" +
                                wait_ptx(),
                            256));
  harness.launch.block = {64, 1, 1};
  const auto values = counting(512);
  const auto in = harness.upload(values);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto out = harness.zeros<std::uint32_t>(256);
    harness.options.seed = seed;
    const Counters counters = harness.run_clean(in, out);
    EXPECT_EQ(harness.download(out), counting(256, 17));
    EXPECT_EQ(counters.async_load_bytes, 1024u);
  }
}

TEST(BulkCopy, StoresWhenItsGroupIsWaitedFor) {
  Harness harness(async_ptx(
      ".param .u64 to",
      "shl.b32 %r3, %r2, 2; add.u32 %r3, %r3, %r0; st.shared.u32 [%r3], %r2;\n"
      "fence.proxy.async.shared::cta; bar.sync 0;\nld.param.u64 %rd1, [to];\n@!%p0 bra STORED;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r0], 128;\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
      "ld.global.u32 %r4, [%rd1+124]; st.shared.u32 [%r0], %r4;\nSTORED:\n",
      1));
  const auto to = harness.zeros<std::uint32_t>(32);
  const auto out = harness.zeros<std::uint32_t>(1);
  const Counters counters = harness.run_clean(to, out);
  EXPECT_EQ(harness.download(to), counting(32, 0));
  EXPECT_EQ(harness.download(out)[0], 31u) << "read after the wait";
  EXPECT_EQ(counters.async_store_bytes, 128u);
}

// The source may be reused after .read; before that, a late copy would store the new content.
TEST(BulkCopy, ReadWaitFreesTheSource) {
  Harness harness(
      async_ptx(".param .u64 to",
                "ld.param.u64 %rd1, [to];\n@!%p0 bra STORED;\n"
                "mov.u32 %r4, 5; st.shared.v4.u32 [%r0], {%r4, %r4, %r4, %r4}; "
                "fence.proxy.async.shared::cta;\n"
                "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r0], "
                "16;\ncp.async.bulk.commit_group;\n"
                "cp.async.bulk.wait_group.read 0;\n"
                "mov.u32 %r4, 6; st.shared.v4.u32 [%r0], {%r4, %r4, %r4, %r4}; "
                "fence.proxy.async.shared::cta;\n"
                "cp.async.bulk.global.shared::cta.bulk_group [%rd1+16], [%r0], "
                "16;\ncp.async.bulk.commit_group;\n"
                "mov.u32 %r4, 7; st.shared.v4.u32 [%r0], {%r4, %r4, %r4, %r4};\nSTORED:\n",
                4));
  const auto to = harness.zeros<std::uint32_t>(8);
  harness.run_clean(to, harness.zeros<std::uint32_t>(4));
  EXPECT_EQ(harness.download(to), (std::vector<std::uint32_t>{5, 5, 5, 5, 7, 7, 7, 7}))
      << "the second store was never waited for, and is late";
}

struct Reduction {
  const char* form;
  std::uint32_t before;
  std::uint32_t value;
  std::uint32_t expected;
};
class BulkReduction : public testing::TestWithParam<Reduction> {};

TEST_P(BulkReduction, CombinesInGlobalMemory) {
  const Reduction& test = GetParam();
  Harness harness(
      async_ptx(".param .u64 to, .param .u32 value",
                "ld.param.u64 %rd1, [to]; ld.param.u32 %r4, [value];\n@!%p0 bra STORED;\n"
                "st.shared.v4.u32 [%r0], {%r4, %r4, %r4, %r4}; fence.proxy.async.shared::cta;\n"
                "cp.reduce.async.bulk.global.shared::cta.bulk_group" +
                    std::string(test.form) +
                    " [%rd1], [%r0], 16;\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group "
                    "0;\nSTORED:\n",
                4));
  const auto to = harness.upload(std::vector<std::uint32_t>(4, test.before));
  harness.run_clean(to, test.value, harness.zeros<std::uint32_t>(4));
  EXPECT_EQ(harness.download(to), std::vector<std::uint32_t>(4, test.expected));
}

constexpr std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
INSTANTIATE_TEST_SUITE_P(
    Forms, BulkReduction,
    testing::Values(Reduction{".add.u32", 3, 4, 7},
                    Reduction{".add.f32", bits(1.5f), bits(2.25f), bits(3.75f)},
                    Reduction{".min.s32", 0xfffffffbu, 2, 0xfffffffbu},
                    Reduction{".min.u32", 0xfffffffbu, 2, 2},
                    Reduction{".max.s32", 0xfffffffbu, 2, 2}, Reduction{".and.b32", 12, 10, 8},
                    Reduction{".or.b32", 12, 10, 14}, Reduction{".xor.b32", 12, 10, 6},
                    Reduction{".inc.u32", 4, 4, 0}, Reduction{".dec.u32", 0, 9, 9},
                    Reduction{".add.noftz.f16", 0x3c003e00u, 0x40003800u, 0x42004000u},
                    Reduction{".add.noftz.bf16", 0x3f803fc0u, 0x40003f00u, 0x40404000u}));

// --- clusters of four blocks

Harness cluster_harness(const std::string& parameters, const std::string& body, int words) {
  Harness harness(async_ptx(parameters, body, words));
  harness.launch.grid = {8, 1, 1};
  harness.launch.cluster = {4, 1, 1};
  return harness;
}
const std::string kClusterBarrier =
    "barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;\n";

TEST(ClusterCopy, MulticastReachesTheBlocksOfItsMask) {
  Harness harness = cluster_harness(
      ".param .u64 in",
      kInit +
          "ld.param.u64 %rd1, [in]; mov.u32 %r3, %cluster_ctarank; mov.u32 %r9, 0;\n"
          "@%p0 st.shared.v4.u32 [%r0], {%r9, %r9, %r9, %r9};\n"
          "setp.ne.u32 %p3, %r3, 2; and.pred %p4, %p0, %p3;\n"
          "@%p4 mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 16;\n" +
          kClusterBarrier +
          "setp.eq.u32 %p1, %r3, 1; and.pred %p2, %p0, %p1; mov.u16 %h1, 11;\n"
          "@%p2 "
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
          "[%r0], [%rd1], 16, [%r1], %h1;\n"
          "@!%p3 bra PAST;\n" +
          wait_ptx() + "PAST:\n" + kClusterBarrier,
      4);
  const auto in = harness.upload(counting(4, 40));
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    harness.options.seed = seed;
    const auto out = harness.zeros<std::uint32_t>(32);
    harness.run_clean(in, out);
    const auto got = harness.download(out);
    for (std::uint32_t block = 0; block < 8; ++block) {
      for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(got[4 * block + i], block % 4 == 2 ? 0 : 40 + i) << block;
    }
  }
}

// Every block writes its rank into its neighbour's shared memory, and reads its own memory.
TEST(ClusterCopy, DistributedSharedMemoryIsReadAndWritten) {
  Harness harness = cluster_harness(
      "",
      "mov.u32 %r3, %cluster_ctarank; add.u32 %r4, %r3, 1; and.b32 %r4, %r4, 3;\n"
      "mapa.shared::cluster.u32 %r5, %r0, %r4; getctarank.shared::cluster.u32 %r6, %r5;\n" +
          kClusterBarrier +
          "@%p0 st.shared::cluster.u32 [%r5], %r3;\n@%p0 st.shared::cluster.u32 [%r5+4], %r6;\n"
          "mov.u32 %r7, %cluster_nctarank; @%p0 st.shared::cluster.u32 [%r5+8], %r7;\n"
          "@%p0 atom.shared::cluster.add.u32 %r8, [%r5+12], 5;\n" +
          kClusterBarrier,
      4);
  const auto out = harness.zeros<std::uint32_t>(32);
  harness.run_clean(out);
  const auto got = harness.download(out);
  for (std::uint32_t block = 0; block < 8; ++block) {
    EXPECT_EQ(got[4 * block], (block + 3) % 4) << block;
    EXPECT_EQ(got[4 * block + 1], block % 4) << block;
    EXPECT_EQ(got[4 * block + 2], 4u);
    EXPECT_EQ(got[4 * block + 3], 5u);
  }
}

// The bytes and the signal go to another block.
TEST(ClusterCopy, SharedToSharedSignalsTheReceiver) {
  Harness harness = cluster_harness(
      "",
      kInit +
          "mov.u32 %r3, %cluster_ctarank; xor.b32 %r4, %r3, 1;\n"
          "mapa.shared::cluster.u32 %r5, %r0, %r4; mapa.shared::cluster.u32 %r6, %r1, %r4;\n"
          "add.u32 %r7, %r3, 100; @%p0 st.shared.v4.u32 [%r0+64], {%r7, %r7, %r7, %r7};\n"
          "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r1], "
          "24;\nfence.proxy.async.shared::cta;\n" +
          kClusterBarrier +
          "@%p0 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], "
          "[%r0+64], 16, [%r6];\n"
          "@%p0 st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r5+16], %r3, [%r6];\n"
          "@%p0 red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
          "[%r5+20], %r7, [%r6];\n" +
          wait_ptx() + kClusterBarrier,
      6);
  const auto out = harness.zeros<std::uint32_t>(48);
  for (const std::uint64_t seed : {1u, 4u}) {
    harness.options.seed = seed;
    harness.run_clean(out);
    const auto got = harness.download(out);
    for (std::uint32_t block = 0; block < 8; ++block) {
      const std::uint32_t other = (block % 4) ^ 1;
      EXPECT_EQ(got[6 * block], other + 100);
      EXPECT_EQ(got[6 * block + 4], other);
      EXPECT_EQ(got[6 * block + 5], other + 100);
    }
  }
}

TEST(ClusterLaunch, ShapesAreChecked) {
  Harness harness(async_ptx("", "", 1));
  const auto out = harness.zeros<std::uint32_t>(64);
  harness.launch.grid = {6, 1, 1};
  harness.launch.cluster = {4, 1, 1};
  EXPECT_THAT(harness.run(out).fault->message,
              HasSubstr("a grid of 6 blocks along x is not a multiple of the cluster's 4"));
  harness.launch.grid = {32, 1, 1};
  harness.launch.cluster = {32, 1, 1};
  EXPECT_THAT(harness.run(out).fault->message,
              HasSubstr("a cluster of 32 blocks; sm_90a allows 1 to 16"));
  harness.device = *find_model("sm_80");
  harness.launch.cluster = {2, 1, 1};
  EXPECT_THAT(harness.run(out).fault->message,
              HasSubstr("a cluster of 2 blocks; sm_80 allows 1 to 1"));
}

TEST(BulkCopy, FaultsNameTheCopy) {
  const auto fault = [](const std::string& copy) {
    Harness harness(
        async_ptx(".param .u64 in", kInit + "ld.param.u64 %rd1, [in];\n@%p0 " + copy + "\n", 1));
    const LaunchReport report =
        harness.run(harness.upload(counting(64), "in"), harness.zeros<std::uint32_t>(1));
    return report.fault ? report.fault->message : "";
  };
  const std::string form = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes ";
  EXPECT_THAT(fault(form + "[%r0], [%rd1], 24, [%r1];"), HasSubstr("a bulk copy of 24 bytes"));
  EXPECT_THAT(fault(form + "[%r0], [%rd1+8], 16, [%r1];"),
              HasSubstr("it must be aligned to 16 bytes"));
  EXPECT_THAT(fault(form + "[%r0], [%rd1], 512, [%r1];"),
              HasSubstr("runs 256 bytes past the end of buffer 'in' (256 bytes)"));
  EXPECT_THAT(fault(form + "[%r0+16384], [%rd1], 64, [%r1];"), HasSubstr("shared address 16384"));
}

TEST(Sampling, CountersAreScaledToAllBlocks) {
  Harness harness(async_ptx("", "", 1));
  const auto out = harness.zeros<std::uint32_t>(64);
  harness.launch.grid = {64, 1, 1};
  const Counters all = harness.run_clean(out);
  harness.options.sample_blocks = 4;
  const Counters sampled = harness.run_clean(out);
  EXPECT_EQ(sampled.blocks, 64u);
  EXPECT_EQ(sampled.warp_instructions, all.warp_instructions);
  EXPECT_EQ(sampled.global_store_requests, all.global_store_requests);
}

}  // namespace
}  // namespace warpwright::emu
