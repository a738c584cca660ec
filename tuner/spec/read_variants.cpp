// Reads the variants of kernel.yaml: a source, its parameters, and its launches.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/words.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

constexpr std::size_t kMaxLaunches = 100;

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The same for constraints, grids and blocks, which may depend on the device that runs them.
ExprScope variant_scope(const KernelSpec& kernel, const VariantSpec& variant) {
  ExprScope scope = compiled_scope(kernel, variant);
  scope.allow_device();
  return scope;
}

void check_options(const KernelSpec& kernel, const ExprScope& scope) {
  for (const CompileOption& option : kernel.options) option.check(scope);
}

// Looks up names in the contract's `parameters`, so that a typo cannot create a tunable that the
// source never uses.
std::vector<std::string> read_variant_parameters(const YamlReader& list, const KernelSpec& kernel) {
  std::vector<std::string> names;
  for (const YamlReader& item : list.items(1000)) {
    const std::string name = item.text();
    if (kernel.find_parameter(name) == nullptr) {
      std::vector<std::string> known;
      for (const ParameterSpec& parameter : kernel.parameters) known.push_back(parameter.name);
      throw item.error(fmt::format("unknown parameter '{}'{}", name, suggestion(name, known)));
    }
    if (contains(names, name)) {
      throw item.error(fmt::format("parameter '{}' is listed twice; remove one", name));
    }
    names.push_back(name);
  }
  return names;
}

// One to three extents; a single one needs no brackets.
std::vector<Expr> read_extents(const YamlReader& reader, const ExprScope& scope) {
  std::vector<Expr> extents;
  for (const YamlReader& item : reader.items_or_one()) {
    extents.push_back(item.expression());
    scope.check(extents.back());
  }
  if (extents.empty() || extents.size() > 3) {
    throw reader.error(fmt::format("got {} extents, expected 1 to 3 (x, y, z)", extents.size()));
  }
  return extents;
}

std::vector<std::string> read_launch_arguments(const YamlReader& list, const KernelSpec& kernel) {
  std::vector<std::string> known;
  for (const ArgumentSpec& argument : kernel.arguments) known.push_back(argument.name);
  std::vector<std::string> names;
  for (const YamlReader& item : list.items(1000)) {
    names.push_back(item.text());
    if (!contains(known, names.back())) {
      throw item.error(
          fmt::format("unknown argument '{}'{}", names.back(), suggestion(names.back(), known)));
    }
  }
  return names;
}

LaunchSpec read_launch(const YamlReader& reader, const KernelSpec& kernel, const ExprScope& scope) {
  const YamlMap map = reader.map({"entry", "grid", "block", "shared", "cluster", "arguments"});
  LaunchSpec launch;
  launch.where = reader.where();
  launch.entry = EntryName::read(map.require("entry", "entry: " + kernel.name), scope);
  launch.grid = read_extents(map.require("grid", "grid: [rows]"), scope);
  launch.block = read_extents(map.require("block", "block: [THREADS]"), scope);
  if (const auto shared = map.find("shared")) {
    launch.shared_bytes = shared->expression();
    scope.check(launch.shared_bytes);
  }
  if (const auto cluster = map.find("cluster")) launch.cluster = read_extents(*cluster, scope);
  if (const auto arguments = map.find("arguments")) {
    launch.arguments = read_launch_arguments(*arguments, kernel);
  } else {
    for (const ArgumentSpec& argument : kernel.arguments) launch.arguments.push_back(argument.name);
  }
  return launch;
}

// Returns true if a launch takes the argument, or a tensor map of it.
bool is_passed(const KernelSpec& kernel, const LaunchSpec& launch, const std::string& name) {
  return std::any_of(launch.arguments.begin(), launch.arguments.end(),
                     [&](const std::string& passed) {
                       const ArgumentSpec* argument = kernel.find_argument(passed);
                       return passed == name || (argument->map && argument->map->tensor == name);
                     });
}

void check_map(const TensorMapSpec& map, const ExprScope& scope) {
  for (const auto* list : {&map.strides, &map.box, &map.element_strides}) {
    for (const Expr& expr : *list) scope.check(expr);
  }
  for (const Expr* expr : {&map.offset, &map.swizzle, &map.l2_promotion}) scope.check(*expr);
}

// The expressions of an argument apply to every variant that passes it, so each such variant must
// have their parameters.
void check_passed_arguments(const KernelSpec& kernel, const VariantSpec& variant) {
  const ExprScope scope = variant_scope(kernel, variant);
  for (const ArgumentSpec& argument : kernel.arguments) {
    const bool passed = std::any_of(
        variant.launches.begin(), variant.launches.end(),
        [&](const LaunchSpec& launch) { return is_passed(kernel, launch, argument.name); });
    if (passed) {
      if (argument.map) check_map(*argument.map, scope);
      for (const Expr& axis : argument.shape) scope.check(axis);
      scope.check(argument.value);
      scope.check(argument.tolerance_abs);
      scope.check(argument.tolerance_rel);
      scope.check(argument.tolerance_rms);
      if (argument.tolerance_accumulate) scope.check(argument.tolerance_accumulate->terms);
      if (argument.mismatches) scope.check(*argument.mismatches);
    } else if (argument.role == ArgumentRole::kOut || argument.role == ArgumentRole::kInOut) {
      throw user_error(variant.where,
                       fmt::format("variant '{}' passes the output '{}' to no launch; add it to "
                                   "the `arguments` of one",
                                   variant.name, argument.name));
    }
  }
}

