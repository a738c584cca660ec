#include "trial/launch/launch_plan.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/words.h"
#include "trial/launch/tensor_map_plan.h"
#include "trial/numbers/fill.h"

namespace warpwright {
namespace {

std::array<std::int64_t, 3> extents(const std::vector<Expr>& expressions,
                                    const Environment& environment) {
  std::array<std::int64_t, 3> values{1, 1, 1};
  for (std::size_t i = 0; i < expressions.size() && i < values.size(); ++i) {
    values[i] = expressions[i].evaluate_integer(environment);
  }
  return values;
}

constexpr std::int64_t kMaxGridX = 2147483647;
constexpr std::int64_t kMaxGridYZ = 65535;
constexpr std::int64_t kMaxBlockXY = 1024;
constexpr std::int64_t kMaxBlockZ = 64;
constexpr std::int64_t kMaxCluster = 16;
constexpr int kClusterCapability = 90;
constexpr std::string_view kAxes = "xyz";

std::int64_t align_up(std::int64_t value, std::int64_t to) { return (value + to - 1) / to * to; }

bool is_simple(const std::string& text) {
  return text.find_first_of(" +-*/%<>=&|?:") == std::string::npos;
}

std::string operand(const Expr& expr) {
  const std::string text = expr.to_string();
  return is_simple(text) ? text : "(" + text + ")";
}

// "THREADS" or "BX * (BY + 1)".
std::string product(const std::vector<Expr>& extents) {
  if (extents.size() == 1) return extents.front().to_string();
  std::string text;
  for (const Expr& extent : extents) text += (text.empty() ? "" : " * ") + operand(extent);
  return text;
}

// A failure for which no constraint can be suggested.
FailureReason exceeded(std::string what) {
  return {std::move(what), {FailureCode::kLaunchLimit, ""}};
}

std::optional<FailureReason> check_extents(const PlannedLaunch& launch) {
  const auto check =
      [&](std::string_view what, const std::array<std::int64_t, 3>& values,
          const std::vector<Expr>& expressions,
          const std::array<std::int64_t, 3>& limits) -> std::optional<FailureReason> {
    for (std::size_t i = 0; i < expressions.size() && i < 3; ++i) {
      const std::string text = expressions[i].to_string();
      if (values[i] < 1) {
        return limited(fmt::format("{}.{} is {} (from '{}'), which is not positive", what, kAxes[i],
                                   values[i], text),
                       operand(expressions[i]) + " >= 1");
      }
      if (values[i] > limits[i]) {
        return limited(fmt::format("{}.{} is {} (from '{}'), the limit is {}", what, kAxes[i],
                                   values[i], text, limits[i]),
                       fmt::format("{} <= {}", operand(expressions[i]), limits[i]));
      }
    }
    return std::nullopt;
  };
  const LaunchSpec& spec = *launch.spec;
  if (auto wrong = check("block", launch.block, spec.block, {kMaxBlockXY, kMaxBlockXY, kMaxBlockZ}))
    return wrong;
  if (auto wrong =
          check("cluster", launch.cluster, spec.cluster, {kMaxCluster, kMaxCluster, kMaxCluster}))
    return wrong;
  return check("grid", launch.grid, spec.grid, {kMaxGridX, kMaxGridYZ, kMaxGridYZ});
}

std::optional<FailureReason> check_threads(const PlannedLaunch& launch, const DeviceInfo& device) {
  if (launch.threads() <= device.max_threads_per_block) return std::nullopt;
  const std::string threads = product(launch.spec->block);
  return limited(fmt::format("a block of {} threads exceeds the device's {}", launch.threads(),
                             device.max_threads_per_block),
                 threads + " <= device.max_threads");
}

std::optional<FailureReason> check_cluster(const PlannedLaunch& launch, const DeviceInfo& device) {
  const std::int64_t blocks = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
  if (blocks == 1) return std::nullopt;
  if (device.compute_capability < kClusterCapability) {
    return limited(fmt::format("clusters need compute capability 9.0, the device has {}.{}",
                               device.compute_capability / 10, device.compute_capability % 10),
                   "device.compute_capability >= 90");
  }
  if (blocks > kMaxCluster) {
    return limited(
        fmt::format("a cluster of {} blocks exceeds the limit of {}", blocks, kMaxCluster),
        fmt::format("{} <= {}", product(launch.spec->cluster), kMaxCluster));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (launch.grid[i] % launch.cluster[i] == 0) continue;
    std::string what = fmt::format("grid.{} is {}, which is not a multiple of cluster.{} {}",
                                   kAxes[i], launch.grid[i], kAxes[i], launch.cluster[i]);
    if (i >= launch.spec->grid.size() || i >= launch.spec->cluster.size())
      return exceeded(std::move(what));
    return limited(what, fmt::format("{} % {} == 0", operand(launch.spec->grid[i]),
                                     operand(launch.spec->cluster[i])));
  }
  return std::nullopt;
}

std::optional<FailureReason> check_shared(const PlannedLaunch& launch, const DeviceInfo& device,
                                          const KernelResources* resources) {
  const std::int64_t fixed = resources == nullptr ? 0 : resources->static_shared;
  const std::string expression = launch.spec->shared_bytes.to_string();
  if (launch.shared_bytes < 0) {
    return exceeded(fmt::format("dynamic shared memory is {} B (from '{}'), which is negative",
                                launch.shared_bytes, expression));
  }
  const std::int64_t total = fixed + launch.shared_bytes;
  if (total <= device.max_shared_per_block) return std::nullopt;
  std::string text = fmt::format("shared memory {} B exceeds the device's {} B", total,
                                 device.max_shared_per_block);
  if (fixed != 0) text += fmt::format(" ({} B static, {} B dynamic)", fixed, launch.shared_bytes);
  if (launch.shared_bytes == 0)
    return exceeded(text + "; make the kernel's __shared__ arrays smaller");
  const std::string addend = fixed == 0 ? "" : fmt::format(" + {}", fixed);
  return limited(text, expression + addend + " <= device.max_shared");
}

// Registers are allocated per warp in units of 256, to warps in multiples of the SM's four
// partitions.
std::optional<FailureReason> check_registers(const PlannedLaunch& launch, const DeviceInfo& device,
                                             const KernelResources* resources) {
  constexpr std::int64_t kUnit = 256;
  constexpr std::int64_t kPartitions = 4;
  if (resources == nullptr || resources->registers == 0) return std::nullopt;
  const std::int64_t warps = (launch.threads() + device.warp_size - 1) / device.warp_size;
  const std::int64_t per_warp =
      align_up(std::int64_t{resources->registers} * device.warp_size, kUnit);
  const std::int64_t total = align_up(warps, kPartitions) * per_warp;
  if (total <= device.registers_per_block) return std::nullopt;
  const std::int64_t fitting =
      device.registers_per_block / per_warp / kPartitions * kPartitions * device.warp_size;
  return limited(
      fmt::format("{} threads of {} registers need {} registers, the device has {} per block",
                  launch.threads(), resources->registers, total, device.registers_per_block),
      fmt::format("{} <= {}", product(launch.spec->block), fitting),
      fmt::format(", or give the kernel __launch_bounds__({})", launch.threads()));
}

std::optional<FailureReason> check_stack(const KernelResources* resources) {
  constexpr std::int64_t kMax = 512 * 1024;  // on every architecture
  if (resources == nullptr || resources->stack <= kMax) return std::nullopt;
  return exceeded(fmt::format(
      "{} B of local memory per thread exceed the {} B that a thread can have; make the kernel's "
      "local arrays smaller, or give it a scratch argument",
      resources->stack, kMax));
}

}  // namespace

Environment trial_environment(const KernelSpec& kernel, const Configuration& configuration,
                              const Problem& problem, const DeviceInfo& device) {
  Environment environment;
  for (const auto& [limit, value] : device.limits()) environment.set("device." + limit, value);
  for (const ParameterSpec& parameter : kernel.parameters)
    environment.set(parameter.name, parameter.default_value);
  for (const auto& [name, value] : problem) environment.set(name, value);
  for (const auto& [name, value] : configuration.values) environment.set(name, value);
  return environment;
}

Problem shaped_problem(const KernelSpec& kernel, const Configuration& configuration,
                       const Problem& problem) {
  Problem shaped = problem;
  for (const std::string& name : kernel.shaping) {
    const auto given = configuration.values.find(name);
    shaped[name] = given != configuration.values.end() ? given->second
                                                       : kernel.find_parameter(name)->default_value;
  }
  return shaped;
}

double units_of_work(const KernelSpec& kernel, const Environment& environment) {
  if (!kernel.work.per) return 1;
  const double units = kernel.work.per->evaluate_real(environment);
  if (std::isfinite(units) && units > 0) return units;
  throw user_error(
      kernel.work.per->where(),
      fmt::format("work.per: '{}' is {}, expected more than 0", kernel.work.per->text(), units));
}

const VariantSpec& variant_of(const KernelSpec& kernel, const Configuration& configuration) {
  if (const VariantSpec* variant = kernel.find_variant(configuration.variant)) return *variant;
  std::vector<std::string> known;
  for (const VariantSpec& variant : kernel.variants) known.push_back(variant.name);
  throw user_error(fmt::format("kernel '{}' has no variant '{}'{}", kernel.name,
                               configuration.variant, suggestion(configuration.variant, known)));
}

std::optional<Error> constraint_error(const KernelSpec& kernel, const Configuration& configuration,
                                      const Problem& problem, const DeviceInfo& device) {
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  for (const auto* constraints :
       {&kernel.constraints, &variant_of(kernel, configuration).constraints}) {
    for (const ConstraintSpec& constraint : *constraints) {
      if (constraint.expr.evaluate_bool(environment)) continue;
      return user_error(
          constraint.expr.where(),
          fmt::format("the constraint '{}' does not hold{}", constraint.expr.to_string(),
                      constraint.because.empty() ? "" : ": " + constraint.because));
    }
  }
  return std::nullopt;
}

std::optional<std::string> broken_constraint(const KernelSpec& kernel,
                                             const Configuration& configuration,
                                             const Problem& problem, const DeviceInfo& device) {
  const auto error = constraint_error(kernel, configuration, problem, device);
  return error ? std::optional(error->message()) : std::nullopt;
}

std::vector<PlannedLaunch> plan_launches(const KernelSpec& kernel, const VariantSpec& variant,
                                         const Environment& environment) {
  std::vector<PlannedLaunch> plan;
  for (const LaunchSpec& spec : variant.launches) {
    PlannedLaunch launch;
    launch.spec = &spec;
    launch.entry = spec.entry.evaluate(environment);
    launch.grid = extents(spec.grid, environment);
    launch.block = extents(spec.block, environment);
    launch.cluster = extents(spec.cluster, environment);
    launch.shared_bytes = spec.shared_bytes.evaluate_integer(environment);
    const auto pass = [&launch](const ArgumentSpec& argument) {
      (argument.symbol.empty() ? launch.arguments : launch.symbols).push_back(&argument);
    };
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (spec.arguments.empty()) pass(argument);
    }
    for (const std::string& name : spec.arguments) {
      for (const ArgumentSpec& argument : kernel.arguments) {
        if (argument.name == name) pass(argument);
      }
    }
    plan.push_back(std::move(launch));
  }
  return plan;
}

