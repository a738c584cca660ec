#include "spec/versions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/error.h"
#include "core/words.h"
#include "spec/value_rule.h"

namespace warpwright {
namespace {

constexpr std::size_t kMaxVersions = 1000;  // of one range; more is a mistake
constexpr std::size_t kListedVersions = 20;

std::vector<std::string> names_of(const std::vector<Preset>& presets) {
  std::vector<std::string> names;
  for (const Preset& preset : presets) names.push_back(preset.name);
  return names;
}

bool holds(const std::vector<Preset>& presets, std::string_view name) {
  return std::any_of(presets.begin(), presets.end(),
                     [&](const Preset& preset) { return preset.name == name; });
}

const SourceLocation& place_of(const Preset& preset, const std::string& name) {
  const auto place = preset.value_where.find(name);
  return place == preset.value_where.end() ? preset.where : place->second;
}

// "H" and 3 of "H3"; nothing for a text that does not end in a number.
struct NumberedName {
  std::string prefix;
  int number = 0;
};
std::optional<NumberedName> numbered(std::string_view text) {
  std::size_t digits = text.size();
  while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9') --digits;
  NumberedName name{std::string(text.substr(0, digits)), 0};
  const std::string_view number = text.substr(digits);
  const auto result = std::from_chars(number.data(), number.data() + number.size(), name.number);
  if (number.empty() || result.ec != std::errc()) return std::nullopt;
  const bool word = std::all_of(name.prefix.begin(), name.prefix.end(), [](char letter) {
    return letter == '_' || (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
           (letter >= 'A' && letter <= 'Z');
  });
  return word ? std::optional(std::move(name)) : std::nullopt;
}

}  // namespace

const VariantSpec& require_variant(const KernelSpec& kernel, const std::string& name,
                                   const SourceLocation& where) {
  if (const VariantSpec* variant = kernel.find_variant(name)) return *variant;
  std::vector<std::string> known;
  for (const VariantSpec& variant : kernel.variants) known.push_back(variant.name);
  throw user_error(where, fmt::format("unknown variant '{}' of kernel '{}'{}", name, kernel.name,
                                      suggestion(name, known)));
}

bool has_all_of(const VariantSpec& variant, const Preset& preset) {
  return std::all_of(preset.values.begin(), preset.values.end(), [&](const auto& entry) {
    return entry.first == "variant" ? entry.second == Value(variant.name)
                                    : has_parameter(variant, entry.first);
  });
}

namespace {

std::vector<const VariantSpec*> fitting(const std::vector<const VariantSpec*>& variants,
                                        const Preset& preset) {
  std::vector<const VariantSpec*> fit;
  for (const VariantSpec* variant : variants)
    if (has_all_of(*variant, preset)) fit.push_back(variant);
  return fit;
}

std::vector<const VariantSpec*> all_variants(const KernelSpec& kernel) {
  return selected_variants({}, kernel);
}

void check_preset_value(const KernelSpec& kernel, const std::string& name, Preset& preset) {
  const SourceLocation& where = place_of(preset, name);
  Value& value = preset.values.at(name);
  if (name == "variant") {
    value = Value(value.to_string());
    static_cast<void>(require_variant(kernel, value.as_string(), where));
    return;
  }
  const ParameterSpec* parameter = kernel.find_parameter(name);
  if (parameter == nullptr) {
    std::vector<std::string> known;
    for (const ParameterSpec& candidate : kernel.parameters) known.push_back(candidate.name);
    throw user_error(where, fmt::format("unknown parameter '{}' of kernel '{}'{}", name,
                                        kernel.name, suggestion(name, known)));
  }
  if (const auto wrong = rule_of(*parameter).violation(value))
    throw user_error(where, fmt::format("parameter '{}': {}", name, *wrong));
}

// The variant that the preset is a configuration of.
const VariantSpec& variant_of_preset(const KernelSpec& kernel, const Preset& preset) {
  const std::vector<const VariantSpec*> fit = fitting(all_variants(kernel), preset);
  if (fit.size() == 1) return *fit.front();
  if (fit.size() > 1) {
    throw user_error(preset.where,
                     fmt::format("preset '{}': several variants ({}) have all of its parameters; "
                                 "add `variant: {}` to it",
                                 preset.name, list_variants(fit), fit.front()->name));
  }
  const auto given = preset.values.find("variant");
  if (given == preset.values.end()) {
    throw user_error(preset.where,
                     fmt::format("preset '{}': no variant ({}) has all of its parameters; split it",
                                 preset.name, list_variants(all_variants(kernel))));
  }
  const VariantSpec& variant = *kernel.find_variant(given->second.as_string());
  const auto stranger =
      std::find_if(preset.values.begin(), preset.values.end(), [&](const auto& entry) {
        return entry.first != "variant" && !has_parameter(variant, entry.first);
      });
  throw user_error(
      place_of(preset, stranger->first),
      fmt::format("preset '{}': variant '{}' has no parameter '{}'{}", preset.name, variant.name,
                  stranger->first, suggestion(stranger->first, variant.parameters)));
}

}  // namespace

void complete_presets(KernelSpec& kernel) {
  for (Preset& preset : kernel.presets) {
    for (const auto& [name, value] : std::map(preset.values))
      check_preset_value(kernel, name, preset);
    const VariantSpec& variant = variant_of_preset(kernel, preset);
    preset.values.emplace("variant", variant.name);
    for (const std::string& name : variant.parameters)
      preset.values.emplace(name, kernel.find_parameter(name)->default_value);
  }
}

std::vector<Preset> known_versions(const KernelSpec& kernel, const SweepSpec& sweep) {
  std::vector<Preset> known;
  for (const Preset& preset : kernel.presets)
    known.push_back(*find_version(sweep, &kernel, preset.name));
  for (const Preset& preset : sweep.presets)
    if (!holds(known, preset.name)) known.push_back(preset);
  return known;
}

const Preset* find_version(const SweepSpec& sweep, const KernelSpec* kernel,
                           std::string_view name) {
  for (const Preset& preset : sweep.presets)
    if (preset.name == name) return &preset;
  if (kernel == nullptr) return nullptr;
  for (const Preset& preset : kernel->presets)
    if (preset.name == name) return &preset;
  return nullptr;
}

ExpandedVersions expand_versions(std::string_view word, const std::vector<Preset>* known) {
  constexpr std::string_view kUsualPrefix = "V";
  const std::size_t dots = word.find("..");
  if (dots == std::string_view::npos) {
    const std::optional<NumberedName> number = numbered(word);
    const bool bare = number && number->prefix.empty();
    return {{bare ? fmt::format("{}{}", kUsualPrefix, number->number) : std::string(word)}, ""};
  }
  std::optional<NumberedName> first = numbered(word.substr(0, dots));
  std::optional<NumberedName> last = numbered(word.substr(dots + 2));
  if (first && first->prefix.empty()) first->prefix = kUsualPrefix;
  if (first && last && last->prefix.empty()) last->prefix = first->prefix;
  if (!first || !last || first->prefix != last->prefix)
    return {{}, fmt::format("got '{}', expected a range such as 0..4", word)};
  if (first->number > last->number)
    return {{}, fmt::format("got {}, expected the smaller number first", word)};
  ExpandedVersions expanded;
  for (int number = first->number;; ++number) {
    expanded.names.push_back(fmt::format("{}{}", first->prefix, number));
    if (number == last->number || (known != nullptr && !holds(*known, expanded.names.back())))
      return expanded;
    if (expanded.names.size() == kMaxVersions)
      return {{}, fmt::format("got {}, expected at most {} versions", word, kMaxVersions)};
  }
}

std::vector<std::string> parse_versions(std::string_view text, const std::vector<Preset>& known,
                                        const KernelSpec& kernel, const SourceLocation& where) {
  if (known.empty()) {
    throw user_error(where, fmt::format("kernel '{}' has no versions; add `presets` to {}",
                                        kernel.name, kernel.file.string()));
  }
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = trim(text.substr(at, end - at));
    at = end + 1;
    const ExpandedVersions expanded = expand_versions(word, &known);
    if (word.empty()) throw user_error(where, "expected versions, as in V4, V0,V4 or V0..V4");
    if (!expanded.fault.empty()) throw user_error(where, expanded.fault);
    for (const std::string& name : expanded.names) {
      if (!holds(known, name)) {
        const std::vector<std::string> all = names_of(known);
        const std::string near = suggestion(name, all);
        const bool is_near = near.starts_with("; did you mean");
        const std::size_t listed = std::min(all.size(), kListedVersions);
        throw user_error(
            where,
            fmt::format("unknown version '{}' of kernel '{}'{} has {}{}", name, kernel.name,
                        is_near ? near + " It" : "; it",
                        fmt::join(all.begin(), all.begin() + static_cast<long>(listed), ", "),
                        listed < all.size() ? ", ..." : ""));
      }
      if (std::find(names.begin(), names.end(), name) != names.end())
        throw user_error(where, fmt::format("version '{}' is selected twice; remove one", name));
      names.push_back(name);
    }
  }
  return names;
}

namespace {

struct ChangedValue {
  std::string name;
  Value now, was;
};

// "V4 with STAGES=3".
std::string changed_title(const std::string& version, const std::vector<ChangedValue>& changes) {
  std::string text = version;
  for (const ChangedValue& change : changes)
    text += fmt::format("{}{}={}", &change == changes.data() ? " with " : " ", change.name,
                        change.now.to_string());
  return text;
}

// "V4 with STAGES=3 (V4 has 2)".
std::string describe_changes(const std::string& version, const std::vector<ChangedValue>& changes) {
  if (changes.empty()) return "";
  std::vector<std::string> before;
  for (const ChangedValue& change : changes) before.push_back(change.was.to_string());
  return fmt::format("{} ({} has {})", changed_title(version, changes), version, join(before));
}

SourceLocation place_of_versions(std::string_view text) {
  return {fmt::format("--version {}", text), 0, 0};
}

// `own` are the variants that the version could be of; the contract may have been narrowed to one.
Error other_variant(const Preset& preset, const std::vector<const VariantSpec*>& own,
                    const std::string& wanted) {
  const std::string& version = preset.name;
  const auto named = preset.values.find("variant");
  return user_error(
      place_of_versions(version),
      fmt::format("'{}' is a version of variant '{}', got variant '{}'; leave one of "
                  "the two out",
                  version,
                  named == preset.values.end() ? list_variants(own) : named->second.to_string(),
                  wanted));
}

// The parameter and the value of NAME=VALUE, checked as apply_override() does; nothing for a size.
std::optional<std::pair<std::string, Value>> parameter_of(const KernelSpec& kernel,
                                                          const std::string& assignment) {
  SweepSpec alone;
  apply_override(alone, kernel, assignment);
  if (alone.space.empty()) return std::nullopt;
  return std::pair(alone.space.front().name, alone.space.front().values.front());
}

std::string name_in(const std::string& assignment) {
  return assignment.substr(0, assignment.find('='));
}

std::string value_in(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  return equals == std::string::npos ? "" : assignment.substr(equals + 1);
}

// What a version has where --set says nothing: its own value, the only one of the space, or the
// contract's default.
Value value_before(const SweepSpec& sweep, const KernelSpec& kernel, const Preset& preset,
                   const std::string& name) {
  if (const auto own = preset.values.find(name); own != preset.values.end()) return own->second;
  for (const SpaceParameter& axis : sweep.space)
    if (axis.name == name && axis.values.size() == 1) return axis.values.front();
  return kernel.find_parameter(name)->default_value;
}

void put_preset(SweepSpec& sweep, Preset preset) {
  const auto known = std::find_if(sweep.presets.begin(), sweep.presets.end(),
                                  [&](const Preset& one) { return one.name == preset.name; });
  if (known == sweep.presets.end()) {
    sweep.presets.push_back(std::move(preset));
  } else {
    *known = std::move(preset);
  }
}

// Changes of a sweep's versions, in their order.
using VersionChanges = std::vector<std::pair<std::string, std::vector<ChangedValue>>>;

class VersionOverrides {
 public:
  VersionOverrides(SweepSpec& sweep, const KernelSpec& kernel) : sweep_(sweep), kernel_(kernel) {}

