// Checks a sweep against the contract of its kernel.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/suggest.h"
#include "spec/names.h"
#include "spec/problem.h"
#include "spec/sweep_spec.h"
#include "spec/sweep_variants.h"
#include "spec/value_rule.h"

namespace warpwright {
namespace {

// A parameter must exist, and at least one selected variant must use it.
const ParameterSpec& require_parameter(const KernelSpec& kernel, const std::string& name,
                                       const std::vector<const VariantSpec*>& variants,
                                       const SourcePosition& where) {
  const ParameterSpec* parameter = kernel.find_parameter(name);
  if (parameter == nullptr) {
    std::vector<std::string> known;
    for (const ParameterSpec& candidate : kernel.parameters) known.push_back(candidate.name);
    throw user_error(where, fmt::format("unknown parameter '{}' of kernel '{}'{}", name,
                                        kernel.name, suggestion(name, known)));
  }
  const bool used = std::any_of(variants.begin(), variants.end(), [&](const VariantSpec* variant) {
    return has_parameter(*variant, name);
  });
  if (!used) {
    throw user_error(where,
                     fmt::format("parameter '{}' is used by no selected variant ({}); remove "
                                 "it or select a variant that has it",
                                 name, list_variants(variants)));
  }
  return *parameter;
}

// Takes the value by copy: the rule may turn an integer into a real, but the sweep keeps the text
// as written.
void check_value(const ParameterSpec& parameter, Value value, const SourcePosition& where) {
  if (const auto wrong = rule_of(parameter).violation(value)) {
    throw user_error(where, fmt::format("parameter '{}': {}", parameter.name, *wrong));
  }
}

void check_space(const SweepSpec& sweep, const KernelSpec& kernel,
                 const std::vector<const VariantSpec*>& variants) {
  for (const SpaceParameter& axis : sweep.space) {
    const ParameterSpec& parameter = require_parameter(kernel, axis.name, variants, axis.where);
    for (std::size_t i = 0; i < axis.values.size(); ++i) {
      check_value(parameter, axis.values[i],
                  i < axis.value_where.size() ? axis.value_where[i] : axis.where);
    }
  }
}

// A preset that fits no variant completely would never run, and the sweep would end without a
// message.
void check_preset(const Preset& preset, const KernelSpec& kernel,
                  const std::vector<const VariantSpec*>& variants) {
  for (const auto& [name, value] : preset.values) {
    const auto place = preset.value_where.find(name);
    const SourcePosition& where = place == preset.value_where.end() ? preset.where : place->second;
    check_value(require_parameter(kernel, name, variants, where), value, where);
  }
  const bool fits = std::any_of(variants.begin(), variants.end(), [&](const VariantSpec* variant) {
    return std::all_of(preset.values.begin(), preset.values.end(),
                       [&](const auto& entry) { return has_parameter(*variant, entry.first); });
  });
  if (!fits) {
    throw user_error(preset.where,
                     fmt::format("preset '{}': no selected variant ({}) has all of its "
                                 "parameters; split it",
                                 preset.name, list_variants(variants)));
  }
}

// A constraint applies to the variants that have all of its parameters. One that applies to none is
// a mistake: its author expects a limit that does not exist.
void check_constraint(const Expr& expr, const KernelSpec& kernel,
                      const std::vector<const VariantSpec*>& variants) {
  ExprScope scope("parameter");
  std::vector<std::string> used;
  for (const ParameterSpec& parameter : kernel.parameters) {
    const bool selected = std::any_of(
        variants.begin(), variants.end(),
        [&](const VariantSpec* variant) { return has_parameter(*variant, parameter.name); });
    if (selected) {
      scope.allow(parameter.name);
      const std::vector<std::string>& names = expr.names();
      if (std::find(names.begin(), names.end(), parameter.name) != names.end()) {
        used.push_back(parameter.name);
      }
    } else {
      scope.forbid(parameter.name,
                   fmt::format("is a parameter of no selected variant ({}); remove the constraint",
                               list_variants(variants)));
    }
  }
  scope.allow_sizes(kernel.problem);
  scope.allow_device();
  for (const LetSpec& let : kernel.lets) {
    scope.forbid(let.name, fmt::format("is a let of the contract, which sweeps do not have; write "
                                       "out \"{}\"",
                                       let.expr.text()));
  }
  scope.check(expr);
  const bool binds = std::any_of(variants.begin(), variants.end(), [&](const VariantSpec* variant) {
    return std::all_of(used.begin(), used.end(),
                       [&](const std::string& name) { return has_parameter(*variant, name); });
  });
  if (!binds) {
    throw user_error(expr.where(), fmt::format("no selected variant ({}) has all of {}; the "
                                               "constraint would bind nothing, remove or split it",
                                               list_variants(variants), fmt::join(used, ", ")));
  }
}

void check_problems(const std::vector<ProblemChoice>& problems, const KernelSpec& kernel) {
  for (const ProblemChoice& problem : problems) {
    static_cast<void>(
        complete_problem_at(kernel, problem.sizes, problem.where, problem.size_where));
  }
}

}  // namespace

bool has_parameter(const VariantSpec& variant, const std::string& parameter) {
  return std::find(variant.parameters.begin(), variant.parameters.end(), parameter) !=
         variant.parameters.end();
}

std::string list_variants(const std::vector<const VariantSpec*>& variants) {
  std::string text;
  for (const VariantSpec* variant : variants) text += (text.empty() ? "" : ", ") + variant->name;
  return text;
}

std::vector<const VariantSpec*> selected_variants(const SweepSpec& sweep,
                                                  const KernelSpec& kernel) {
  std::vector<const VariantSpec*> selected;
  if (!sweep.variants) {
    for (const VariantSpec& variant : kernel.variants) selected.push_back(&variant);
    return selected;
  }
  for (std::size_t i = 0; i < sweep.variants->size(); ++i) {
    const std::string& name = (*sweep.variants)[i];
    const VariantSpec* variant = kernel.find_variant(name);
    if (variant == nullptr) {
      std::vector<std::string> known;
      for (const VariantSpec& candidate : kernel.variants) known.push_back(candidate.name);
      throw user_error(
          i < sweep.variants_where.size() ? sweep.variants_where[i] : sweep.kernel_where,
          fmt::format("unknown variant '{}' of kernel '{}'{}", name, kernel.name,
                      suggestion(name, known)));
    }
    selected.push_back(variant);
  }
  return selected;
}

void check_sweep(const SweepSpec& sweep, const KernelSpec& kernel) {
  if (sweep.kernel != kernel.name) {
    throw user_error(sweep.kernel_where,
                     fmt::format("the sweep is of kernel '{}', got the contract of '{}' ({})",
                                 sweep.kernel, kernel.name, kernel.file.string()));
  }
  const std::vector<const VariantSpec*> variants = selected_variants(sweep, kernel);
  check_problems(sweep.problems, kernel);
  check_problems(sweep.emulated, kernel);
  check_space(sweep, kernel, variants);
  for (const Preset& preset : sweep.presets) check_preset(preset, kernel, variants);
  for (const ConstraintSpec& constraint : sweep.constraints) {
    check_constraint(constraint.expr, kernel, variants);
  }
  check_added(sweep.added, kernel);
  (void)resolve_goal(sweep.goal, goal_names(kernel));
}

}  // namespace warpwright