bool is_problem_array(ArgumentRole role) {
  return role == ArgumentRole::kIn || role == ArgumentRole::kOut || role == ArgumentRole::kInOut;
}

bool is_validated(ArgumentRole role) {
  return role == ArgumentRole::kOut || role == ArgumentRole::kInOut;
}

bool accepts(const ArgumentSpec& argument, RemarkCode code, const Environment& environment) {
  const auto accepted = argument.accepts.find(code);
  return accepted != argument.accepts.end() && accepted->second.evaluate_bool(environment);
}

DType argument_dtype(const ArgumentSpec& argument, const Environment& environment) {
  std::string name = argument.dtype.empty() ? "i32" : argument.dtype;
  if (const Value* choice = environment.find(name); choice != nullptr && choice->is_string()) {
    name = choice->as_string();
  }
  if (const std::optional<DType> dtype = parse_dtype(name)) return *dtype;
  throw user_error(argument.where,
                   fmt::format("argument '{}': unknown dtype '{}'", argument.name, name));
}

std::vector<std::byte> value_bytes(const ArgumentSpec& argument, const Environment& environment) {
  const DType dtype = argument_dtype(argument, environment);
  const Value value = argument.value.evaluate(environment);
  if (!value.is_number()) {
    throw user_error(argument.value.where(),
                     fmt::format("argument '{}' needs a number, got the string '{}'", argument.name,
                                 value.to_string()));
  }
  std::vector<std::byte> bytes(dtype_size(dtype));
  const double number = value.as_real();
  store_element(dtype, bytes.data(), 0, number);
  if (is_floating(dtype)) return bytes;
  // A size that wrapped would launch a kernel on another problem than the one that is validated.
  if (value.is_real() || load_element(dtype, bytes.data(), 0) != number) {
    throw user_error(argument.value.where(),
                     fmt::format("argument '{}': the value {} does not fit {}; declare `dtype: {}`",
                                 argument.name, value.to_string(), dtype_name(dtype),
                                 value.is_real() ? "f32" : "i64"));
  }
  // Through double, large 64-bit integers would lose their last bits.
  const std::int64_t exact = value.as_integer();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(exact >> (8 * i));
  return bytes;
}

