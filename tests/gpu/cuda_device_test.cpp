// On a real GPU. Everything that poisons a context runs in a process of its own: a death test of
// the "threadsafe" style starts this program again, so that no other test sees the lost device.
#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <thread>

#include "compile/nvrtc.h"
#include "core/error.h"
#include "device/checksum.h"
#include "device/registry/device_registry.h"
#include "stats/screening_rule.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kBroken = R"(
extern "C" __global__ void hang(volatile int* flag) { while (*flag == 0) {} }
extern "C" __global__ void illegal(int* unused) { *(volatile int*)16 = 1; }
extern "C" __global__ void fine(int* to) { to[threadIdx.x] = threadIdx.x; }
extern "C" __global__ void big(int* to) {
  extern __shared__ int s[];
  s[threadIdx.x] = 3;
  to[threadIdx.x] = s[threadIdx.x];
}
)";

class CudaDeviceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_cuda(); !reason.empty()) GTEST_SKIP() << reason;
    const std::optional<Toolchain> toolchain = locate_toolchain();
    if (!toolchain) GTEST_SKIP() << "no NVRTC here";
    nvrtc = std::make_unique<Nvrtc>(*toolchain);
  }
  // Opened late: a death test's parent must not hold a context of its own.
  Device& device() {
    if (!device_) device_ = open_device("cuda:0");
    return *device_;
  }
  CompileResult compile(const std::string& text) {
    write_text(folder.path() / "kernels.cu", text);
    CompileJob job;
    job.source = folder.path() / "kernels.cu";
    job.arch = device().info().arch;
    CompileResult compiled = nvrtc->compile(job);
    EXPECT_TRUE(compiled.ok) << compiled.log;
    return compiled;
  }
  // A launch of one of the kernels above, with one pointer argument.
  DeviceLaunch launch_of(const std::string& entry, std::uint32_t threads = 1) {
    Device::Loaded loaded = device().load(compile(kBroken));
    EXPECT_NE(loaded.module, nullptr) << loaded.failure.reason;
    if (!buffer) buffer = device().allocate(4096, "to");
    device().fill(*buffer, 0, 4096, 0);
    DeviceLaunch launch;
    launch.module = loaded.module;
    launch.entry = entry;
    launch.block[0] = threads;
    const std::uint64_t address = buffer->address();
    launch.arguments.emplace_back(sizeof address);
    std::memcpy(launch.arguments.back().data(), &address, sizeof address);
    return launch;
  }
  LaunchResult run(const DeviceLaunch& launch, int limit_ms = 5000) {
    LaunchLimits limits;
    limits.time = std::chrono::milliseconds(limit_ms);
    return device().launch(std::span(&launch, 1), limits);
  }

  TemporaryFolder folder{"warpwright-gpu-test"};
  std::unique_ptr<Nvrtc> nvrtc;
  std::unique_ptr<Device> device_;
  std::unique_ptr<DeviceBuffer> buffer;
};

TEST_F(CudaDeviceTest, ItSaysWhatItIs) {
  const DeviceInfo& info = device().info();
  EXPECT_EQ(info.id, "cuda:0");
  EXPECT_TRUE(info.has_clock);
  EXPECT_THAT(info.uuid,
              ::testing::MatchesRegex("GPU-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+"));
  EXPECT_GT(info.sm_count, 0);
  EXPECT_GT(info.l2_bytes, 1 << 20);
  EXPECT_GT(info.max_shared_per_block, 48 * 1024);
  EXPECT_GT(info.max_sm_clock_mhz, 500);
  EXPECT_FALSE(info.driver.empty());
  EXPECT_FALSE(device().checks_bounds());
}

TEST_F(CudaDeviceTest, MemoryHoldsWhatIsWritten) {
  const auto x = device().allocate(1003, "x");
  const auto y = device().allocate(1003, "y");
  std::vector<std::byte> bytes(1003);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7);
  device().upload(*x, 0, bytes);
  device().copy(*y, *x, bytes.size());
  std::vector<std::byte> got(1003);
  device().download(got, *y, 0);
  EXPECT_EQ(got, bytes);
  device().fill(*y, 4, 999, 0x04030201);
  device().download(got, *y, 0);
  EXPECT_EQ(got[3], bytes[3]);
  EXPECT_EQ(got[4], std::byte{1});
  EXPECT_EQ(got[1002], std::byte{3});
}

