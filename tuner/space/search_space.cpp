#include "space/search_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "core/words.h"
#include "spec/versions.h"

namespace warpwright {

std::vector<std::uint64_t> SearchSpace::sample(std::uint64_t n, std::mt19937_64& generator) const {
  const std::uint64_t total = count();
  if (n >= total) {
    std::vector<std::uint64_t> all(total);
    std::iota(all.begin(), all.end(), std::uint64_t{0});
    return all;
  }
  LazyShuffle shuffle(total);
  std::vector<std::uint64_t> drawn;
  for (std::uint64_t i = 0; i < n; ++i) drawn.push_back(*shuffle.next(generator));
  return drawn;
}

std::uint64_t uniform_below(std::uint64_t n, std::mt19937_64& generator) {
  // Rejects the incomplete last run of multiples of n, which would favour small numbers.
  const std::uint64_t excess = (std::numeric_limits<std::uint64_t>::max() % n + 1) % n;
  const std::uint64_t last = std::numeric_limits<std::uint64_t>::max() - excess;
  std::uint64_t drawn = generator();
  while (drawn > last) drawn = generator();
  return drawn % n;
}

std::optional<std::uint64_t> LazyShuffle::next(std::mt19937_64& generator) {
  if (drawn_ == n_) return std::nullopt;
  const std::uint64_t place = drawn_ + uniform_below(n_ - drawn_, generator);
  const auto content = [&](std::uint64_t i) {
    const auto moved = moved_.find(i);
    return moved == moved_.end() ? i : moved->second;
  };
  const std::uint64_t result = content(place);
  // The content of the front replaces the drawn element; the front itself is never read again.
  if (place != drawn_) moved_[place] = content(drawn_);
  moved_.erase(drawn_);
  ++drawn_;
  return result;
}

namespace {

// define_space() combines a sweep, a kernel, a problem and a device's limits into the solver's
// input.

using Group = SpaceDefinition::Group;

const SpaceParameter* find_listed(const SweepSpec& sweep, const std::string& name) {
  const auto found = std::find_if(sweep.space.begin(), sweep.space.end(),
                                  [&](const SpaceParameter& p) { return p.name == name; });
  return found == sweep.space.end() ? nullptr : &*found;
}

bool has_axis(const Group& group, const std::string& name) {
  return std::any_of(group.axes.begin(), group.axes.end(),
                     [&](const SearchSpace::Axis& axis) { return axis.name == name; });
}

const Preset& find_preset(const SweepSpec& sweep, const KernelSpec* kernel,
                          const std::string& name) {
  if (const Preset* preset = find_version(sweep, kernel, name)) return *preset;
  std::vector<std::string> known;
  for (const Preset& preset : sweep.presets) known.push_back(preset.name);
  throw user_error({sweep.file.string()},
                   fmt::format("unknown preset '{}'{}", name, suggestion(name, known)));
}

// The names that a constraint of this group may use.
std::vector<std::string> usable_names(const Group& group, const Environment& constants) {
  std::vector<std::string> names = constants.names();
  for (const SearchSpace::Axis& axis : group.axes) names.push_back(axis.name);
  if (!group.variant.empty()) names.emplace_back("variant");
  return names;
}

// Adds the constraints whose parameters the variant has. A constraint that names a parameter of
// another variant does not apply to this one; a name that belongs to no variant is an error.
void add_constraints(const std::vector<ConstraintSpec>& constraints, const KernelSpec* kernel,
                     const Environment& constants, Group& group) {
  const std::vector<std::string> usable = usable_names(group, constants);
  for (const ConstraintSpec& constraint : constraints) {
    const std::vector<std::string>& names = constraint.expr.names();
    const bool elsewhere =
        kernel != nullptr && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
          return std::find(usable.begin(), usable.end(), name) == usable.end() &&
                 kernel->find_parameter(name) != nullptr;
        });
    if (elsewhere) continue;
    constraint.expr.require_names(usable, "name");
    group.constraints.push_back(constraint);
  }
}

// The first name of the preset that the group lacks, or "" if there is none.
std::string missing_in(const Preset& preset, const Group& group) {
  for (const auto& [name, value] : preset.values) {
    if (name == "variant" && !group.variant.empty()) {
      if (value != Value(group.variant)) return name;
    } else if (!has_axis(group, name)) {
      return name;
    }
  }
  return "";
}

// A parameter that the preset does not name keeps the single value given by the sweep or the
// contract.
Value value_in(const Preset& preset, const SearchSpace::Axis& axis, const KernelSpec* kernel) {
  const auto given = preset.values.find(axis.name);
  if (given != preset.values.end()) return given->second;
  if (axis.values.size() == 1) return axis.values.front();
  if (kernel != nullptr) return kernel->find_parameter(axis.name)->default_value;
  throw user_error(
      preset.where,
      fmt::format("preset '{}' gives no value to parameter '{}', which has several; add it",
                  preset.name, axis.name));
}

