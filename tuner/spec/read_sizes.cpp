// Reads the problem sizes and parameters of kernel.yaml.
#include <fmt/format.h>

#include <map>
#include <set>

#include "spec/kernel_sections.h"
#include "spec/macro_names.h"
#include "spec/value_rule.h"

namespace warpwright {
namespace {

// Sizes and parameters share one namespace: both are names in expressions.
std::string read_name(const YamlReader& key) {
  std::string name = key.identifier();
  if (const auto why = reserved_name(name)) {
    throw key.error(fmt::format("'{}' cannot be a name: {}; rename it", name, *why));
  }
  return name;
}

// Checks a name that becomes -D<name>. Contracts in databases are not checked, since they cannot
// change.
void refuse_harmful_macro(const YamlReader& place, const std::string& name, const char* kind,
                          bool stored) {
  const auto harm = stored ? std::nullopt : harmful_macro(name);
  if (!harm) return;
  throw place.error(
      fmt::format("'{0}' cannot be {1}: the source is compiled with -D{0}=..., which "
                  "{2}; rename it, for example to {3}",
                  name, kind, *harm, harmless_name(name)));
}

std::string read_doc(const YamlMap& map) {
  const std::optional<YamlReader> doc = map.find("doc");
  return doc ? doc->text() : std::string();
}

// Reads a name, or `none`.
std::string read_macro(const YamlReader& reader) {
  return reader.is_scalar() && reader.text() == "none" ? "" : reader.identifier();
}

// Two names with the same macro are indistinguishable in the source.
void check_macros(const std::vector<ParameterSpec>& parameters, const KernelSpec& kernel) {
  std::map<std::string, std::string> known;
  for (const ProblemSizeSpec& size : kernel.problem)
    if (!size.macro.empty()) known.emplace(size.macro, "size '" + size.name + "'");
  for (const ParameterSpec& parameter : parameters) {
    const std::string macro = parameter.macro.value_or(parameter.name);
    if (macro.empty()) continue;
    const auto [other, is_new] = known.emplace(macro, "parameter '" + parameter.name + "'");
    if (!is_new) {
      throw user_error(
          parameter.where,
          fmt::format("'{}', the macro of parameter '{}', is that of {} too; rename one", macro,
                      parameter.name, other->second));
    }
  }
}

}  // namespace

std::vector<ProblemSizeSpec> read_sizes(const YamlReader& section, const KernelSpec& kernel) {
  std::vector<ProblemSizeSpec> sizes;
  std::set<std::string> macros;
  for (const auto& [key, reader] : section.entries()) {
    ProblemSizeSpec size;
    size.name = read_name(key);
    size.where = key.where();
    const YamlMap map = reader.map({"doc", "default", "values", "min", "max", "macro"});
    size.doc = read_doc(map);
    ValueLimits limits = read_limits(map);
    size.default_value = std::move(limits.default_value);
    size.values = std::move(limits.values);
    size.min = limits.min;
    size.max = limits.max;
    // read_limits() does not apply the implied minimum of 1.
    if (size.default_value) {
      if (const auto wrong = rule_of(size).violation(*size.default_value)) {
        throw map.find("default")->error(*wrong + "; give `min` if less makes sense");
      }
    }
    if (const auto macro = map.find("macro")) {
      size.macro = macro->identifier();
      refuse_harmful_macro(*macro, size.macro, "a macro", kernel.stored);
      if (!macros.insert(size.macro).second) {
        throw macro->error(
            fmt::format("'{}' is the macro of another size; rename one", size.macro));
      }
    }
    sizes.push_back(std::move(size));
  }
  if (sizes.empty()) throw section.error("got an empty map, expected at least one size");
  return sizes;
}

std::vector<ParameterSpec> read_parameters(const YamlReader& section, const KernelSpec& kernel) {
  std::vector<ParameterSpec> parameters;
  if (section.is_null()) return parameters;
  for (const auto& [key, reader] : section.entries()) {
    ParameterSpec parameter;
    parameter.name = read_name(key);
    refuse_harmful_macro(key, parameter.name, "a parameter", kernel.stored);
    parameter.where = key.where();
    // Parameters reach the compiler as -D<name>, which must not collide with the macro of a size.
    for (const ProblemSizeSpec& size : kernel.problem) {
      if (size.name == parameter.name || size.macro == parameter.name) {
        throw key.error(fmt::format("'{}' is already {} size '{}'; rename one", parameter.name,
                                    size.name == parameter.name ? "the problem" : "the macro of",
                                    size.name));
      }
    }
    const YamlMap map = reader.map({"doc", "default", "values", "min", "max", "macro"});
    if (const auto macro = map.find("macro")) parameter.macro = read_macro(*macro);
    parameter.doc = read_doc(map);
    static_cast<void>(map.require("default", "default: 256"));
    ValueLimits limits = read_limits(map);
    parameter.default_value = *std::move(limits.default_value);
    parameter.values = std::move(limits.values);
    parameter.min = limits.min;
    parameter.max = limits.max;
    parameters.push_back(std::move(parameter));
  }
  check_macros(parameters, kernel);
  return parameters;
}

}  // namespace warpwright