TEST_F(CudaDeviceTest, TheChecksumIsThatOfTheHost) {
  for (const std::size_t size :
       {std::size_t{3}, std::size_t{8}, std::size_t{1000}, (std::size_t{5} << 20) + 5}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + (i >> 9));
    const auto x = device().allocate(size + 16, "x");
    device().upload(*x, 16, bytes);
    EXPECT_EQ(device().checksum(*x, 16, size), checksum_of(bytes)) << size;
  }
}

TEST_F(CudaDeviceTest, ScatteredChangesAreThoseOfTheHost) {
  constexpr std::size_t kWords = 5000;
  const auto here = device().allocate(4 * kWords, "here");
  const auto there = device().allocate(4 * kWords, "there");
  for (DeviceBuffer* one : {here.get(), there.get()}) device().fill(*one, 0, 4 * kWords, 7);
  device().scatter(*here, 0, 4 * kWords, 0x00400040, 3);
  device().Device::scatter(*there, 0, 4 * kWords, 0x00400040, 3);
  EXPECT_EQ(device().checksum(*here, 0, 4 * kWords), device().checksum(*there, 0, 4 * kWords));
}

TEST_F(CudaDeviceTest, HiddenMemoryKeepsItsContent) {
  const auto hidden = device().allocate_hidden(1000, "hidden");
  ASSERT_NE(hidden, nullptr);
  std::vector<std::byte> bytes(1000, std::byte{42}), got(1000);
  device().reveal(*hidden);
  device().upload(*hidden, 0, bytes);
  device().hide(*hidden);
  device().reveal(*hidden);
  device().download(got, *hidden, 0);
  device().hide(*hidden);
  EXPECT_EQ(got, bytes);
}

// Internal linkage, so that the module's symbol is local; the first one is never read.
constexpr const char* kKeeps = R"(
static __device__ int debug;
namespace {
__device__ int turns = 5;
}
extern "C" __global__ void fine(int* to) {
  static __device__ int inner = 1;
  debug = 7;
  *to = 100 * inner++ + turns++;
}
)";

TEST_F(CudaDeviceTest, ModuleVariablesAreAsAfterLoadingUnlessTheyAreKept) {
  const auto to = device().allocate(4, "to");
  DeviceLaunch launch = launch_of("fine");
  launch.module = device().load(compile(kKeeps)).module;
  ASSERT_NE(launch.module, nullptr);
  EXPECT_EQ(launch.module->unrestorable_state(), "");
  const std::uint64_t address = to->address();
  std::memcpy(launch.arguments.back().data(), &address, sizeof address);
  const auto result_of = [&](bool keep) {
    LaunchLimits limits;
    limits.time = std::chrono::milliseconds(5000);
    limits.keep_state = keep;
    EXPECT_EQ(device().launch(std::span(&launch, 1), limits).status, Status::kOk);
    int got = 0;
    device().download(std::as_writable_bytes(std::span(&got, 1)), *to, 0);
    return got;
  };
  EXPECT_EQ(result_of(false), 105);
  EXPECT_EQ(result_of(true), 206);
  EXPECT_EQ(result_of(false), 105);
  const std::vector<KeptVariable> kept = device().kept_state(std::span(&launch, 1));
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_THAT(kept[0].name + kept[1].name, AllOf(HasSubstr("turns"), HasSubstr("inner")));
}

TEST_F(CudaDeviceTest, ALaunchRunsAndIsTimed) {
  const LaunchResult result = run(launch_of("fine", 64));
  EXPECT_EQ(result.status, Status::kOk) << result.reason;
  EXPECT_GT(result.elapsed_us, 0);
  std::vector<int> got(64);
  device().download(std::as_writable_bytes(std::span(got)), *buffer, 0);
  EXPECT_EQ(got[63], 63);
}

