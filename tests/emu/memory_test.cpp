// Loads, stores and atomics of every width and space, and the counters of known access patterns.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

Harness memory(const std::string& entry) {
  Harness harness = Harness::fixture("memory.ptx");
  harness.launch.entry = entry;
  return harness;
}

std::vector<float> ramp(std::size_t count) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), 0.0f);
  return values;
}

TEST(Memory, EveryWidthLoadsAndStores) {
  Harness harness = memory("widths");
  std::vector<std::uint8_t> bytes(16384);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 73 + 200);
  const auto in = harness.upload(bytes);
  const auto out = harness.zeros<std::uint8_t>(bytes.size());
  harness.run_clean(in, out);
  const auto got = harness.download(out);
  const auto read = [](const std::vector<std::uint8_t>& from, std::size_t at, auto value) {
    std::memcpy(&value, from.data() + at, sizeof value);
    return value;
  };
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_EQ(got[t], static_cast<std::uint8_t>(bytes[t] + 1));
    EXPECT_EQ(read(got, 256 + 2 * t, std::uint16_t{}),
              static_cast<std::uint16_t>(read(bytes, 256 + 2 * t, std::uint16_t{}) + 1));
    EXPECT_EQ(read(got, 512 + 4 * t, std::uint32_t{}),
              read(bytes, 512 + 4 * t, std::uint32_t{}) + 1);
    EXPECT_EQ(read(got, 1024 + 8 * t, std::uint64_t{}),
              read(bytes, 1024 + 8 * t, std::uint64_t{}) + 1);
    EXPECT_EQ(read(got, 12288 + 4 * t, std::int32_t{}), static_cast<std::int8_t>(bytes[t]));
    EXPECT_EQ(read(got, 13312 + 8 * t, std::int64_t{}), read(bytes, 256 + 2 * t, std::int16_t{}));
    EXPECT_EQ(read(got, 15360 + 4 * t, std::uint32_t{}), bytes[t]);
  }
  for (const auto& [first, length] :
       {std::pair<std::size_t, std::size_t>{2048, 256}, {4096, 512}, {8192, 512}}) {
    EXPECT_TRUE(std::equal(bytes.begin() + static_cast<long>(first),
                           bytes.begin() + static_cast<long>(first + length),
                           got.begin() + static_cast<long>(first)));
  }
}

TEST(Memory, GathersThroughAnIndex) {
  Harness harness = memory("gather");
  std::vector<int> values(500);
  std::iota(values.begin(), values.end(), 1000);
  std::vector<int> index(300);
  for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<int>(i * 37 % 500);
  const auto in = harness.upload(values);
  const auto indices = harness.upload(index);
  const auto out = harness.zeros<int>(300);
  harness.launch.block = {128, 1, 1};
  harness.launch.grid = {3, 1, 1};
  harness.run_clean(in, indices, out, 300);
  for (std::size_t i = 0; i < 300; ++i)
    EXPECT_EQ(harness.download(out)[i], values[static_cast<std::size_t>(index[i])]);
}

TEST(Memory, HighestLaneWinsAStoreConflict) {
  Harness harness = memory("scatter_last");
  const auto out = harness.zeros<int>(4);
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out), (std::vector<int>{7, 15, 23, 31}));
}

TEST(Memory, OneGenericLoadReadsThreeSpaces) {
  Harness harness = memory("generic_pointers");
  std::vector<int> values(32);
  std::iota(values.begin(), values.end(), 500);
  const auto in = harness.upload(values);
  const auto out = harness.zeros<int>(64);
  harness.run_clean(in, out, 90);
  const auto got = harness.download(out);
  for (int t = 0; t < 32; ++t) {
    const int expected = t % 3 == 0 ? 500 + t : t % 3 == 1 ? 2 * t : 90 + t % 4;
    EXPECT_EQ(got[static_cast<std::size_t>(t)], expected) << t;
    EXPECT_EQ(got[static_cast<std::size_t>(32 + t)], t % 3 == 0 ? 1 : t % 3 == 1 ? 2 : 4) << t;
  }
}

TEST(Memory, CacheHintsChangeNothing) {
  Harness harness = memory("cached");
  const auto in = harness.upload(ramp(32));
  const auto out = harness.zeros<float>(128);
  harness.run_clean(in, out);
  const auto got = harness.download(out);
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_EQ(got[t], 6.0f * static_cast<float>(t));
    EXPECT_EQ(got[96 + t], static_cast<float>(t));
  }
}

