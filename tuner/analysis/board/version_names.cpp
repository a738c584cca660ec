#include "analysis/board/version_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "core/error.h"
#include "spec/versions.h"

namespace warpwright {
namespace {

constexpr const char* kVariant = "variant";
constexpr std::string_view kSection = "presets:";

bool agrees(const ParameterValues& values, const ParameterValues& wanted, bool must_have) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const auto& entry) {
    const auto found = values.find(entry.first);
    return found == values.end() ? !must_have : found->second == entry.second;
  });
}

// The parameters that a sweep pins for all configurations; a contract's version has values of its
// own.
ParameterValues pinned(const SweepSpec* sweep) {
  ParameterValues values;
  if (sweep == nullptr) return values;
  for (const SpaceParameter& axis : sweep->space)
    if (axis.values.size() == 1) values[axis.name] = axis.values.front();
  return values;
}

NamedVersion named(const Preset& preset, const SweepSpec* sweep, const KernelSpec* kernel) {
  NamedVersion version{preset.name, {}};
  version.others = pinned(sweep);
  for (const auto& [name, value] : preset.values) {
    if (name == kVariant) continue;
    // A contract has completed its presets by defaults, which have no places.
    const bool given = preset.value_where.empty() || preset.value_where.contains(name);
    (given ? version.values : version.others).insert_or_assign(name, value);
  }
  if (kernel != nullptr) {
    const std::vector<const VariantSpec*> selected =
        selected_variants(sweep == nullptr ? SweepSpec{} : *sweep, *kernel);
    for (const VariantSpec* variant : selected)
      if (has_all_of(*variant, preset)) version.variants.push_back(variant->name);
    for (const ParameterSpec& parameter : kernel->parameters)
      version.others.emplace(parameter.name, parameter.default_value);
  }
  if (const auto variant = preset.values.find(kVariant); variant != preset.values.end())
    version.variants = {variant->second.to_string()};
  for (const auto& [name, value] : version.values) version.others.erase(name);
  return version;
}

template <typename Read>
auto if_readable(Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error&) {
    return std::nullopt;  // of a warpwright with other keys, or no longer valid
  }
}

}  // namespace

bool is_version(const TrialRecord& trial, const NamedVersion& version) {
  const ParameterValues& values = *trial.parameters;
  return (version.variants.empty() || std::find(version.variants.begin(), version.variants.end(),
                                                trial.variant) != version.variants.end()) &&
         agrees(values, version.values, true) && agrees(values, version.others, false);
}

std::vector<NamedVersion> named_versions(const SweepSpec* sweep, const KernelSpec* kernel) {
  std::vector<NamedVersion> versions;
  const auto known = [&](const std::string& name) {
    return std::find_if(versions.begin(), versions.end(),
                        [&](const NamedVersion& one) { return one.name == name; });
  };
  if (kernel != nullptr)
    for (const Preset& preset : kernel->presets) versions.push_back(named(preset, nullptr, kernel));
  if (sweep == nullptr) return versions;
  for (const Preset& preset : sweep->presets) {
    NamedVersion version = named(preset, sweep, kernel);
    const auto same = known(preset.name);
    if (same == versions.end()) {
      versions.push_back(std::move(version));
    } else {
      *same = std::move(version);
    }
  }
  return versions;
}

std::string stored_version_name(std::string title) {
  for (char& letter : title)
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  return title;
}