  // `variant` is what --set or --variant selects; "" for nothing.
  void select(const std::string& text, const std::string& variant) {
    sweep_.versions =
        parse_versions(text, known_versions(kernel_, sweep_), kernel_, place_of_versions(text));
    sweep_.version_places.clear();
    for (const std::string& name : sweep_.versions) {
      changes_.push_back({name, {}});
      const Preset& preset = *find_version(sweep_, &kernel_, name);
      if (!fitting(selected_variants(sweep_, kernel_), preset).empty()) continue;
      const std::vector<const VariantSpec*> own = fitting(all_variants(kernel_), preset);
      if (!variant.empty()) throw other_variant(preset, own, variant);
      if (own.empty()) throw other_variant(preset, own, list_variants(all_variants(kernel_)));
      for (const VariantSpec* one : own) sweep_.variants->push_back(one->name);
    }
    sweep_.variants_where.resize(sweep_.variants ? sweep_.variants->size() : 0,
                                 place_of_versions(text));
  }

  // Returns false if the assignment is of a size.
  bool change(const std::string& assignment) {
    const std::optional<std::pair<std::string, Value>> given = parameter_of(kernel_, assignment);
    if (!given) return false;
    const auto& [name, now] = *given;
    bool used = false;
    for (auto& [version, changes] : changes_) {
      Preset preset = *find_version(sweep_, &kernel_, version);
      const std::vector<const VariantSpec*> own =
          fitting(selected_variants(sweep_, kernel_), preset);
      if (std::none_of(own.begin(), own.end(), [&](const VariantSpec* variant) {
            return has_parameter(*variant, given->first);
          }))
        continue;
      used = true;
      const Value was = value_before(sweep_, kernel_, preset, name);
      if (was != now) changes.push_back({name, now, was});
      preset.values[name] = now;
      put_preset(sweep_, std::move(preset));
    }
    if (used) return true;
    std::vector<std::string> having;
    for (const VariantSpec& variant : kernel_.variants)
      if (has_parameter(variant, name)) having.push_back(variant.name);
    throw user_error(
        {fmt::format("--set {}", assignment), 0, 0},
        fmt::format("parameter '{}' is of variant {}, and {} of another", name, join(having),
                    changes_.size() == 1 ? "version '" + changes_.front().first + "' is"
                                         : "the versions are"));
  }

