#include "spec/sweep_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "core/words.h"
#include "spec/names.h"
#include "spec/value_rule.h"
#include "spec/versions.h"

namespace warpwright {
namespace {

// Checks a sweep against the contract of its kernel.

// A parameter must exist, and at least one selected variant must use it.
const ParameterSpec& require_parameter(const KernelSpec& kernel, const std::string& name,
                                       const std::vector<const VariantSpec*>& variants,
                                       const SourceLocation& where) {
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
void check_value(const ParameterSpec& parameter, Value value, const SourceLocation& where) {
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
    const SourceLocation& where = place == preset.value_where.end() ? preset.where : place->second;
    if (name == "variant") {
      static_cast<void>(require_variant(kernel, value.to_string(), where));
      continue;
    }
    check_value(require_parameter(kernel, name, variants, where), value, where);
  }
  const bool fits = std::any_of(variants.begin(), variants.end(), [&](const VariantSpec* variant) {
    return has_all_of(*variant, preset);
  });
  if (!fits) {
    throw user_error(preset.where,
                     fmt::format("preset '{}': no selected variant ({}) has all of its "
                                 "parameters; split it",
                                 preset.name, list_variants(variants)));
  }
}

// A version that the sweep's own presets do not have is one of the contract's.
void check_versions(const SweepSpec& sweep, const KernelSpec& kernel) {
  for (std::size_t i = 0; i < sweep.version_places.size(); ++i) {
    const std::string& name = sweep.versions[i];
    if (find_version(sweep, &kernel, name) != nullptr) continue;
    std::vector<std::string> known;
    for (const Preset& preset : known_versions(kernel, sweep)) known.push_back(preset.name);
    const VersionPlace& place = sweep.version_places[i];
    throw user_error(
        place.where,
        known.empty()
            ? fmt::format("{}: unknown preset '{}', neither the sweep nor the contract of kernel "
                          "'{}' has any; add `presets`",
                          place.path, name, kernel.name)
            : fmt::format("{}: unknown preset '{}'{}", place.path, name, suggestion(name, known)));
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
  std::vector<std::string> names;
  for (const VariantSpec* variant : variants) names.push_back(variant->name);
  return join(names);
}

std::vector<const VariantSpec*> selected_variants(const SweepSpec& sweep,
                                                  const KernelSpec& kernel) {
  std::vector<const VariantSpec*> selected;
  if (!sweep.variants) {
    for (const VariantSpec& variant : kernel.variants) selected.push_back(&variant);
    return selected;
  }
  for (std::size_t i = 0; i < sweep.variants->size(); ++i) {
    const SourceLocation& where =
        i < sweep.variants_where.size() ? sweep.variants_where[i] : sweep.kernel_where;
    selected.push_back(&require_variant(kernel, (*sweep.variants)[i], where));
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
  check_versions(sweep, kernel);
  for (const ConstraintSpec& constraint : sweep.constraints) {
    check_constraint(constraint.expr, kernel, variants);
  }
  check_added(sweep.added, kernel);
  (void)resolve_goal(sweep.goal, goal_names(kernel));
}

namespace {

// Applies --set NAME=VALUE from the command line.

// Merges problems that differed only in this size, which the sweep would otherwise measure twice.
void set_size(std::vector<ProblemChoice>& problems, const std::string& name, const Value& value,
              const SourceLocation& where) {
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
void refuse_preset_parameter(const SweepSpec& sweep, const KernelSpec& kernel,
                             const std::string& name, const SourceLocation& where) {
  for (const std::string& version : sweep.versions) {
    const Preset* preset = find_version(sweep, &kernel, version);
    if (preset != nullptr && preset->values.contains(name)) {
      throw user_error(where,
                       fmt::format("parameter '{}' is fixed by the preset '{}' that `version` "
                                   "selects; change the preset, or drop `version`",
                                   name, version));
    }
  }
}

// The parameter may be one for which the sweep uses the default.
void pin_parameter(SweepSpec& sweep, const ParameterSpec& parameter, const Value& value,
                   const SourceLocation& where) {
  const auto found =
      std::find_if(sweep.space.begin(), sweep.space.end(),
                   [&](const SpaceParameter& axis) { return axis.name == parameter.name; });
  SpaceParameter& axis = found == sweep.space.end() ? sweep.space.emplace_back() : *found;
  axis = {parameter.name, {value}, where, {}};
}

// Changes nothing if it throws.
void select_variant(SweepSpec& sweep, const KernelSpec& kernel, const std::string& name,
                    const SourceLocation& where) {
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
  const SourceLocation where{fmt::format("--set {}", assignment), 0, 0};
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
    std::vector<std::string> known = {"variant", "version"};
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
  refuse_preset_parameter(sweep, kernel, name, where);
  pin_parameter(sweep, *parameter, reading.value, where);
}

namespace {

constexpr std::string_view kForm =
    "expected trials (200), a time (90s, 10min), a gain that is worth going on for (3%), or "
    "several "
    "of them (200,90s,3%)";
// A longer time is a mistake in the unit; the limit also keeps deadlines far from overflow.
constexpr double kMaxMilliseconds = 365.0 * 24 * 3600 * 1000;

// A smaller gain is within the noise of any timer; a larger one is not a useful target.
constexpr double kLeastPercent = 0.1;
constexpr double kMaxPercent = 50;

struct Unit {
  std::string_view name;
  double milliseconds;
};
constexpr std::array<Unit, 4> kUnits = {{{"ms", 1}, {"s", 1e3}, {"min", 60e3}, {"h", 3600e3}}};

// Parses budgets such as "200,90s", so that errors quote the whole text.
class BudgetReader {
 public:
  BudgetReader(std::string_view text, const SourceLocation& where) : text_(text), where_(where) {}

  Budget read() {
    std::string_view rest = text_;
    while (true) {
      const std::size_t comma = rest.find(',');
      read_part(trim(rest.substr(0, comma)));
      if (comma == std::string_view::npos) return budget_;
      rest.remove_prefix(comma + 1);
    }
  }

 private:
  [[nodiscard]] Error error(const std::string& message) const {
    return user_error(where_, fmt::format("budget '{}': {}", text_, message));
  }

  // Digits alone are a number of trials; digits with a unit are a time or a percentage.
  void read_part(std::string_view part) {
    const std::size_t digits = std::min(part.find_first_not_of("0123456789."), part.size());
    const std::string_view number = part.substr(0, digits);
    const std::string_view unit = trim(part.substr(digits));
    if (number.empty()) throw error(fmt::format("got '{}', {}", part, kForm));
    if (unit.empty()) {
      read_trials(number);
    } else if (unit == "%") {
      read_until(number);
    } else {
      read_time(number, unit);
    }
  }

  void read_trials(std::string_view number) {
    std::int64_t trials = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), trials);
    if (result.ec == std::errc::result_out_of_range) {
      throw error(fmt::format("{} trials do not fit a 64-bit integer", number));
    }
    if (result.ptr != number.data() + number.size()) {
      throw error(fmt::format("got {} trials, expected an integer; a time needs a unit, as in {}s",
                              number, number));
    }
    if (trials < 1) throw error("got 0 trials, expected at least 1");
    if (budget_.trials) throw error("got two numbers of trials, expected one; a time needs a unit");
    budget_.trials = trials;
  }

  void read_time(std::string_view number, std::string_view unit) {
    double milliseconds = 0;
    for (const Unit& known : kUnits) {
      if (known.name == unit) milliseconds = known.milliseconds;
    }
    if (milliseconds == 0) {
      throw error(fmt::format("unknown unit '{}', expected ms, s, min or h{}", unit,
                              unit == "m" ? "; did you mean 'min'?" : ""));
    }
    double amount = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), amount);
    if (result.ec != std::errc() || result.ptr != number.data() + number.size()) {
      throw error(fmt::format("got '{}', expected a number before '{}'", number, unit));
    }
    milliseconds = std::round(milliseconds * amount);
    if (milliseconds < 1) throw error("got no time, expected at least 1ms");
    if (milliseconds > kMaxMilliseconds) {
      throw error("got more than a year, expected less; leave the budget out for no limit");
    }
    if (budget_.time) throw error("got two times, expected one");
    budget_.time = std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
  }

  void read_until(std::string_view number) {
    double percent = 0;
    const auto result = std::from_chars(number.data(), number.data() + number.size(), percent);
    if (result.ec != std::errc() || result.ptr != number.data() + number.size())
      throw error(fmt::format("got '{}', expected a number before '%'", number));
    if (percent < kLeastPercent || percent > kMaxPercent) {
      throw error(fmt::format("got a gain of {}%, expected {}% to {}%", number, kLeastPercent,
                              kMaxPercent));
    }
    if (budget_.until) throw error("got two gains, expected one");
    budget_.until = percent / 100;
  }

  std::string_view text_;
  SourceLocation where_;
  Budget budget_;
};

}  // namespace

Budget parse_budget(std::string_view text, const SourceLocation& where) {
  return BudgetReader(text, where).read();
}

}  // namespace warpwright