std::string version_title(const NamedVersion& version, const std::vector<NamedVersion>& known) {
  for (const NamedVersion& base : known) {
    if (!version.name.starts_with(stored_version_name(base.name) + "_")) continue;
    // The changes stand in the order in which the user gave them.
    std::map<std::size_t, std::string> changes;
    for (const auto& [name, value] : version.values) {
      const auto own = base.values.find(name), other = base.others.find(name);
      const bool has_own = own != base.values.end();
      if (!has_own && other == base.others.end()) continue;
      if ((has_own ? own : other)->second == value) continue;
      const std::string change = fmt::format(" {}={}", name, value.to_string());
      changes[version.name.find(stored_version_name(change))] = change;
    }
    std::string title = base.name + (changes.empty() ? "" : " with");
    for (const auto& [place, change] : changes) title += change;
    if (stored_version_name(title) == version.name) return title;
    for (const std::string& variant : version.variants)
      if (stored_version_name(title + " of " + variant) == version.name)
        return title + " of " + variant;
  }
  return version.name;
}

VersionNames::VersionNames(const Database& database) {
  std::map<std::string, std::string> contracts;  // texts by kernel, the newest
  for (auto& [id, kernel] : database.kernels()) contracts[kernel.name] = kernel.contract_text;
  std::map<std::string, std::optional<KernelSpec>> kernels;
  const auto contract_of = [&](const std::string& name) -> const KernelSpec* {
    const auto [place, fresh] = kernels.try_emplace(name);
    const auto text = contracts.find(name);
    if (fresh && text != contracts.end())
      place->second =
          if_readable([&] { return parse_stored_kernel(text->second, name + "/kernel.yaml"); });
    return place->second ? &*place->second : nullptr;
  };
  for (const auto& [name, text] : contracts)
    if (text.find(kSection) != std::string::npos)
      of_contract_[name] = named_versions(nullptr, contract_of(name));
  for (const auto& [id, stored] : database.runs()) {
    const RunRecord& run = stored;  // clang 14 lets no lambda capture a structured binding
    if (run.config_text.find(kSection) == std::string::npos) continue;
    const std::optional<SweepSpec> sweep = if_readable(
        [&] { return parse_sweep(run.config_text, run.config_path, OtherVersions::kKeep); });
    if (!sweep || sweep->kernel.empty()) continue;
    const auto versions =
        if_readable([&] { return named_versions(&*sweep, contract_of(sweep->kernel)); });
    if (!versions) continue;
    runs_[id] = *versions;
    std::vector<RowId>& of_kernel = of_kernels_[sweep->kernel];
    of_kernel.insert(of_kernel.begin(), id);
  }
}

const std::vector<NamedVersion>& VersionNames::of_run(RowId run) const {
  static const std::vector<NamedVersion> kNone;
  const auto found = runs_.find(run);
  return found == runs_.end() ? kNone : found->second;
}

std::vector<NamedVersion> VersionNames::of_kernel(const std::string& kernel) const {
  std::vector<NamedVersion> versions;
  std::set<std::string> names;
  const auto add = [&](const std::vector<NamedVersion>& more) {
    for (const NamedVersion& version : more)
      if (names.insert(version.name).second) versions.push_back(version);
  };
  if (const auto runs = of_kernels_.find(kernel); runs != of_kernels_.end())
    for (const RowId run : runs->second) add(runs_.at(run));
  if (const auto contract = of_contract_.find(kernel); contract != of_contract_.end())
    add(contract->second);
  return versions;
}

void VersionNames::add_to(Leaderboard& board) const {
  const std::vector<NamedVersion> newest = of_kernel(board.kernel);
  if (newest.empty()) return;
  std::set<std::string> given;
  const auto name_by = [&](LeaderboardEntry& entry, const std::vector<NamedVersion>& versions) {
    if (!entry.version.empty()) return;
    for (const NamedVersion& version : versions) {
      if (given.contains(version.name) || !is_version(entry.row.trial, version)) continue;
      entry.version = version.name;
      given.insert(version.name);
      return;
    }
  };
  for (LeaderboardEntry& entry : board.entries) name_by(entry, of_run(entry.row.trial.run));
  for (LeaderboardEntry& entry : board.entries) name_by(entry, newest);
}

void VersionNames::add_to(std::vector<Leaderboard>& boards) const {
  for (Leaderboard& board : boards) add_to(board);
}

}  // namespace warpwright