std::string launch_identity(const KernelSpec& kernel, const Configuration& configuration,
                            const Problem& problem, const DeviceInfo& device) {
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  std::string text;
  if (!kernel.shaping.empty()) {
    const Problem shaped = shaped_problem(kernel, configuration, problem);
    for (const std::string& name : kernel.shaping)
      text += fmt::format("{}={} ", name, shaped.at(name).to_string());
  }
  const auto add_argument = [&](const ArgumentSpec& argument) {
    text += argument.name;
    if (argument.role == ArgumentRole::kValue) {
      for (const std::byte byte : value_bytes(argument, environment))
        text += fmt::format(" {:02x}", static_cast<unsigned>(byte));
    }
    if (argument.map) text += describe_tensor_map(plan_tensor_map(kernel, argument, environment));
    for (const Expr& axis : argument.shape)
      text += fmt::format(" {}", axis.evaluate_integer(environment));
    if (is_validated(argument.role)) {
      text += fmt::format(" {} {} {}", argument.tolerance_abs.evaluate_real(environment),
                          argument.tolerance_rel.evaluate_real(environment),
                          argument.tolerance_rms.evaluate_real(environment));
      // These are added only when present, so that the identity of launches without them does not
      // change.
      if (const auto& sum = argument.tolerance_accumulate)
        text += fmt::format(" accumulate {} {}", sum->terms.evaluate_real(environment), sum->in);
      if (argument.mismatches)
        text += fmt::format(" mismatches {}", argument.mismatches->evaluate_real(environment));
    }
    // For other arrays the fill is the same for every configuration.
    if (argument.role == ArgumentRole::kScratch && !argument.fill.empty())
      text += ' ' + Fill::parse(argument.fill, argument.fill_where, environment).to_string();
    text += '\n';
  };
  for (const PlannedLaunch& launch :
       plan_launches(kernel, variant_of(kernel, configuration), environment)) {
    text += fmt::format("{} grid {} block {} cluster {} shared {}\n", launch.entry,
                        fmt::join(launch.grid, "x"), fmt::join(launch.block, "x"),
                        fmt::join(launch.cluster, "x"), launch.shared_bytes);
    for (const ArgumentSpec* argument : launch.arguments) add_argument(*argument);
    for (const ArgumentSpec* symbol : launch.symbols) {
      text += symbol->symbol + ' ';
      add_argument(*symbol);
    }
  }
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (is_validated(argument.role)) add_argument(argument);
  }
  return text;
}