// Two functions have variables of the same name, which live as long as the module.
TEST(Memory, VariablesOfAFunctionKeepTheirValues) {
  Harness harness(ptx_header() + R"(
    .func (.param .b32 r) next() {
    .global .align 4 .u32 count = 40; .reg .b32 %r<3>;
    ld.global.u32 %r0, [count]; add.u32 %r1, %r0, 1; st.global.u32 [count], %r1;
    st.param.b32 [r], %r1; ret; }
    .visible .entry op(.param .u64 p) {
    .const .align 4 .u32 count[2] = {7, 9}; .reg .b32 %r<5>; .reg .b64 %d<3>;
    ld.param.u64 %d0, [p]; ld.const.u32 %r0, [count+4];
    { .param .b32 got; call.uni (got), next, (); ld.param.b32 %r1, [got]; }
    { .param .b32 got; call.uni (got), next, (); ld.param.b32 %r2, [got]; }
    st.global.v2.u32 [%d0], {%r0, %r2}; ret; })");
  harness.launch.block = {1, 1, 1};
  const auto out = harness.zeros<unsigned>(2);
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out), (std::vector<unsigned>{9, 42}));
}

TEST(Memory, AsyncCopyFillsWithZeros) {
  Harness harness = memory("async_copy");
  const auto in = harness.upload(ramp(128));
  const auto out = harness.zeros<float>(256);
  harness.run_clean(in, out);
  const auto got = harness.download(out);
  EXPECT_EQ(got[0], 124.0f);
  EXPECT_EQ(got[4 * 31 + 3], 3.0f);
  EXPECT_EQ(got[128 + 4 * 5], 20.0f);
  EXPECT_EQ(got[128 + 4 * 5 + 1], 0.0f);
}

TEST(Memory, GigabyteBuffersCostNothingUntilTouched) {
  Harness harness = memory("gather");
  const std::uint64_t big = harness.memory->allocate(std::size_t{3} << 30, "big");
  EXPECT_EQ(harness.memory->bytes_in_use(), std::size_t{3} << 30);
  std::memset(harness.memory->host_view(big + (std::size_t{2} << 30), 4), 0x11, 4);
  const auto index = harness.upload<int>({1 << 29});
  const auto out = harness.zeros<int>(1);
  harness.run_clean(big, index, out, 1);
  EXPECT_EQ(harness.download(out)[0], 0x11111111);
  harness.memory->release(big);
  EXPECT_EQ(harness.memory->bytes_in_use(), 8u);
}

TEST(Memory, HostViewRefusesWhatIsNotInsideOneBuffer) {
  GlobalMemory memory;
  const std::uint64_t a = memory.allocate(100, "a");
  EXPECT_EQ(a % 256, 0u);
  EXPECT_NO_THROW((void)memory.host_view(a, 100));
  EXPECT_THROW((void)memory.host_view(a, 101), std::exception);
  EXPECT_THROW(memory.release(a + 1), std::exception);
}

TEST(Atomics, ThirtyTwoBits) {
  Harness harness = memory("atomics32");
  const auto s = harness.upload<int>({5, 1000, 3, 3, -1});
  std::vector<unsigned> initial(40);
  initial = {~0u, 0, 0, 0, 0, 5000, 1, 0};
  initial.resize(40);
  const auto u = harness.upload(initial);
  const auto f = harness.zeros<float>(33);
  harness.run_clean(s, u, f);
  unsigned xors = 0;
  for (unsigned t = 0; t < 32; ++t) xors ^= t * 0x01010101u;
  unsigned dec = 0;
  for (int t = 0; t < 32; ++t) dec = dec == 0 || dec > 9 ? 9 : dec - 1;
  const auto got_s = harness.download(s);
  const auto got_u = harness.download(u);
  const auto got_f = harness.download(f);
  EXPECT_EQ(got_s, (std::vector<int>{5 + 496 - 640, 1000 - 496, -31, 961, 31}));
  EXPECT_EQ(std::vector<unsigned>(got_u.begin(), got_u.begin() + 8),
            (std::vector<unsigned>{0, ~0u, xors, 32 % 10, dec, 969, 93, 32}));
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got_u[8 + t], t);  // lanes in order
  EXPECT_EQ(got_f[0], 248.0f);
  EXPECT_EQ(got_f[1], -1.0f);
  EXPECT_EQ(got_f[32], 30.0f);
}

TEST(Atomics, SixtyFourBits) {
  Harness harness = memory("atomics64");
  const auto u = harness.zeros<std::uint64_t>(4);
  const auto d = harness.zeros<double>(1);
  const auto s = harness.zeros<std::int64_t>(1);
  harness.run_clean(u, d, s);
  EXPECT_EQ(harness.download(u),
            (std::vector<std::uint64_t>{std::uint64_t{32} << 33, std::uint64_t{31} << 40, 32, 31}));
  EXPECT_EQ(harness.download(d)[0], 124.0);
  EXPECT_EQ(harness.download(s)[0], -(std::int64_t{31} << 35));
}

