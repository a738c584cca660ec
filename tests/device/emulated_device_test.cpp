#include "device/emulated_device.h"

#include <gmock/gmock.h>

#include "core/error.h"
#include "device/argument_bytes.h"

namespace warpwright {
namespace {

using ::testing::AllOf;
using testing::argument_bytes;
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

// Thread 0 waits for the others, which have exited.
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
  launch.arguments = {argument_bytes(buffer->address()), argument_bytes(std::uint32_t{7})};
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
  launch.arguments = {argument_bytes(buffer->address()), argument_bytes(std::uint32_t{7})};
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
  launch.arguments = {argument_bytes(buffer->address()), argument_bytes(std::uint32_t{7})};
  const LaunchResult result = run(launch);
  EXPECT_EQ(result.status, Status::kLaunchFailed);
  EXPECT_THAT(result.reason, HasSubstr("to"));
  EXPECT_FALSE(result.device_lost);
}

// All threads load and store x[0]: with more than one warp, this is a race.
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
  launch.arguments = {argument_bytes(buffer->address())};
  EXPECT_TRUE(run(launch).hazards.empty()) << "nobody asked";
  LaunchLimits limits;
  limits.check = true;
  const LaunchResult checked = run(launch, limits);
  EXPECT_EQ(checked.status, Status::kOk);  // it ran; the caller decides what a hazard means
  ASSERT_FALSE(checked.hazards.empty());
  EXPECT_EQ(checked.hazards[0].kind, FindingKind::kGlobalRace);
  EXPECT_FALSE(checked.hazards[0].is_fault);
  EXPECT_THAT(checked.hazards[0].message, HasSubstr("buffer 'x'"));
  launch.block[0] = 1;
  EXPECT_TRUE(run(launch, limits).hazards.empty());
}

TEST_F(EmulatedDeviceTest, ForgottenBytesAreUninitialisedUntilWritten) {
  const auto buffer = device->allocate(4, "x");
  DeviceLaunch launch = launch_of(std::string(kHeader) + kRace, "race");
  launch.arguments = {argument_bytes(buffer->address())};
  LaunchLimits limits;
  limits.check = true;
  device->fill(*buffer, 0, 4, 5);
  device->forget(*buffer, 0, 4);
  const LaunchResult forgotten = run(launch, limits);
  ASSERT_EQ(forgotten.hazards.size(), 1u);
  EXPECT_EQ(forgotten.hazards[0].kind, FindingKind::kUninitialisedGlobal);
  device->forget(*buffer, 0, 4);
  device->fill(*buffer, 0, 4, 5);
  EXPECT_TRUE(run(launch, limits).hazards.empty());
}

TEST_F(EmulatedDeviceTest, UnwrittenBytesAreThoseThatWereForgottenAndNotWrittenSince) {
  const auto buffer = device->allocate(64 * 4, "to");
  EXPECT_FALSE(device->unwritten(*buffer, 0, 256).has_value());
  device->forget(*buffer, 0, 256);
  DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  launch.block[0] = 32;
  launch.arguments = {argument_bytes(buffer->address() + 16), argument_bytes(std::uint32_t{7})};
  LaunchLimits limits;
  limits.check = true;
  EXPECT_EQ(run(launch, limits).status, Status::kOk);
  const auto all = device->unwritten(*buffer, 0, 256);
  ASSERT_TRUE(all.has_value());
  EXPECT_EQ(all->first, 0u);
  EXPECT_EQ(all->count, 128u);
  const auto behind = device->unwritten(*buffer, 100, 100);
  ASSERT_TRUE(behind.has_value());
  EXPECT_EQ(behind->first, 44u);
  EXPECT_EQ(behind->count, 56u);
  EXPECT_FALSE(device->unwritten(*buffer, 16, 128).has_value());
  device->fill(*buffer, 0, 256, 0);
  EXPECT_FALSE(device->unwritten(*buffer, 0, 256).has_value());
}

TEST_F(EmulatedDeviceTest, AccessesAreThoseOfTheLatestSequence) {
  const auto first = device->allocate(128, "first");
  const auto second = device->allocate(128, "second");
  EXPECT_FALSE(device->accessed(*first).has_value()) << "nothing was launched";
  DeviceLaunch launch = launch_of(std::string(kHeader) + kStore, "store");
  launch.block[0] = 32;
  launch.arguments = {argument_bytes(first->address()), argument_bytes(std::uint32_t{7})};
  DeviceLaunch other = launch;
  other.arguments[0] = argument_bytes(second->address());
  static_cast<void>(run(launch));
  EXPECT_EQ(device->accessed(*first), true);
  EXPECT_EQ(device->accessed(*second), false);
  static_cast<void>(device->launch(std::vector<DeviceLaunch>{launch, other}, {}));
  EXPECT_EQ(device->accessed(*first), true);
  EXPECT_EQ(device->accessed(*second), true);
  static_cast<void>(run(other));
  EXPECT_EQ(device->accessed(*first), false);
}