// Launches that a device cannot run, and the constraint that would have excluded them from the
// space.

FailureReason limited(const std::string& what, const std::string& constraint,
                      const std::string& otherwise) {
  FailureDetail detail{FailureCode::kLaunchLimit, constraint};
  detail.advice = fmt::format("; add a constraint such as \"{}\"{}", constraint, otherwise);
  return {what + detail.advice, detail};
}

std::optional<FailureReason> impossible_launch(const PlannedLaunch& launch,
                                               const DeviceInfo& device,
                                               const KernelResources* resources) {
  if (auto reason = check_extents(launch)) return reason;
  if (auto reason = check_threads(launch, device)) return reason;
  if (auto reason = check_cluster(launch, device)) return reason;
  if (auto reason = check_shared(launch, device, resources)) return reason;
  if (auto reason = check_stack(resources)) return reason;
  return check_registers(launch, device, resources);
}

std::optional<Outcome> reject_impossible_launch(const KernelSpec& kernel,
                                                const Configuration& configuration,
                                                const Problem& problem, const DeviceInfo& device,
                                                const CompileResult& compiled) {
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  const VariantSpec& variant = variant_of(kernel, configuration);
  for (const PlannedLaunch& launch : plan_launches(kernel, variant, environment)) {
    const KernelResources* resources = compiled.find(launch.entry);
    std::optional<FailureReason> reason;
    if (resources == nullptr && !compiled.resources.empty()) {
      std::vector<std::string> entries;
      for (const KernelResources& known : compiled.resources) entries.push_back(known.entry);
      reason = FailureReason(fmt::format("{} has no entry '{}'; it defines {}",
                                         variant.source.filename().string(), launch.entry,
                                         fmt::join(entries, ", ")));
    } else {
      reason = impossible_launch(launch, device, resources);
      for (const ArgumentSpec* argument : launch.arguments) {
        if (!reason && argument->map)
          reason = impossible_tensor_map(kernel, *argument, environment, device);
      }
    }
    if (!reason) continue;
    Outcome outcome;
    outcome.status = Status::kInvalid;
    outcome.reason = variant.launches.size() == 1
                         ? reason->text
                         : fmt::format("{}: {}", launch.entry, reason->text);
    outcome.detail = std::move(reason->detail);
    outcome.resources = compiled.resources;
    return outcome;
  }
  return std::nullopt;
}

}  // namespace warpwright
