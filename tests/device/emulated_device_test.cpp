#include "device/emulated_device.h"

#include <gmock/gmock.h>

#include <cstring>

#include "core/error.h"
#include "device/checksum.h"
#include "device/clock_stamp.h"
#include "device/cuda/helper_kernels.h"

namespace warpwright {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kHeader = ".version 8.0\n.target sm_90a\n.address_size 64\n";

// to[tid] = value, one element per thread, without a bounds check.
constexpr const char* kStore = R"(
.visible .entry store(.param .u64 to, .param .u32 value)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [value];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
)";

constexpr const char* kForever = R"(
.visible .entry forever()
{
AGAIN:
  bra AGAIN;
}
)";

constexpr const char* kTrap = R"(
.visible .entry stop()
{
  trap;
}
)";

// Thread 0 waits for the others, which have left.
constexpr const char* kDeadlock = R"(
.visible .entry stuck()
{
  .reg .pred %p<2>;
  .reg .b32 %r<2>;
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra DONE;
  bar.sync 0, 64;
DONE:
  ret;
}
)";

template <typename T>
std::vector<std::byte> argument(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

class EmulatedDeviceTest : public ::testing::Test {
 protected:
  DeviceLaunch launch_of(const std::string& ptx, const std::string& entry) {
    CompileResult compiled;
    compiled.ok = true;
    compiled.ptx = ptx;
    Device::Loaded loaded = device->load(compiled);
    EXPECT_NE(loaded.module, nullptr) << loaded.failure.reason;
    DeviceLaunch launch;
    launch.module = loaded.module;
    launch.entry = entry;
    return launch;
  }
  LaunchResult run(const DeviceLaunch& launch, LaunchLimits limits = {}) {
    return device->launch(std::span(&launch, 1), limits);
  }

  std::unique_ptr<Device> device = open_emulated_device("sm_90a", 1);
};

TEST_F(EmulatedDeviceTest, ItSaysWhatItIs) {
  const DeviceInfo& info = device->info();
  EXPECT_EQ(info.id, "emu:sm_90a");
  EXPECT_EQ(info.arch, "sm_90a");
  EXPECT_FALSE(info.has_clock);
  EXPECT_THAT(info.driver, StartsWith("emulator "));
  EXPECT_EQ(info.compute_capability, 90);
  EXPECT_GT(info.max_shared_per_block, 48 * 1024);
  EXPECT_TRUE(device->checks_bounds());
}

TEST_F(EmulatedDeviceTest, UnknownArchsHaveNoDevice) {
  EXPECT_EQ(open_emulated_device("sm_1", 0), nullptr);
}

TEST_F(EmulatedDeviceTest, MemoryHoldsWhatIsWritten) {
  const auto buffer = device->allocate(11, "x");
  device->fill(*buffer, 4, 7, 0x04030201);
  std::vector<std::byte> got(7);
  device->download(got, *buffer, 4);
  EXPECT_EQ(got[0], std::byte{1});
  EXPECT_EQ(got[6], std::byte{3});
  const auto other = device->allocate(11, "y");
  device->copy(*other, *buffer, 11);
  device->download(got, *other, 4);
  EXPECT_EQ(got[6], std::byte{3});
}

TEST_F(EmulatedDeviceTest, AskingForMoreThanThereIsSaysHowMuch) {
  try {
    (void)device->allocate(device->free_bytes() + 1, "logits");
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_THAT(error.what(), AllOf(StartsWith("emu:sm_90a has "), HasSubstr("'logits' needs ")));
  }
}

TEST_F(EmulatedDeviceTest, ALaunchRunsAndCounts) {
  const auto buffer = device->allocate(32 * 4, "to");
  DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  launch.block[0] = 32;
  launch.arguments = {argument(buffer->address()), argument(std::uint32_t{7})};
  const LaunchResult result = run(launch);
  EXPECT_EQ(result.status, Status::kOk) << result.reason;
  EXPECT_GT(result.modelled_us, 0);
  EXPECT_EQ(result.counters.at("blocks"), 1u);
  EXPECT_EQ(result.counters.at("global_store_requests"), 1u);
  EXPECT_EQ(result.counters.at("global_store_sectors"), 4u);
  std::uint32_t last = 0;
  device->download(std::as_writable_bytes(std::span(&last, 1)), *buffer, 31 * 4);
  EXPECT_EQ(last, 7u);
}

TEST_F(EmulatedDeviceTest, CountersAndTimeAddUpOverTheSequence) {
  const auto buffer = device->allocate(32 * 4, "to");
  DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  launch.block[0] = 32;
  launch.arguments = {argument(buffer->address()), argument(std::uint32_t{7})};
  const LaunchResult one = run(launch);
  const std::vector<DeviceLaunch> twice{launch, launch};
  const LaunchResult two = device->launch(twice, {});
  EXPECT_DOUBLE_EQ(two.modelled_us, 2 * one.modelled_us);
  EXPECT_EQ(two.counters.at("warp_instructions"), 2 * one.counters.at("warp_instructions"));
}

TEST_F(EmulatedDeviceTest, AWriteOutOfBoundsIsALaunchFailureThatNamesTheBuffer) {
  const auto buffer = device->allocate(31 * 4, "to");
  DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  launch.block[0] = 32;
  launch.arguments = {argument(buffer->address()), argument(std::uint32_t{7})};
  const LaunchResult result = run(launch);
  EXPECT_EQ(result.status, Status::kLaunchFailed);
  EXPECT_THAT(result.reason, HasSubstr("to"));
  EXPECT_FALSE(result.device_lost);
}

// x[0] is loaded by all and stored by all: with more than one warp, a race.
constexpr const char* kRace = R"(
.visible .entry race(.param .u64 x)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [x];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

TEST_F(EmulatedDeviceTest, CheckedLaunchesTellTheirHazards) {
  const auto buffer = device->allocate(4, "x");
  device->fill(*buffer, 0, 4, 0);
  DeviceLaunch launch = launch_of(std::string(kHeader) + kRace, "race");
  launch.block[0] = 64;
  launch.arguments = {argument(buffer->address())};
  EXPECT_TRUE(run(launch).hazards.empty()) << "nobody asked";
  LaunchLimits limits;
  limits.check = true;
  const LaunchResult checked = run(launch, limits);
  EXPECT_EQ(checked.status, Status::kOk);  // it ran: what is made of a hazard is the caller's
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_EQ(checked.hazards[0].kind, "global race");
  EXPECT_FALSE(checked.hazards[0].is_fault);
  EXPECT_THAT(checked.hazards[0].message, HasSubstr("buffer 'x'"));
  launch.block[0] = 1;
  EXPECT_TRUE(run(launch, limits).hazards.empty());
}

TEST_F(EmulatedDeviceTest, ForgottenBytesAreUninitialisedUntilWritten) {
  const auto buffer = device->allocate(4, "x");
  DeviceLaunch launch = launch_of(std::string(kHeader) + kRace, "race");
  launch.arguments = {argument(buffer->address())};
  LaunchLimits limits;
  limits.check = true;
  device->fill(*buffer, 0, 4, 5);
  device->forget(*buffer, 0, 4);
  const LaunchResult forgotten = run(launch, limits);
  ASSERT_EQ(forgotten.hazards.size(), 1u);
  EXPECT_EQ(forgotten.hazards[0].kind, "uninitialised global memory");
  device->forget(*buffer, 0, 4);
  device->fill(*buffer, 0, 4, 5);
  EXPECT_TRUE(run(launch, limits).hazards.empty());
}

TEST_F(EmulatedDeviceTest, TheFaultOfACheckedLaunchIsItsLastHazard) {
  LaunchLimits limits;
  limits.check = true;
  const LaunchResult result = run(launch_of(std::string(kHeader) + kTrap, "stop"), limits);
  EXPECT_EQ(result.status, Status::kLaunchFailed);
  ASSERT_FALSE(result.hazards.empty());
  EXPECT_TRUE(result.hazards.back().is_fault);
  EXPECT_EQ(result.hazards.back().kind, "trap");
}

TEST_F(EmulatedDeviceTest, ATrapIsALaunchFailure) {
  const LaunchResult result = run(launch_of(std::string(kHeader) + kTrap, "stop"));
  EXPECT_EQ(result.status, Status::kLaunchFailed) << result.reason;
}

TEST_F(EmulatedDeviceTest, ADeadlockIsALaunchFailureThatSaysSo) {
  DeviceLaunch launch = launch_of(std::string(kHeader) + kDeadlock, "stuck");
  launch.block[0] = 64;
  const LaunchResult result = run(launch);
  EXPECT_EQ(result.status, Status::kLaunchFailed);
  EXPECT_THAT(result.reason, HasSubstr("deadlock"));
}

TEST_F(EmulatedDeviceTest, TheInstructionLimitIsATimeout) {
  LaunchLimits limits;
  limits.emulated_instructions = 10'000;
  const LaunchResult result = run(launch_of(std::string(kHeader) + kForever, "forever"), limits);
  EXPECT_EQ(result.status, Status::kTimeout) << result.reason;
  EXPECT_FALSE(result.device_lost);
}

TEST_F(EmulatedDeviceTest, TheTimeLimitIsATimeout) {
  LaunchLimits limits;
  limits.time = std::chrono::milliseconds(50);
  EXPECT_EQ(run(launch_of(std::string(kHeader) + kForever, "forever"), limits).status,
            Status::kTimeout);
}

TEST_F(EmulatedDeviceTest, AnUnknownEntryListsTheOthers) {
  DeviceLaunch launch = launch_of(std::string(kHeader) + kTrap, "stop");
  launch.entry = "start";
  const LaunchResult result = run(launch);
  EXPECT_EQ(result.status, Status::kInvalid);
  EXPECT_EQ(result.reason, "no entry 'start' in the module; it has: stop");
}

TEST_F(EmulatedDeviceTest, ParametersMustFit) {
  DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  launch.arguments = {argument(std::uint64_t{0})};
  EXPECT_EQ(run(launch).reason, "entry 'store' takes 2 parameters, the launch passes 1");
  launch.arguments = {argument(std::uint64_t{0}), argument(std::uint64_t{0})};
  EXPECT_EQ(run(launch).reason, "parameter 1 of entry 'store' has 4 bytes, the launch passes 8");
}

TEST_F(EmulatedDeviceTest, ModulesKnowTheirEntries) {
  const DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  EXPECT_EQ(launch.module->parameter_sizes("store"), (std::vector<std::size_t>{8, 4}));
  EXPECT_TRUE(launch.module->resources("store").has_value());
  EXPECT_FALSE(launch.module->resources("other").has_value());
}

TEST_F(EmulatedDeviceTest, ABlockTooLargeIsInvalid) {
  DeviceLaunch launch = launch_of(std::string(kHeader) + kTrap, "stop");
  launch.block[0] = 2048;
  EXPECT_EQ(run(launch).status, Status::kInvalid);
}

TEST_F(EmulatedDeviceTest, UnsupportedPtxIsInvalid) {
  CompileResult compiled;
  compiled.ok = true;
  compiled.ptx = std::string(kHeader) + ".visible .entry k()\n{\n  frobnicate.b32;\n  ret;\n}\n";
  const Device::Loaded loaded = device->load(compiled);
  EXPECT_EQ(loaded.module, nullptr);
  EXPECT_EQ(loaded.failure.status, Status::kInvalid);
  EXPECT_THAT(loaded.failure.reason, HasSubstr("frobnicate"));
}

// As NVRTC hands it through where no machine code is made.
TEST_F(EmulatedDeviceTest, InlineAssemblyThatIsNoPtxIsInvalid) {
  CompileResult compiled;
  compiled.ok = true;
  compiled.ptx = std::string(kHeader) + ".visible .entry k()\n{\n  mov.u32 [;\n  ret;\n}\n";
  const Device::Loaded loaded = device->load(compiled);
  EXPECT_EQ(loaded.module, nullptr);
  EXPECT_EQ(loaded.failure.status, Status::kInvalid);
  EXPECT_THAT(loaded.failure.reason, HasSubstr("PTX: expected an operand, got ';'"));
}

TEST_F(EmulatedDeviceTest, ItHasNoClock) {
  TimingRequest request;
  request.rotation = {{launch_of(std::string(kHeader) + kTrap, "stop")}};
  const Samples samples =
      device->plan_timing(std::move(request))->take(20, std::chrono::milliseconds(100));
  EXPECT_EQ(samples.status, Status::kInvalid);
  EXPECT_EQ(samples.reason, "emu:sm_90a has no clock: its times are modelled, never sampled");
}

// The PTX that a GPU sums with, executed here, against the C++ that defines the sum.
TEST_F(EmulatedDeviceTest, TheChecksumKernelOfGpusComputesTheChecksum) {
  std::vector<std::byte> bytes(8 * 5000);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i * 31 + (i >> 7));
  const auto buffer = device->allocate(bytes.size(), "x");
  const auto sum = device->allocate(8, "sum");
  device->upload(*buffer, 0, bytes);
  device->fill(*sum, 0, 8, 0);
  DeviceLaunch launch = launch_of(cuda::helper_ptx(), "ww_checksum");
  launch.grid[0] = 3;
  launch.block[0] = cuda::kChecksumThreads;
  launch.arguments = {argument(buffer->address()), argument(std::uint64_t{bytes.size() / 8}),
                      argument(sum->address())};
  const LaunchResult result = run(launch);
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  std::uint64_t got = 0;
  device->download(std::as_writable_bytes(std::span(&got, 1)), *sum, 0);
  EXPECT_EQ(got, checksum_of(bytes));
}

