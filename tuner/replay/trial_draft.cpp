#include "replay/trial_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/board/configuration_times.h"
#include "core/error.h"

namespace warpwright {
namespace {

struct ValueBefore {
  bool operator()(const Value& a, const Value& b) const { return value_before(a, b); }
};
using ValueLevels = std::map<Value, std::uint32_t, ValueBefore>;

struct VariantLevels {
  std::size_t first = 0;                      // row of the variant
  std::map<std::string, ValueLevels> levels;  // of its parameters
};

std::vector<std::string> names_of(const ParameterValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "no parameters" : fmt::format("{}", fmt::join(names, ", "));
}

[[noreturn]] void throw_different(const RecordingDraft& draft, std::size_t row,
                                  const TrialRecord& trial, std::size_t other,
                                  const TrialRecord& first) {
  throw user_error(fmt::format(
      "{}: {} has {}, and {} has {}; all configurations of a {} have the same parameters",
      draft.head.file, draft.row_name(row), list_of(names_of(*trial.parameters)),
      draft.row_name(other), list_of(names_of(*first.parameters)),
      trial.variant.empty() ? "recording" : "variant"));
}

std::map<std::string, VariantLevels> collect(const std::vector<const TrialRecord*>& trials,
                                             const RecordingDraft& draft) {
  std::map<std::string, VariantLevels> variants;
  for (std::size_t row = 0; row < trials.size(); ++row) {
    const TrialRecord& trial = *trials[row];
    const auto [found, added] = variants.try_emplace(trial.variant, VariantLevels{row, {}});
    const TrialRecord& first = *trials[found->second.first];
    if (!added && names_of(*trial.parameters) != names_of(*first.parameters))
      throw_different(draft, row, trial, found->second.first, first);
    for (const auto& [name, value] : *trial.parameters) found->second.levels[name][value] = 0;
  }
  for (auto& [variant, one] : variants) {
    for (auto& [name, levels] : one.levels) {
      std::uint32_t level = 0;
      for (auto& [value, number] : levels) number = level++;
    }
  }
  return variants;
}

bool is_time(const std::optional<double>& us) { return us && std::isfinite(*us) && *us > 0; }

RecordedRow row_of(const TrialRecord& trial, std::size_t group, const VariantLevels& variant) {
  RecordedRow row;
  row.place.group = group;
  for (const auto& [name, value] : *trial.parameters)
    row.place.levels.push_back(variant.levels.at(name).at(value));
  row.status = trial.status;
  if (trial.status == Status::kOk && is_time(trial.median_us)) row.us = trial.median_us;
  if (trial.status == Status::kPruned && is_time(trial.at_least_us))
    row.at_least_us = trial.at_least_us;
  return row;
}

}  // namespace

bool is_rejected(const TrialRecord& trial) {
  return trial.status == Status::kInvalid && trial.protocol.starts_with("imported");
}

void add_trials(const std::vector<const TrialRecord*>& trials, RecordingDraft& draft) {
  const std::map<std::string, VariantLevels> variants = collect(trials, draft);
  std::map<std::string, std::size_t> groups;
  for (const auto& [name, variant] : variants) {
    groups[name] = draft.groups.size();
    RecordingDraft::Group& group = draft.groups.emplace_back();
    group.variant = name;
    for (const auto& [parameter, levels] : variant.levels) {
      SearchSpace::Axis& axis = group.axes.emplace_back();
      axis.name = parameter;
      for (const auto& [value, level] : levels) axis.values.push_back(value);
    }
  }
  for (const TrialRecord* trial : trials) {
    draft.rows.push_back(row_of(*trial, groups.at(trial->variant), variants.at(trial->variant)));
  }
}

}  // namespace warpwright