void read_launches(const YamlReader& launches, const KernelSpec& kernel, const ExprScope& scope,
                   VariantSpec& variant) {
  for (const YamlReader& item : launches.items(kMaxLaunches))
    variant.launches.push_back(read_launch(item, kernel, scope));
  if (variant.launches.empty())
    throw launches.error("got an empty list, expected at least one launch");
  check_passed_arguments(kernel, variant);
}

VariantSpec read_variant(const YamlReader& key, const YamlReader& reader, const KernelSpec& kernel,
                         Lets& outer) {
  Lets lets(outer);
  VariantSpec variant;
  variant.name = key.identifier();
  if (variant.name == "all") throw key.error("'all' selects every variant in sweeps; rename it");
  variant.where = key.where();
  const YamlMap map = reader.with_lets(lets).map(
      {"doc", "source", "launches", "parameters", "let", "constraints", "options"});
  if (const auto doc = map.find("doc")) variant.doc = doc->text();
  variant.source = existing_source(map.require("source", "source: " + variant.name + ".cu"), kernel,
                                   fmt::format("variant '{}'", variant.name));
  if (const auto list = map.find("parameters")) {
    variant.parameters = read_variant_parameters(*list, kernel);
  }
  ExprScope scope = variant_scope(kernel, variant);
  if (const auto section = map.find("let")) variant.lets = lets.read(*section, kernel, scope);
  scope.suggest_lets(variant.lets);
  if (const auto list = map.find("constraints")) variant.constraints = read_constraints(*list);
  for (const ConstraintSpec& constraint : variant.constraints) scope.check(constraint.expr);
  // The contract's constraints apply to every variant, so each variant must have their parameters.
  for (const ConstraintSpec& constraint : kernel.constraints) scope.check(constraint.expr);
  ExprScope compiled = compiled_scope(kernel, variant);
  compiled.forbid_device();
  compiled.suggest_lets(variant.lets);
  check_options(kernel, compiled);
  if (const auto options = map.find("options")) {
    variant.options = read_compile_options(*options);
    for (const CompileOption& option : variant.options) option.check(compiled);
  }
  const YamlReader launches =
      map.require("launches", "launches: [{entry: NAME, grid: [rows], block: [256]}]");
  read_launches(launches, kernel, scope, variant);
  lets.require_used();
  return variant;
}

}  // namespace

ExprScope compiled_scope(const KernelSpec& kernel, const VariantSpec& variant) {
  ExprScope scope("parameter");
  for (const std::string& parameter : variant.parameters) scope.allow(parameter);
  scope.allow_sizes(kernel.problem);
  scope.suggest_lets(kernel.lets);
  for (const ParameterSpec& parameter : kernel.parameters) {
    if (contains(variant.parameters, parameter.name)) continue;
    scope.forbid(
        parameter.name,
        fmt::format("is not a parameter of variant '{}'; add it to the variant's `parameters`",
                    variant.name));
  }
  return scope;
}

VariantSpec read_only_variant(const YamlReader& launches, const KernelSpec& kernel,
                              const std::filesystem::path& source) {
  VariantSpec variant;
  variant.name = kernel.name;
  variant.where = launches.where();
  variant.source = source;
  for (const ParameterSpec& parameter : kernel.parameters)
    variant.parameters.push_back(parameter.name);
  const ExprScope scope = variant_scope(kernel, variant);
  for (const ConstraintSpec& constraint : kernel.constraints) scope.check(constraint.expr);
  check_options(kernel, compiled_scope(kernel, variant));
  read_launches(launches, kernel, scope, variant);
  return variant;
}

std::vector<VariantSpec> read_variants(const YamlReader& section, const KernelSpec& kernel,
                                       Lets& lets) {
  std::vector<VariantSpec> variants;
  for (const auto& [key, reader] : section.entries()) {
    variants.push_back(read_variant(key, reader, kernel, lets));
  }
  if (variants.empty()) throw section.error("got an empty map, expected at least one variant");
  for (const ParameterSpec& parameter : kernel.parameters) {
    const bool used = std::any_of(
        variants.begin(), variants.end(),
        [&](const VariantSpec& variant) { return contains(variant.parameters, parameter.name); });
    if (!used) {
      throw user_error(
          parameter.where,
          fmt::format("parameter '{}' is used by no variant; add it to the `parameters` "
                      "of one, or remove it",
                      parameter.name));
    }
  }
  return variants;
}

}  // namespace warpwright
