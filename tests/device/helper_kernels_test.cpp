// The PTX with which a GPU sums, stamps its clock and compares, executed on an emulated GPU.
#include "device/cuda/helper_kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "device/argument_bytes.h"
#include "device/checksum.h"
#include "device/emulated_device.h"
#include "device/timing.h"

namespace warpwright {
namespace {

using testing::argument_bytes;

class HelperKernel : public ::testing::Test {
 protected:
  LaunchResult run(const std::string& entry, unsigned blocks, unsigned threads,
                   const std::vector<std::vector<std::byte>>& arguments) {
    CompileResult compiled;
    compiled.ok = true;
    compiled.ptx = cuda::helper_ptx();
    const Device::Loaded loaded = device->load(compiled);
    EXPECT_NE(loaded.module, nullptr) << loaded.failure.reason;
    DeviceLaunch launch;
    launch.module = loaded.module;
    launch.entry = entry;
    launch.grid[0] = blocks;
    launch.block[0] = threads;
    launch.arguments = arguments;
    return device->launch(std::span(&launch, 1), {});
  }

  std::unique_ptr<Device> device = open_emulated_device("sm_90a", 1);
};

// Compares with the C++ code that defines the sum.
TEST_F(HelperKernel, TheChecksumKernelOfGpusComputesTheChecksum) {
  std::vector<std::byte> bytes(8 * 5000);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * 31 + (i >> 7));
  const auto buffer = device->allocate(bytes.size(), "x");
  const auto sum = device->allocate(8, "sum");
  device->upload(*buffer, 0, bytes);
  device->fill(*sum, 0, 8, 0);
  const LaunchResult result =
      run("ww_checksum", 3, cuda::kChecksumThreads,
          {argument_bytes(buffer->address()), argument_bytes(std::uint64_t{bytes.size() / 8}),
           argument_bytes(sum->address())});
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  std::uint64_t got = 0;
  device->download(std::as_writable_bytes(std::span(&got, 1)), *sum, 0);
  EXPECT_EQ(got, checksum_of(bytes));
}

TEST_F(HelperKernel, StampsGoToTheMultiprocessorsSlotIfThereIsOne) {
  const std::uint64_t slots = 2;
  const auto stamps = device->allocate((slots + 1) * sizeof(ClockStamp), "stamps");
  device->fill(*stamps, 0, (slots + 1) * sizeof(ClockStamp), 0);
  const LaunchResult result =
      run("ww_stamp", 6, 1, {argument_bytes(stamps->address()), argument_bytes(slots)});
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  std::vector<ClockStamp> got(slots + 1);
  device->download(std::as_writable_bytes(std::span(got)), *stamps, 0);
  EXPECT_TRUE(got[0].ns != 0 || got[1].ns != 0);
  EXPECT_EQ(got[slots].ns, 0U);
  EXPECT_EQ(got[slots].cycles, 0U);
}

class CompareKernel : public HelperKernel {
 protected:
  template <typename T>
  std::uint64_t put(const std::vector<T>& values) {
    buffers_.push_back(device->allocate(values.size() * sizeof(T), "x"));
    device->upload(*buffers_.back(), 0, std::as_bytes(std::span(values)));
    return buffers_.back()->address();
  }
  ElementsFound compare(const ElementComparison& what) {
    const std::uint64_t found = put(std::vector<std::uint64_t>(4));
    std::vector<std::vector<std::byte>> arguments;
    for (const std::uint64_t value :
         {what.got, what.units, what.unit_elements, what.count, what.expected, what.allowed,
          what.table, static_cast<std::uint64_t>(what.kind), found})
      arguments.push_back(argument_bytes(value));
    const LaunchResult result = run("ww_compare", 2, cuda::kChecksumThreads, arguments);
    EXPECT_EQ(result.status, Status::kOk) << result.reason;
    std::array<std::uint64_t, 4> got{};
    device->download(std::as_writable_bytes(std::span(got)), *buffers_.back(), 0);
    return {got[0], std::bit_cast<double>(got[1]), std::bit_cast<double>(got[2]),
            std::bit_cast<double>(got[3])};
  }
  template <typename T>
  ElementsFound compare(ElementKind kind, const std::vector<T>& got,
                        const std::vector<double>& expected, const std::vector<double>& allowed,
                        const std::vector<double>& table = {}) {
    ElementComparison what;
    what.kind = kind;
    what.got = put(got);
    what.count = expected.size();
    what.expected = put(expected);
    what.allowed = put(allowed);
    if (!table.empty()) what.table = put(table);
    return compare(what);
  }
  std::vector<std::unique_ptr<DeviceBuffer>> buffers_;
};

TEST_F(CompareKernel, FindsTheLargestErrorsOfWhatIsRight) {
  const ElementsFound found =
      compare<float>(ElementKind::kF32, {1.5F, -2.25F, 0.5F}, {1, -2, 0}, {1, 1, 0.5});
  EXPECT_EQ(found.wrong, 0U);
  EXPECT_EQ(found.max_abs, 0.5);
  EXPECT_EQ(found.max_rel, 0.5);
  EXPECT_EQ(found.worst_ratio, 1);
}

TEST_F(CompareKernel, WhatIsNoNumberOrTooFarOffIsNotRight) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // The first three are right.
  const ElementsFound found =
      compare<double>(ElementKind::kF64, {inf, -inf, 4, inf, nan, nan, 4.1, 0, inf},
                      {inf, -inf, 4, 1, 1, nan, 4, nan, -inf}, {0, 0, 0, 9, 9, -1, 0.05, -1, 0});
  EXPECT_EQ(found.wrong, 6U);
  EXPECT_EQ(found.max_abs, 0);
}