// A kernel that counts its launches in a variable of its module.
constexpr const char* kCount = R"(
.global .align 4 .u32 launches;
.visible .entry count(.param .u64 to)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  ld.global.u32 %r1, [launches];
  add.u32 %r1, %r1, 1;
  st.global.u32 [launches], %r1;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

class ModuleStateTest : public EmulatedDeviceTest {
 protected:
  // The count after `times` consecutive launches.
  std::uint32_t count(int times, LaunchLimits limits = {}) {
    result_ =
        device->launch(std::vector<DeviceLaunch>(static_cast<std::size_t>(times), launch_), limits);
    EXPECT_EQ(result_.status, Status::kOk) << result_.reason;
    std::uint32_t counted = 0;
    device->download(std::as_writable_bytes(std::span(&counted, 1)), *buffer_, 0);
    return counted;
  }

  std::unique_ptr<DeviceBuffer> buffer_ = device->allocate(4, "to");
  DeviceLaunch launch_ = [this] {
    DeviceLaunch launch = launch_of(std::string(kHeader) + kCount, "count");
    launch.arguments = {argument_bytes(buffer_->address())};
    return launch;
  }();
  LaunchResult result_;
};

TEST_F(ModuleStateTest, IsRestoredBeforeEverySequenceAndKeptWithinOne) {
  EXPECT_EQ(count(1), 1u);
  EXPECT_EQ(count(1), 1u);
  EXPECT_EQ(count(3), 3u);
  EXPECT_EQ(count(1), 1u);
}

TEST_F(ModuleStateTest, StaysWhereItIsAskedFor) {
  LaunchLimits limits;
  limits.keep_state = true;
  EXPECT_EQ(count(1, limits), 1u);
  EXPECT_EQ(count(2, limits), 3u);
  EXPECT_EQ(count(1), 1u);
  EXPECT_EQ(count(1, limits), 2u) << "it goes on from the restored launch";
}

TEST_F(ModuleStateTest, IsFoundWhereItIsKeptAndRead) {
  LaunchLimits limits;
  limits.check = true;
  static_cast<void>(count(1, limits));
  EXPECT_TRUE(result_.hazards.empty());
  static_cast<void>(count(1, limits));
  EXPECT_TRUE(result_.hazards.empty()) << "it was restored";
  limits.keep_state = true;
  static_cast<void>(count(2, limits));
  ASSERT_EQ(result_.hazards.size(), 1u) << "the second launch reads what the first has written";
  EXPECT_EQ(result_.hazards[0].kind, FindingKind::kStateKept);
  EXPECT_THAT(result_.hazards[0].message, HasSubstr("the variable 'launches'"));
}

// The content that the launch sets is written after the restore.
TEST_F(ModuleStateTest, GivenContentIsNotRestored) {
  const auto content = device->allocate(4, "content");
  device->fill(*content, 0, 4, 40);
  launch_.variables = {{"launches", content->address(), 4}};
  LaunchLimits limits;
  limits.check = true;
  for (const bool keeps : {false, true}) {
    limits.keep_state = keeps;
    EXPECT_EQ(count(1, limits), 41u);
    EXPECT_TRUE(result_.hazards.empty());
    EXPECT_EQ(device->accessed(*content), true);
  }
}

TEST_F(EmulatedDeviceTest, TheFaultOfACheckedLaunchIsItsLastHazard) {
  LaunchLimits limits;
  limits.check = true;
  const LaunchResult result = run(launch_of(std::string(kHeader) + kTrap, "stop"), limits);
  EXPECT_EQ(result.status, Status::kLaunchFailed);
  ASSERT_FALSE(result.hazards.empty());
  EXPECT_TRUE(result.hazards.back().is_fault);
  EXPECT_EQ(result.hazards.back().kind, FindingKind::kTrap);
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
  launch.arguments = {argument_bytes(std::uint64_t{0})};
  EXPECT_EQ(run(launch).reason, "entry 'store' takes 2 parameters, the launch passes 1");
  launch.arguments = {argument_bytes(std::uint64_t{0}), argument_bytes(std::uint64_t{0})};
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

// NVRTC passes such assembly through when it generates no machine code.
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
  request.rotation = {LaunchSequence{launch_of(std::string(kHeader) + kTrap, "stop")}};
  const Samples samples =
      device->plan_timing(std::move(request))->take(20, std::chrono::milliseconds(100));
  EXPECT_EQ(samples.status, Status::kInvalid);
  EXPECT_EQ(samples.reason, "emu:sm_90a has no clock: its times are modelled, never sampled");
}

}  // namespace
}  // namespace warpwright