// Replaces the free axes of a group by the presets that fit it; the group has no rows if none fits.
void apply_presets(const std::vector<const Preset*>& presets, const KernelSpec* kernel,
                   Group& group) {
  for (const Preset* preset : presets) {
    if (!missing_in(*preset, group).empty()) continue;
    std::map<std::string, Value>& row = group.rows.emplace_back();
    for (const SearchSpace::Axis& axis : group.axes)
      row[axis.name] = value_in(*preset, axis, kernel);
  }
  if (group.rows.empty()) return;
  for (SearchSpace::Axis& axis : group.axes) {
    axis.values.clear();
    for (const std::map<std::string, Value>& row : group.rows) {
      const Value& value = row.at(axis.name);
      if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
        axis.values.push_back(value);
      }
    }
  }
}

Group bare_group(const SweepSpec& sweep) {
  Group group;
  for (const SpaceParameter& parameter : sweep.space) {
    group.axes.push_back({parameter.name, parameter.values});
  }
  return group;
}

// The values listed in the sweep, or only the contract's default.
Group variant_group(const SweepSpec& sweep, const KernelSpec& kernel, const std::string& name) {
  const VariantSpec* variant = kernel.find_variant(name);
  if (variant == nullptr) {
    std::vector<std::string> known;
    for (const VariantSpec& v : kernel.variants) known.push_back(v.name);
    throw user_error(fmt::format("unknown variant '{}' of kernel {}{}", name, kernel.name,
                                 suggestion(name, known)));
  }
  Group group;
  group.variant = name;
  for (const std::string& parameter : variant->parameters) {
    const SpaceParameter* listed = find_listed(sweep, parameter);
    if (listed != nullptr) {
      group.axes.push_back({parameter, listed->values});
    } else {
      const ParameterSpec* spec = kernel.find_parameter(parameter);
      WARPWRIGHT_CHECK(spec != nullptr, "a variant's parameter that the contract does not declare");
      group.axes.push_back({parameter, {spec->default_value}});
    }
  }
  return group;
}

// Returns the variants in the sweep's order, which is part of the canonical order.
std::vector<Group> unconstrained_groups(const SweepSpec& sweep, const KernelSpec* kernel) {
  std::vector<Group> groups;
  if (kernel == nullptr) {
    groups.push_back(bare_group(sweep));
    return groups;
  }
  std::vector<std::string> selected;
  if (sweep.variants) {
    selected = *sweep.variants;
  } else {
    for (const VariantSpec& variant : kernel->variants) selected.push_back(variant.name);
  }
  for (const std::string& name : selected) groups.push_back(variant_group(sweep, *kernel, name));
  return groups;
}

// A preset that fits no variant must not be dropped silently.
void require_fit(const std::vector<const Preset*>& presets, const std::vector<Group>& groups) {
  for (const Preset* preset : presets) {
    std::string reasons;
    bool fits = false;
    for (const Group& group : groups) {
      const std::string missing = missing_in(*preset, group);
      fits = fits || missing.empty();
      reasons += group.variant.empty() ? fmt::format("; the space has no parameter '{}'", missing)
                 : missing == "variant"
                     ? fmt::format("; {} is another variant", group.variant)
                     : fmt::format("; {} has no parameter '{}'", group.variant, missing);
    }
    if (!fits) {
      throw user_error(preset->where, fmt::format("preset '{}' fits no selected variant{}",
                                                  preset->name, reasons));
    }
  }
}

}  // namespace

SpaceDefinition define_space(const SweepSpec& sweep, const KernelSpec* kernel,
                             const Problem& problem,
                             const std::map<std::string, Value>& device_limits) {
  SpaceDefinition definition;
  for (const auto& [name, value] : problem) definition.constants.set(name, value);
  for (const auto& [name, value] : device_limits) definition.constants.set(name, value);

  std::vector<const Preset*> presets;
  for (const std::string& version : sweep.versions)
    presets.push_back(&find_preset(sweep, kernel, version));
  std::vector<Group> groups = unconstrained_groups(sweep, kernel);
  require_fit(presets, groups);
  for (Group& group : groups) {
    apply_presets(presets, kernel, group);
    if (!presets.empty() && group.rows.empty()) continue;
    if (kernel != nullptr) {
      add_constraints(kernel->constraints, kernel, definition.constants, group);
      add_constraints(kernel->find_variant(group.variant)->constraints, kernel,
                      definition.constants, group);
    }
    add_constraints(sweep.constraints, kernel, definition.constants, group);
    definition.groups.push_back(std::move(group));
  }
  return definition;
}

}  // namespace warpwright
