#include "bench/profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "device/emulated_report.h"
#include "trial/data/input_content.h"
#include "trial/data/problem_data.h"
#include "trial/launch/launch_plan.h"
#include "trial/launch/tensor_map_plan.h"
#include "trial/numbers/fill.h"

namespace warpwright {
namespace {

constexpr std::uint64_t kInstructionLimit = 20'000'000'000;
// The content of outputs and scratch before a launch: a NaN in every type.
constexpr int kUnwritten = 0xff;

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

using Addresses = std::map<std::string, std::uint64_t>;

// Lays out the arguments as the entry expects them. Returns false when they do not fit.
bool lay_out(const emu::Module::Entry& entry, const std::vector<std::vector<std::byte>>& arguments,
             std::vector<std::byte>& buffer) {
  if (entry.parameters.size() != arguments.size()) return false;
  buffer.assign(entry.parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (entry.parameters[i].size != arguments[i].size()) return false;
    std::copy(arguments[i].begin(), arguments[i].end(),
              buffer.begin() + static_cast<std::ptrdiff_t>(entry.parameters[i].offset));
  }
  return true;
}

}  // namespace

double Profile::modelled_us() const {
  double sum = 0;
  for (const ProfiledLaunch& launch : launches) sum += launch.modelled.total_us;
  return sum;
}

struct Profiler::Impl {
  Impl(const KernelSpec& the_kernel, Problem the_problem, const DeviceInfo& the_info,
       std::uint64_t the_seed, const Reference& reference)
      : kernel(the_kernel), problem(std::move(the_problem)), info(the_info), seed(the_seed) {
    constexpr std::string_view kEmulated = "emu:";
    const std::optional<emu::DeviceModel> found =
        info.id.starts_with(kEmulated) ? emu::find_model(info.id.substr(kEmulated.size()))
                                       : std::nullopt;
    if (info.has_clock || !found)
      throw user_error(fmt::format("{} is not an emulated device", info.id));
    model = *found;
    const Environment environment = trial_environment(kernel, {}, problem, info);
    const std::map<std::string, InputContent> inputs =
        make_inputs(kernel, {problem, environment, {}, {}, seed, reference});
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (!is_problem_array(argument.role)) continue;
      const TensorPlan plan = plan_tensor(argument, environment);
      const std::uint64_t address = memory.allocate(plan.bytes, argument.name);
      arrays[argument.name] = address;
      if (plan.bytes == 0) continue;
      std::byte* content = memory.host_view(address, plan.bytes);
      if (argument.role == ArgumentRole::kOut) {
        std::memset(content, kUnwritten, plan.bytes);
        continue;
      }
      std::memcpy(content, inputs.at(argument.name).bytes.data(), plan.bytes);
      if (argument.role == ArgumentRole::kInOut)
        given[argument.name].assign(content, content + plan.bytes);
    }
  }

  // Several launches of one configuration share their scratch.
  std::uint64_t address_of(const ArgumentSpec& argument, const Environment& environment,
                           Addresses& scratch) {
    if (const auto known = arrays.find(argument.name); known != arrays.end()) return known->second;
    if (const auto shared = scratch.find(argument.name); shared != scratch.end())
      return shared->second;
    const TensorPlan plan = plan_tensor(argument, environment);
    const std::uint64_t address = memory.allocate(plan.bytes, argument.name);
    std::byte* content = memory.host_view(address, plan.bytes);
    if (argument.fill.empty()) {
      std::memset(content, kUnwritten, plan.bytes);
    } else {
      Fill::parse(argument.fill, argument.fill_where, environment)
          .generate({plan.dtype, plan.shape, argument.name, seed}, {content, plan.bytes});
    }
    scratch[argument.name] = address;
    return address;
  }

  void release(Addresses& scratch) {
    for (const auto& [name, address] : scratch) memory.release(address);
    scratch.clear();
  }

  std::vector<std::byte> argument_bytes(const ArgumentSpec& argument,
                                        const Environment& environment, Addresses& scratch) {
    if (argument.role == ArgumentRole::kValue) return value_bytes(argument, environment);
    if (argument.map) {
      TensorMapPlan plan = plan_tensor_map(kernel, argument, environment);
      const ArgumentSpec& array = *kernel.find_argument(argument.map->tensor);
      plan.request.address += address_of(array, environment, scratch);
      const TensorMapBytes encoded = encode_emulated(plan.request);
      return {encoded.begin(), encoded.end()};
    }
    const std::uint64_t address = address_of(argument, environment, scratch);
    std::vector<std::byte> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
  }