TEST_F(CompareKernel, ReadsEveryKindOfElement) {
  const auto wrong = [this]<typename T>(ElementKind kind, const std::vector<T>& got,
                                        const std::vector<double>& expected,
                                        const std::vector<double>& table = {}) {
    return compare(kind, got, expected, std::vector<double>(expected.size()), table).wrong;
  };
  EXPECT_EQ(wrong(ElementKind::kI32, std::vector<std::int32_t>{-7, 7}, {-7, 7}), 0U);
  EXPECT_EQ(wrong(ElementKind::kU32, std::vector<std::uint32_t>{4294967295U, 1}, {4294967295., 1}),
            0U);
  EXPECT_EQ(wrong(ElementKind::kI64, std::vector<std::int64_t>{-(1LL << 40), 3}, {-0x1p40, 3}), 0U);
  EXPECT_EQ(wrong(ElementKind::kU64, std::vector<std::uint64_t>{1ULL << 63, 3}, {0x1p63, 3}), 0U);
  EXPECT_EQ(wrong(ElementKind::kF64, std::vector<double>{1.1, 0}, {1.1, -0.0}), 0U);
  std::vector<double> bytes(256);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<double>(i) / 8;
  EXPECT_EQ(
      wrong(ElementKind::kByte, std::vector<std::uint8_t>{8, 255, 3}, {1, 31.875, 0.375}, bytes),
      0U);
  std::vector<double> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = -static_cast<double>(i);
  EXPECT_EQ(wrong(ElementKind::kHalf, std::vector<std::uint16_t>{8, 65535}, {-8, -65535}, halves),
            0U);
  EXPECT_EQ(wrong(ElementKind::kHalf, std::vector<std::uint16_t>{8, 65535}, {-8, -65534}, halves),
            1U);
}

TEST_F(CompareKernel, OnlyTheNamedUnitsCount) {
  std::vector<float> got(1000);
  for (std::size_t i = 0; i < got.size(); ++i) got[i] = static_cast<float>(i);
  ElementComparison what;
  what.got = put(got);
  what.units = put(std::vector<std::int64_t>{0, 7, 99});
  what.unit_elements = 10;
  what.count = 30;
  std::vector<double> expected;
  for (const double first : {0., 70., 990.})
    for (int i = 0; i < 10; ++i) expected.push_back(first + i);
  what.expected = put(expected);
  what.allowed = put(std::vector<double>(30));
  EXPECT_EQ(compare(what).wrong, 0U);
  expected[13] += 1;
  what.expected = put(expected);
  EXPECT_EQ(compare(what).wrong, 1U);
}