TEST_F(CudaDeviceTest, SharedMemoryAbove48KiBIsOptedInto) {
  DeviceLaunch launch = launch_of("big", 32);
  launch.dynamic_shared = static_cast<std::uint32_t>(device().info().max_shared_per_block);
  EXPECT_EQ(run(launch).status, Status::kOk);
  launch.dynamic_shared += 1024;
  const LaunchResult refused = run(launch);
  EXPECT_EQ(refused.status, Status::kLaunchFailed);
  EXPECT_FALSE(refused.device_lost);
  EXPECT_THAT(refused.reason, HasSubstr("CUDA_ERROR_INVALID_VALUE"));
}

TEST_F(CudaDeviceTest, ALaunchThatIsRefusedDoesNotLoseTheDevice) {
  DeviceLaunch launch = launch_of("fine");
  launch.block = {2048, 1, 1};
  const LaunchResult refused = run(launch);
  EXPECT_EQ(refused.status, Status::kLaunchFailed);
  EXPECT_FALSE(refused.device_lost);
  launch.block = {1, 1, 1};
  EXPECT_EQ(run(launch).status, Status::kOk);
}

TEST_F(CudaDeviceTest, ModulesKnowTheirEntries) {
  const DeviceLaunch launch = launch_of("fine");
  EXPECT_GT(launch.module->resources("fine")->registers, 0);
  EXPECT_FALSE(launch.module->resources("other").has_value());
  const std::vector<std::size_t> sizes = launch.module->parameter_sizes("fine");
  if (!sizes.empty()) {
    EXPECT_EQ(sizes, std::vector<std::size_t>{8});
  }
}

TEST_F(CudaDeviceTest, AnImageThatIsNoneIsInvalid) {
  CompileResult compiled;
  compiled.ok = true;
  compiled.ptx = "this is not PTX";
  const Device::Loaded loaded = device().load(compiled);
  EXPECT_EQ(loaded.module, nullptr);
  EXPECT_EQ(loaded.failure.status, Status::kInvalid) << loaded.failure.reason;
}

struct ModeCase {
  TimingMode mode;
  const char* protocol;
  bool has_floor;
};
class CudaTimingTest : public CudaDeviceTest, public ::testing::WithParamInterface<ModeCase> {};