  [[nodiscard]] const VersionChanges& changes() const { return changes_; }

 private:
  SweepSpec& sweep_;
  const KernelSpec& kernel_;
  VersionChanges changes_;
};

// Applies all assignments, versions and variants before the others.
VersionChanges apply_all(SweepSpec& sweep, const KernelSpec& kernel,
                         const std::vector<std::string>& assignments) {
  std::string versions, variant;
  for (const std::string& assignment : assignments) {
    const std::string name = name_in(assignment), value = value_in(assignment);
    if (name == "version") versions += (versions.empty() ? "" : ",") + value;
    if (name != "variant") continue;
    apply_override(sweep, kernel, assignment);
    variant = value == "all" ? "" : value;
  }
  const bool selects = std::any_of(assignments.begin(), assignments.end(),
                                   [](const auto& one) { return name_in(one) == "version"; });
  VersionOverrides overrides(sweep, kernel);
  if (selects) overrides.select(versions, variant);
  for (const std::string& assignment : assignments) {
    const std::string name = name_in(assignment);
    if (name == "version" || name == "variant") continue;
    if (!selects || !overrides.change(assignment)) apply_override(sweep, kernel, assignment);
  }
  return overrides.changes();
}

}  // namespace

std::vector<std::string> apply_overrides(SweepSpec& sweep, const KernelSpec& kernel,
                                         const std::vector<std::string>& assignments) {
  std::vector<std::string> lines;
  for (const auto& [version, changes] : apply_all(sweep, kernel, assignments))
    if (!changes.empty()) lines.push_back(describe_changes(version, changes));
  return lines;
}

std::vector<ChosenVersion> choose_versions(const KernelSpec& kernel, const std::string& text,
                                           const std::vector<std::string>& overrides,
                                           const std::string& variant) {
  SweepSpec sweep;
  sweep.kernel = kernel.name;
  std::vector<std::string> assignments = {"version=" + text};
  if (!variant.empty()) assignments.push_back("variant=" + variant);
  assignments.insert(assignments.end(), overrides.begin(), overrides.end());
  std::vector<ChosenVersion> chosen;
  for (const auto& [name, changes] : apply_all(sweep, kernel, assignments)) {
    ChosenVersion& version = chosen.emplace_back();
    version.name = name;
    version.title = changed_title(name, changes);
    version.change = describe_changes(name, changes);
    version.values = find_version(sweep, &kernel, name)->values;
    version.variant = version.values.at("variant").as_string();
    version.values.erase("variant");
  }
  return chosen;
}

}  // namespace warpwright