  Profile launch_all(const emu::Module& module, const Configuration& configuration,
                     const CompileResult& compiled, const ProfileOptions& options,
                     Addresses& scratch) {
    emu::LaunchOptions limits;
    limits.instruction_limit = kInstructionLimit;
    limits.count_lines = options.count_lines;
    limits.sample_blocks = options.sample_blocks;
    limits.observe = options.observe;
    const Environment environment = trial_environment(kernel, configuration, problem, info);
    Profile profile;
    for (const PlannedLaunch& plan :
         plan_launches(kernel, variant_of(kernel, configuration), environment)) {
      emu::Launch launch;
      launch.module = &module;
      launch.entry = compiled.symbol(plan.entry);
      launch.grid = narrow(plan.grid);
      launch.block = narrow(plan.block);
      launch.cluster = narrow(plan.cluster);
      launch.dynamic_shared_bytes = static_cast<std::uint32_t>(plan.shared_bytes);
      for (const ArgumentSpec* variable : plan.symbols)
        launch.variables.push_back({compiled.symbol(variable->symbol),
                                    address_of(*variable, environment, scratch),
                                    plan_tensor(*variable, environment).bytes});
      if (const KernelResources* known = compiled.find(plan.entry))
        launch.registers_per_thread = known->registers;
      std::vector<std::vector<std::byte>> arguments;
      for (const ArgumentSpec* argument : plan.arguments)
        arguments.push_back(argument_bytes(*argument, environment, scratch));
      const emu::Module::Entry* entry = module.find(launch.entry);
      if (entry == nullptr || !lay_out(*entry, arguments, launch.parameters)) {
        return failed(Status::kInvalid,
                      fmt::format("entry '{}' does not take the arguments of the contract; "
                                  "`warpwright sweep` says which",
                                  plan.entry));
      }
      emu::LaunchReport report = emu::run(memory, model, launch, limits);
      if (report.fault) {
        profile.status = status_of(*report.fault);
        profile.reason = fault_reason(*report.fault);
        return profile;
      }
      ProfiledLaunch done;
      done.entry = plan.entry;
      done.grid = launch.grid;
      done.block = launch.block;
      done.cluster = launch.cluster;
      done.dynamic_shared = launch.dynamic_shared_bytes;
      if (const KernelResources* known = compiled.find(plan.entry)) done.resources = *known;
      done.modelled =
          emu::model_time(model, entry_resources(done.resources), launch, report.counters);
      done.counters = report.counters;
      done.lines = std::move(report.lines);
      done.observation = std::move(report.observation);
      if (done.observation != nullptr)
        done.arguments = argument_uses(kernel, plan.arguments, environment, *done.observation);
      profile.launches.push_back(std::move(done));
    }
    return profile;
  }

  const KernelSpec& kernel;
  Problem problem;
  DeviceInfo info;
  std::uint64_t seed;
  emu::DeviceModel model;
  emu::GlobalMemory memory;
  Addresses arrays;
  std::map<std::string, std::vector<std::byte>> given;  // content of in-out arrays
};

Profiler::Profiler(const KernelSpec& kernel, Problem problem, const DeviceInfo& device,
                   std::uint64_t seed, const Reference& reference)
    : impl_(std::make_unique<Impl>(kernel, std::move(problem), device, seed, reference)) {}

Profiler::~Profiler() = default;

Profile Profiler::run(const Configuration& configuration, const CompileResult& compiled,
                      const ProfileOptions& options) {
  if (!compiled.ok) return failed(Status::kCompileFailed, compiled.failure);
  if (const auto impossible = reject_impossible_launch(impl_->kernel, configuration, impl_->problem,
                                                       impl_->info, compiled))
    return failed(impossible->status, impossible->reason);
  for (const auto& [name, content] : impl_->given)
    std::copy(content.begin(), content.end(),
              impl_->memory.host_view(impl_->arrays.at(name), content.size()));
  Addresses scratch;
  Profile profile;
  try {
    const auto module = emu::Module::parse(compiled.ptx, "kernel");
    profile = impl_->launch_all(*module, configuration, compiled, options, scratch);
    // A later launch may need data that the omitted blocks would have written.
    if (profile.status != Status::kOk && !profile.launches.empty() && options.sample_blocks != 0) {
      ProfileOptions whole = options;
      whole.sample_blocks = 0;
      impl_->release(scratch);  // and with it the data that the sampled blocks left there
      profile = impl_->launch_all(*module, configuration, compiled, whole, scratch);
    }
  } catch (const emu::UnsupportedPtx& unsupported) {
    profile = failed(Status::kInvalid, unsupported.what());
  }
  impl_->release(scratch);
  return profile;
}

}  // namespace warpwright