// The PTX that stamps a GPU's clock, executed here.
TEST_F(EmulatedDeviceTest, StampsGoToTheMultiprocessorsSlotIfThereIsOne) {
  const std::uint64_t slots = 2;
  const auto stamps = device->allocate((slots + 1) * sizeof(ClockStamp), "stamps");
  device->fill(*stamps, 0, (slots + 1) * sizeof(ClockStamp), 0);
  DeviceLaunch launch = launch_of(cuda::helper_ptx(), "ww_stamp");
  launch.grid[0] = 6;
  launch.block[0] = 1;
  launch.arguments = {argument(stamps->address()), argument(slots)};
  const LaunchResult result = run(launch);
  ASSERT_EQ(result.status, Status::kOk) << result.reason;
  std::vector<ClockStamp> got(slots + 1);
  device->download(std::as_writable_bytes(std::span(got)), *stamps, 0);
  EXPECT_TRUE(got[0].ns != 0 || got[1].ns != 0);
  EXPECT_EQ(got[slots].ns, 0U);
  EXPECT_EQ(got[slots].cycles, 0U);
}

// The PTX that a GPU compares with, executed here.
class CompareKernel : public EmulatedDeviceTest {
 protected:
  template <typename T>
  std::uint64_t put(const std::vector<T>& values) {
    buffers_.push_back(device->allocate(values.size() * sizeof(T), "x"));
    device->upload(*buffers_.back(), 0, std::as_bytes(std::span(values)));
    return buffers_.back()->address();
  }
  ElementsFound compare(const ElementComparison& what) {
    const std::uint64_t found = put(std::vector<std::uint64_t>(4));
    DeviceLaunch launch = launch_of(cuda::helper_ptx(), "ww_compare");
    launch.grid[0] = 2;
    launch.block[0] = cuda::kChecksumThreads;
    for (const std::uint64_t value :
         {what.got, what.units, what.unit_elements, what.count, what.expected, what.allowed,
          what.table, static_cast<std::uint64_t>(what.kind), found})
      launch.arguments.push_back(argument(value));
    const LaunchResult result = run(launch);
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