// Three regions: a copy, a pattern over a length that is not a multiple of 16, and one at an odd
// offset.
TEST_F(HelperKernel, SamplesBeginWithCopiesAndAPattern) {
  const auto from = device->allocate(100, "from");
  const auto copied = device->allocate(100, "copied");
  const auto filled = device->allocate(70, "filled");
  const auto odd = device->allocate(64, "odd");
  std::vector<std::byte> content(100);
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<std::byte>(i + 1);
  device->upload(*from, 0, content);
  for (const auto* buffer : {copied.get(), filled.get(), odd.get()})
    device->fill(const_cast<DeviceBuffer&>(*buffer), 0, buffer->bytes(), 0);
  const std::vector<std::uint64_t> entries = {
      copied->address(),  from->address(),     100, filled->address(), 0, 70,
      odd->address() + 3, from->address() + 1, 5};
  const auto table = device->allocate(entries.size() * 8, "table");
  device->upload(*table, 0, std::as_bytes(std::span(entries)));
  constexpr std::uint32_t kPattern = 0x44332211;
  const LaunchResult result =
      run("ww_prepare", 2, 64,
          {argument_bytes(table->address()), argument_bytes(std::uint64_t{3}),
           argument_bytes(kPattern), argument_bytes(std::uint32_t{0})});
  ASSERT_EQ(result.status, Status::kOk) << result.reason;

  std::vector<std::byte> got(100);
  device->download(got, *copied, 0);
  EXPECT_EQ(got, content);
  got.resize(70);
  device->download(got, *filled, 0);
  for (std::size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(got[i], static_cast<std::byte>(0x11 * (1 + i % 4))) << i;
  got.resize(64);
  device->download(got, *odd, 0);
  EXPECT_EQ(got[2], std::byte{0});
  EXPECT_EQ(got[3], std::byte{2});
  EXPECT_EQ(got[7], std::byte{6});
  EXPECT_EQ(got[8], std::byte{0});
}

// Two regions, of which one has fewer words than there are threads.
TEST_F(HelperKernel, SumsOfSeveralRegionsAreTheirChecksums) {
  std::vector<std::byte> bytes(8 * 3000);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 13 + 5);
  const auto buffer = device->allocate(bytes.size(), "x");
  device->upload(*buffer, 0, bytes);
  const std::vector<std::uint64_t> entries = {buffer->address(), 3000, buffer->address() + 64, 7};
  const auto table = device->allocate(entries.size() * 8, "table");
  device->upload(*table, 0, std::as_bytes(std::span(entries)));
  const auto sums = device->allocate(16, "sums");
  device->fill(*sums, 0, 16, 0);
  const LaunchResult result =
      run("ww_checksums", 2, cuda::kChecksumThreads,
          {argument_bytes(table->address()), argument_bytes(std::uint64_t{2}),
           argument_bytes(sums->address())});
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  std::vector<std::uint64_t> got(2);
  device->download(std::as_writable_bytes(std::span(got)), *sums, 0);
  EXPECT_EQ(got[0], checksum_of(bytes));
  EXPECT_EQ(got[1], checksum_of(std::span(bytes).subspan(64, 56)));
}

TEST_F(HelperKernel, TheScatterKernelOfGpusChangesTheWordsThatTheHostWould) {
  constexpr std::uint32_t kMask = 0x00400040;
  for (const std::size_t words : {std::size_t{1}, std::size_t{7}, std::size_t{3000}}) {
    const auto here = device->allocate(4 * words, "here");
    const auto there = device->allocate(4 * words, "there");
    device->fill(*here, 0, 4 * words, 0x3f800000);
    device->fill(*there, 0, 4 * words, 0x3f800000);
    device->Device::scatter(*here, 0, 4 * words, kMask, 5);
    const LaunchResult result =
        run("ww_scatter", 2, 64,
            {argument_bytes(there->address()), argument_bytes(std::uint64_t{words}),
             argument_bytes(kMask), argument_bytes(std::uint32_t{5})});
    ASSERT_EQ(result.status, Status::kOk) << result.reason;
    std::vector<std::uint32_t> expected(words), got(words);
    device->download(std::as_writable_bytes(std::span(expected)), *here, 0);
    device->download(std::as_writable_bytes(std::span(got)), *there, 0);
    EXPECT_EQ(got, expected);
    const auto changed = std::count(got.begin(), got.end(), 0x3f800000u ^ kMask);
    EXPECT_GE(changed, 1);
    EXPECT_LE(changed, 2 + static_cast<std::ptrdiff_t>(words / 8));
  }
}

TEST_F(HelperKernel, TheKernelForLocalMemoryRuns) {
  CompileResult compiled;
  compiled.ok = true;
  compiled.ptx = cuda::local_helper_ptx(40);
  const Device::Loaded loaded = device->load(compiled);
  ASSERT_NE(loaded.module, nullptr) << loaded.failure.reason;
  DeviceLaunch launch;
  launch.module = loaded.module;
  launch.entry = "ww_local";
  launch.block[0] = 64;
  launch.arguments = {argument_bytes(std::uint32_t{7}), argument_bytes(std::uint64_t{0})};
  const LaunchResult result = device->launch(std::span(&launch, 1), {});
  EXPECT_EQ(result.status, Status::kOk) << result.reason;
}

}  // namespace
}  // namespace warpwright