TEST_P(CudaTimingTest, SamplesAndFloorArePlausible) {
  TimingRequest request;
  request.mode = GetParam().mode;
  request.rotation = {LaunchSequence{launch_of("fine", 64)}};
  const auto plan = device().plan_timing(std::move(request));
  for (const int wanted : {7, 20}) {
    const Samples samples = plan->take(wanted, std::chrono::milliseconds(2000));
    ASSERT_EQ(samples.status, Status::kOk) << samples.reason;
    EXPECT_EQ(samples.elapsed_us.size(), static_cast<std::size_t>(wanted));
    EXPECT_EQ(samples.protocol, GetParam().protocol);
    EXPECT_EQ(samples.floor_us > 0.2, GetParam().has_floor) << samples.floor_us;
    EXPECT_LT(samples.floor_us, 30);
    for (const double sample : samples.elapsed_us) EXPECT_GT(sample, 0.2);
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryMode, CudaTimingTest,
    ::testing::Values(ModeCase{TimingMode::kCold, "cold-graph-3-one-input-set", true},
                      ModeCase{TimingMode::kHot, "hot-graph-1", false},
                      ModeCase{TimingMode::kSlope, "slope-graph-2", true},
                      ModeCase{TimingMode::kEndToEnd, "end-to-end-1", false},
                      ModeCase{TimingMode::kEndToEndUncached, "end-to-end-uncached-1", false}),
    [](const auto& test) {
      std::string name = test.param.protocol;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST_F(CudaDeviceTest, ASequenceTakesLongerThanOneLaunch) {
  const auto first_sample = [&](std::size_t launches) {
    TimingRequest request;
    request.rotation = {LaunchSequence(launches, launch_of("fine", 64))};
    const Samples samples =
        device().plan_timing(std::move(request))->take(1, std::chrono::milliseconds(2000));
    EXPECT_EQ(samples.status, Status::kOk) << samples.reason;
    return samples.elapsed_us.at(0);
  };
  EXPECT_GT(first_sample(50), 5 * first_sample(1));
}

TEST_F(CudaDeviceTest, TheStateSaysClockPowerAndTemperature) {
  device().warm_up();
  const DeviceState state = device().state();
  EXPECT_GT(state.sm_clock_mhz, 0);
  EXPECT_GT(state.memory_clock_mhz, 0);
  EXPECT_GT(state.temperature_c, 0);
}

TEST_F(CudaDeviceTest, ATrialOfTheTinyKernelIsOk) {
  const TinyKernel files;
  const KernelSpec kernel = files.read();
  TrialRunner runner(kernel, device(), tiny_options());
  const auto compiled_for = [&](const std::map<std::string, Value>& problem) {
    return nvrtc->compile(
        make_compile_job(kernel, tiny_configuration(), problem, device().info(), {}));
  };
  const std::map<std::string, Value> problem = tiny_problem(1000, 4099);
  const Outcome outcome = runner.run(tiny_configuration(), problem, compiled_for(problem), {});
  EXPECT_EQ(outcome.status, Status::kOk) << outcome.reason;
  ASSERT_TRUE(outcome.time.has_value());
  EXPECT_EQ(outcome.time->protocol, "cold-graph-3");
  EXPECT_NEAR(outcome.time->raw_median_us - outcome.time->floor_us, outcome.time->median_us, 1e-9);
  EXPECT_GT(outcome.validity.blocks, 0);
  EXPECT_LE(outcome.time->ci_low_us, outcome.time->median_us);
  // More are taken for 10 ms, which a busy host may need for fewer than usual.
  EXPECT_GE(outcome.samples_us.size(), ScreeningLimits{}.first_samples);
}

TEST_F(CudaDeviceTest, AWritePastAnOutputIsFoundByItsGuardZone) {
  TinyKernel files;
  files.source = R"(extern "C" __global__ void twice(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= count) y[i] = 2 * x[i < count ? i : 0];
}
)";
  const KernelSpec kernel = files.read();
  TrialRunner runner(kernel, device(), tiny_options());
  const std::map<std::string, Value> problem = tiny_problem(3, 7);
  const CompileJob job =
      make_compile_job(kernel, tiny_configuration(), problem, device().info(), {});
  const Outcome outcome = runner.run(tiny_configuration(), problem, nvrtc->compile(job), {});
  EXPECT_EQ(outcome.status, Status::kWrongResult);
  EXPECT_EQ(outcome.reason, "wrote outside of 'y': 0 bytes past its end of 84 bytes");
}

// A lost device ends with its process: the child reports its observations through its exit code,
// without unwinding.
class CudaDeviceDeathTest : public CudaDeviceTest {
 protected:
  CudaDeviceDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  [[noreturn]] static void exit_with(bool as_expected, const std::string& what) {
    (void)!::write(STDERR_FILENO, what.data(), what.size());
    ::_exit(as_expected ? 0 : 1);
  }
};

TEST_F(CudaDeviceDeathTest, AnIllegalAddressLosesTheDevice) {
  const auto child = [&] {
    const LaunchResult result = run(launch_of("illegal"));
    exit_with(result.status == Status::kLaunchFailed && result.device_lost, result.reason);
  };
  EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_F(CudaDeviceDeathTest, AnIllegalAddressWhileSamplingLosesTheDevice) {
  const auto child = [&] {
    TimingRequest request;
    request.rotation = {LaunchSequence{launch_of("illegal")}};
    const Samples samples =
        device().plan_timing(std::move(request))->take(5, std::chrono::milliseconds(2000));
    exit_with(samples.status == Status::kLaunchFailed && samples.device_lost, samples.reason);
  };
  EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

TEST_F(CudaDeviceDeathTest, AHangingKernelTimesOut) {
  const auto child = [&] {
    const auto start = std::chrono::steady_clock::now();
    const LaunchResult result = run(launch_of("hang"), 500);
    const auto waited = std::chrono::steady_clock::now() - start;
    exit_with(result.status == Status::kTimeout && result.device_lost &&
                  waited < std::chrono::seconds(30),
              result.reason);
  };
  EXPECT_EXIT(child(), ::testing::ExitedWithCode(0), "hang .* did not finish within 500 ms");
}

}  // namespace
}  // namespace warpwright::testing