TEST(Atomics, Halves) {
  Harness harness = memory("atomics_half");
  const auto h = harness.zeros<std::uint32_t>(1);
  const auto b = harness.zeros<std::uint32_t>(1);
  const auto one = harness.zeros<std::uint16_t>(2);
  harness.run_clean(h, b, one);
  EXPECT_EQ(harness.download(h)[0], 0x4c005000u);  // 32, 16
  EXPECT_EQ(harness.download(b)[0], 0x41004280u);  // 64, 8
  EXPECT_EQ(harness.download(one)[1], 0x4400u);    // 4
}

TEST(Atomics, SharedMemory) {
  Harness harness = memory("atomics_shared");
  const auto out = harness.zeros<int>(2);
  harness.launch.block = {256, 1, 1};
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out), (std::vector<int>{256 * 255 / 2, 256}));
}

Counters strided(int stride) {
  Harness harness = memory("strided");
  const auto in = harness.upload(ramp(32 * 64));
  const auto out = harness.zeros<float>(32);
  return harness.run_clean(in, out, stride);
}

TEST(Counters, SectorsOfStridedLoads) {
  EXPECT_EQ(strided(0).global_load_sectors, 1u);
  EXPECT_EQ(strided(1).global_load_sectors, 4u);
  EXPECT_EQ(strided(2).global_load_sectors, 8u);
  EXPECT_EQ(strided(8).global_load_sectors, 32u);
  EXPECT_EQ(strided(33).global_load_sectors, 32u);
  EXPECT_EQ(strided(1).global_load_requests, 1u);
  EXPECT_EQ(strided(1).global_store_sectors, 4u);
  EXPECT_EQ(strided(1).global_distinct_bytes, 256u);
  EXPECT_EQ(strided(8).global_distinct_bytes, 32u * 32 + 128);
}

TEST(Counters, WavefrontsOfStridedSharedAccesses) {
  const auto wavefronts = [](int stride) {
    Harness harness = memory("shared_strided");
    const auto out = harness.zeros<float>(32);
    const Counters counters = harness.run_clean(out, stride);
    EXPECT_EQ(counters.shared_requests, 2u);
    return counters.shared_wavefronts;
  };
  EXPECT_EQ(wavefronts(1), 2u);
  EXPECT_EQ(wavefronts(2), 4u);
  EXPECT_EQ(wavefronts(4), 8u);
  EXPECT_EQ(wavefronts(32), 64u);
  EXPECT_EQ(wavefronts(33), 2u);
}

TEST(Counters, WideSharedAccessesTakeQuarterWarps) {
  Harness harness = memory("shared_wide");
  const auto out = harness.zeros<float>(128);
  const Counters counters = harness.run_clean(out);
  EXPECT_EQ(counters.shared_requests, 2u);
  EXPECT_EQ(counters.shared_wavefronts, 8u);
  EXPECT_EQ(counters.global_store_requests, 1u);
  EXPECT_EQ(counters.global_store_sectors, 16u);
}

TEST(Counters, BankConflictsOfTheTransposes) {
  const auto wavefronts = [](const std::string& entry) {
    Harness harness = Harness::fixture("samples.ptx");
    harness.launch.entry = entry;
    harness.launch.block = {32, 8, 1};
    const auto in = harness.upload(ramp(1024));
    const auto out = harness.zeros<float>(1024);
    return harness.run_clean(in, out, 32, 32).shared_wavefronts;
  };
  EXPECT_EQ(wavefronts("transpose_padded"), 64u);
  EXPECT_EQ(wavefronts("transpose_conflicting"), 32u + 32u * 32u);
}

TEST(Counters, AreTheSameForAnyNumberOfThreads) {
  const auto once = [](int threads) {
    Harness harness = Harness::fixture("samples.ptx");
    harness.launch.entry = "matmul";
    harness.launch.block = {16, 16, 1};
    harness.launch.grid = {5, 5, 1};
    harness.options.threads = threads;
    const auto a = harness.upload(ramp(80 * 40));
    const auto b = harness.upload(ramp(40 * 80));
    const auto c = harness.zeros<float>(80 * 80);
    const Counters counters = harness.run_clean(a, b, c, 80, 80, 40);
    return std::pair(counters, harness.download(c));
  };
  const auto [counters, result] = once(1);
  for (const int threads : {2, 3, 7}) {
    const auto [more, other] = once(threads);
    EXPECT_EQ(std::memcmp(&counters, &more, sizeof counters), 0) << threads;
    EXPECT_EQ(result, other);
  }
  EXPECT_EQ(counters.blocks, 25u);
  EXPECT_LE(counters.lane_instructions, counters.warp_instructions * 32);
  EXPECT_EQ(counters.warp_instructions, counters.fp32 + counters.integer + counters.load_store +
                                            counters.control + counters.convert + counters.special +
                                            counters.other + counters.fp16 + counters.fp64);
}

}  // namespace
}  // namespace warpwright::emu
