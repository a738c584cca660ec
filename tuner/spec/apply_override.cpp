// Applies --set NAME=VALUE from the command line.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/suggest.h"
#include "spec/scalar.h"
#include "spec/sweep_spec.h"
#include "spec/sweep_variants.h"
#include "spec/value_rule.h"

namespace warpwright {
namespace {

// Merges problems that differed only in this size, which the sweep would otherwise measure twice.
void set_size(std::vector<ProblemChoice>& problems, const std::string& name, const Value& value,
              const SourcePosition& where) {
  std::vector<ProblemChoice> kept;
  std::set<std::map<std::string, Value>> seen;
  for (ProblemChoice& problem : problems) {
    problem.sizes[name] = value;
    problem.size_where[name] = where;
    if (seen.insert(problem.sizes).second) kept.push_back(std::move(problem));
  }
  problems = std::move(kept);
}

// A preset is a named point: a V0 with other values is not V0, and its results would be stored
// under the wrong name.
void refuse_preset_parameter(const SweepSpec& sweep, const std::string& name,
                             const SourcePosition& where) {
  for (const Preset& preset : sweep.presets) {
    const bool selected = std::find(sweep.versions.begin(), sweep.versions.end(), preset.name) !=
                          sweep.versions.end();
    if (selected && preset.values.contains(name)) {
      throw user_error(where,
                       fmt::format("parameter '{}' is fixed by the preset '{}' that `version` "
                                   "selects; change the preset, or drop `version`",
                                   name, preset.name));
    }
  }
}

// The parameter may be one for which the sweep uses the default.
void pin_parameter(SweepSpec& sweep, const ParameterSpec& parameter, const Value& value,
                   const SourcePosition& where) {
  const auto found =
      std::find_if(sweep.space.begin(), sweep.space.end(),
                   [&](const SpaceParameter& axis) { return axis.name == parameter.name; });
  SpaceParameter& axis = found == sweep.space.end() ? sweep.space.emplace_back() : *found;
  axis = {parameter.name, {value}, where, {}};
}

// Changes nothing if it throws.
void select_variant(SweepSpec& sweep, const KernelSpec& kernel, const std::string& name,
                    const SourcePosition& where) {
  SweepSpec changed = sweep;
  changed.variants.reset();
  changed.variants_where.clear();
  if (name != "all") {
    changed.variants = {name};
    changed.variants_where = {where};
  }
  // The space of the sweep may contain parameters that only the other variants use; they no longer
  // matter.
  const std::vector<const VariantSpec*> variants = selected_variants(changed, kernel);
  std::erase_if(changed.space, [&](const SpaceParameter& axis) {
    return std::none_of(variants.begin(), variants.end(), [&](const VariantSpec* variant) {
      return has_parameter(*variant, axis.name);
    });
  });
  sweep = std::move(changed);
}

}  // namespace

void apply_override(SweepSpec& sweep, const KernelSpec& kernel, std::string_view assignment) {
  const SourcePosition where{fmt::format("--set {}", assignment), 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == assignment.size()) {
    throw user_error(where, "expected NAME=VALUE, as in `--set rows=1024`");
  }
  const std::string name(assignment.substr(0, equals));
  const std::string_view text = assignment.substr(equals + 1);
  if (name == "variant") {
    select_variant(sweep, kernel, std::string(text), where);
    return;
  }
  const ProblemSizeSpec* size = kernel.find_size(name);
  const ParameterSpec* parameter = kernel.find_parameter(name);
  if (size == nullptr && parameter == nullptr) {
    std::vector<std::string> known = {"variant"};
    for (const ProblemSizeSpec& candidate : kernel.problem) known.push_back(candidate.name);
    for (const ParameterSpec& candidate : kernel.parameters) known.push_back(candidate.name);
    throw user_error(where, fmt::format("unknown problem size or parameter '{}' of kernel '{}'{}",
                                        name, kernel.name, suggestion(name, known)));
  }
  ScalarReading reading = read_plain_scalar(text);
  if (!reading.refusal.empty()) throw user_error(where, reading.refusal);
  const ValueRule rule = size != nullptr ? rule_of(*size) : rule_of(*parameter);
  if (const auto wrong = rule.violation(reading.value)) {
    throw user_error(
        where,
        fmt::format("{} '{}': {}", size != nullptr ? "problem size" : "parameter", name, *wrong));
  }
  if (size != nullptr) {
    set_size(sweep.problems, name, reading.value, where);
    set_size(sweep.emulated, name, reading.value, where);
    return;
  }
  refuse_preset_parameter(sweep, name, where);
  pin_parameter(sweep, *parameter, reading.value, where);
}

}  // namespace warpwright
