// The PTX by which a GPU sums, stamps its clock and compares, executed on an emulated one.
#include "device/cuda/helper_kernels.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <limits>

#include "device/argument_bytes.h"
#include "device/checksum.h"
#include "device/clock_stamp.h"
#include "device/emulated_device.h"

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

// Against the C++ that defines the sum.
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
  // Right are the first three.
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

}  // namespace
}  // namespace warpwright
