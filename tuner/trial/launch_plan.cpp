#include "trial/launch_plan.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/suggest.h"
#include "trial/data/fill.h"
#include "trial/tensor_map_plan.h"

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

std::optional<std::string> broken_constraint(const KernelSpec& kernel,
                                             const Configuration& configuration,
                                             const Problem& problem, const DeviceInfo& device) {
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  for (const auto* constraints :
       {&kernel.constraints, &variant_of(kernel, configuration).constraints}) {
    for (const ConstraintSpec& constraint : *constraints) {
      if (constraint.expr.evaluate_bool(environment)) continue;
      const SourcePosition& where = constraint.expr.where();
      return fmt::format("{}the constraint '{}' does not hold{}",
                         where.known() ? where.to_string() + ": " : "", constraint.expr.to_string(),
                         constraint.because.empty() ? "" : ": " + constraint.because);
    }
  }
  return std::nullopt;
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

}  // namespace warpwright
