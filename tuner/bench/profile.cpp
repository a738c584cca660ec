#include "bench/profile.h"

#include <cstring>

#include "core/error.h"
#include "trial/fill.h"
#include "trial/guarded_buffer.h"
#include "trial/launch_plan.h"
#include "trial/problem_data.h"
#include "trial/trial_runner.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kInstructionLimit = 20'000'000'000;
// What outputs and scratch hold before a launch: a NaN in every type.
constexpr std::uint32_t kUnwritten = 0xffffffffu;

std::array<std::uint32_t, 3> narrow(const std::array<std::int64_t, 3>& values) {
  return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
          static_cast<std::uint32_t>(values[2])};
}

Profile failed(Status status, std::string reason) {
  Profile profile;
  profile.status = status;
  profile.reason = std::move(reason);
  return profile;
}

using Buffers = std::map<std::string, std::unique_ptr<GuardedBuffer>>;

}  // namespace

double Profile::modelled_us() const {
  double sum = 0;
  for (const ProfiledLaunch& launch : launches) sum += launch.result.modelled_us;
  return sum;
}

struct Profiler::Impl {
  Impl(const KernelSpec& the_kernel, std::map<std::string, Value> the_problem, Device& the_device,
       std::uint64_t seed)
      : kernel(the_kernel), problem(std::move(the_problem)), device(the_device) {
    const Environment environment = trial_environment(kernel, {}, problem, device.info());
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (argument.role == ArgumentRole::kValue || argument.role == ArgumentRole::kScratch)
        continue;
      const TensorPlan plan = plan_tensor(argument, environment);
      auto buffer = std::make_unique<GuardedBuffer>(device, plan.bytes, argument.name);
      if (is_filled(argument)) {
        std::vector<std::byte> content(plan.bytes);
        Fill::parse(argument.fill, argument.fill_where, environment)
            .generate({plan.dtype, plan.shape, argument.name, seed}, content);
        buffer->upload(content);
        if (argument.role == ArgumentRole::kInOut) changing[argument.name] = std::move(content);
      }
      arrays[argument.name] = std::move(buffer);
    }
  }

  static bool is_filled(const ArgumentSpec& argument) {
    return argument.role == ArgumentRole::kIn || argument.role == ArgumentRole::kInOut;
  }

  // Several launches of one configuration share their scratch.
  std::vector<std::byte> argument_bytes(const ArgumentSpec& argument,
                                        const Environment& environment, Buffers& scratch) const {
    if (argument.role == ArgumentRole::kValue) return value_bytes(argument, environment);
    std::uint64_t address = 0;
    if (const auto known = arrays.find(argument.name); known != arrays.end()) {
      address = known->second->address();
    } else {
      std::unique_ptr<GuardedBuffer>& buffer = scratch[argument.name];
      if (!buffer) {
        buffer = std::make_unique<GuardedBuffer>(device, plan_tensor(argument, environment).bytes,
                                                 argument.name);
        buffer->poison(kUnwritten);
      }
      address = buffer->address();
    }
    std::vector<std::byte> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
  }

  const KernelSpec& kernel;
  std::map<std::string, Value> problem;
  Device& device;
  Buffers arrays;
  std::map<std::string, std::vector<std::byte>> changing;  // content of in-out arrays
};

Profiler::Profiler(const KernelSpec& kernel, std::map<std::string, Value> problem, Device& device,
                   std::uint64_t seed)
    : impl_(std::make_unique<Impl>(kernel, std::move(problem), device, seed)) {}

Profiler::~Profiler() = default;

Profile Profiler::run(const Configuration& configuration, const CompileResult& compiled,
                      const ProfileOptions& options) {
  if (!compiled.ok) return failed(Status::kCompileFailed, compiled.failure);
  const DeviceInfo& info = impl_->device.info();
  if (const auto impossible =
          reject_impossible_launch(impl_->kernel, configuration, impl_->problem, info, compiled))
    return failed(impossible->status, impossible->reason);
  const Device::Loaded loaded = impl_->device.load(compiled);
  if (!loaded.module) return failed(loaded.failure.status, loaded.failure.reason);

  for (const auto& [name, content] : impl_->changing) impl_->arrays.at(name)->upload(content);
  const Environment environment =
      trial_environment(impl_->kernel, configuration, impl_->problem, info);
  LaunchLimits limits;
  limits.emulated_instructions = kInstructionLimit;
  limits.count_lines = options.count_lines;
  limits.emulated_blocks = options.sample_blocks;
  Buffers scratch;
  Profile profile;
  for (const PlannedLaunch& plan :
       plan_launches(impl_->kernel, variant_of(impl_->kernel, configuration), environment)) {
    DeviceLaunch launch;
    launch.module = loaded.module;
    launch.entry = plan.spec->entry;
    launch.grid = narrow(plan.grid);
    launch.block = narrow(plan.block);
    launch.cluster = narrow(plan.cluster);
    launch.dynamic_shared = static_cast<std::uint32_t>(plan.shared_bytes);
    for (const ArgumentSpec* argument : plan.arguments)
      launch.arguments.push_back(impl_->argument_bytes(*argument, environment, scratch));
    ProfiledLaunch done{launch.entry, launch.grid, launch.block, launch.dynamic_shared, {}, {}};
    if (auto known = loaded.module->resources(launch.entry)) done.resources = *known;
    done.result = impl_->device.launch({&launch, 1}, limits);
    profile.status = done.result.status;
    profile.reason = done.result.reason;
    profile.launches.push_back(std::move(done));
    if (profile.status != Status::kOk) break;
  }
  return profile;
}

}  // namespace warpwright
