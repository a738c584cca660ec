#include "analysis/insight/importance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "core/words.h"
#include "stats/regression_forest.h"
#include "stats/split_mix.h"

namespace warpwright {
namespace {

// A forest over more times would take seconds and give the same result.
constexpr std::size_t kMaxForForest = 4096;
constexpr double kLeastInteraction = 0.01;
// Times that differ by less are equal for any clock.
constexpr double kLeastSpread = 1e-9;

using TimeList = std::vector<const ConfigurationTime*>;

bool value_less(const Value& a, const Value& b) { return value_before(a, b); }
using ValueSet = std::set<Value, decltype(&value_less)>;

KnownTime known(const ConfigurationTime& time) { return {time.us, time.at_least}; }

std::size_t count_pruned(const TimeList& times) {
  return static_cast<std::size_t>(
      std::count_if(times.begin(), times.end(), [](const auto* time) { return time->at_least; }));
}

// Maps each name to its values; only parameters that vary and that every configuration has.
std::map<std::string, std::vector<Value>> varied_parameters(const TimeList& times) {
  std::map<std::string, ValueSet> seen;
  std::map<std::string, std::size_t> holders;
  for (const ConfigurationTime* time : times) {
    for (const auto& [name, value] : time->values) {
      seen.try_emplace(name, &value_less).first->second.insert(value);
      ++holders[name];
    }
  }
  std::map<std::string, std::vector<Value>> varied;
  for (const auto& [name, values] : seen) {
    if (values.size() > 1 && holders[name] == times.size())
      varied[name] = {values.begin(), values.end()};
  }
  return varied;
}

std::vector<ValueTimes> times_by_value(const TimeList& times, const std::string& name,
                                       const std::vector<Value>& values) {
  std::vector<ValueTimes> by_value;
  for (const Value& value : values) {
    std::vector<KnownTime> here;
    ValueTimes& result = by_value.emplace_back();
    result.value = value;
    for (const ConfigurationTime* time : times) {
      if (time->values.at(name) != value) continue;
      here.push_back(known(*time));
      result.pruned += time->at_least;
    }
    result.configurations = here.size();
    result.best = shortest(here);
    result.median = median_time(here);
  }
  return by_value;
}

// A random subset if there are many times, the same one on every call.
TimeList forest_sample(TimeList times) {
  SplitMix64 random(1);
  for (std::size_t i = 0; i < kMaxForForest && times.size() > kMaxForForest; ++i) {
    const auto rest = static_cast<std::uint32_t>(times.size() - i);
    std::swap(times[i], times[i + random.below(rest)]);
  }
  if (times.size() > kMaxForForest) times.resize(kMaxForForest);
  return times;
}

ForestData forest_data(const TimeList& times,
                       const std::map<std::string, std::vector<Value>>& parameters) {
  ForestData data;
  for (const auto& [name, values] : parameters) {
    const bool ordered = std::none_of(values.begin(), values.end(),
                                      [](const Value& value) { return value.is_string(); });
    data.features.push_back({values.size(), ordered});
  }
  for (const ConfigurationTime* time : times) {
    std::vector<std::uint32_t>& row = data.rows.emplace_back();
    for (const auto& [name, values] : parameters) {
      const auto at =
          std::lower_bound(values.begin(), values.end(), time->values.at(name), value_before);
      row.push_back(static_cast<std::uint32_t>(at - values.begin()));
    }
    data.responses.push_back(std::log(time->us));
  }
  return data;
}

// Computes the shares.
void add_shares(const TimeList& times, const std::map<std::string, std::vector<Value>>& parameters,
                VariantImportance& importance) {
  const ForestData data = forest_data(forest_sample(times), parameters);
  const RegressionForest forest(data);
  const FunctionalAnova anova = functional_anova(forest, data);
  importance.r_squared = forest.out_of_bag_r2();
  std::vector<std::string> names;
  for (const auto& [name, values] : parameters) {
    const std::size_t i = names.size();
    names.push_back(name);
    importance.parameters.push_back(
        {name, anova.main[i], forest.permutation_loss()[i], times_by_value(times, name, values)});
  }
  importance.higher_share = anova.higher;
  for (const AnovaPair& pair : anova.pairs) {
    if (pair.share >= kLeastInteraction) {
      importance.interactions.push_back({names[pair.first], names[pair.second], pair.share});
    } else {
      importance.higher_share += pair.share;
    }
  }
  std::stable_sort(importance.parameters.begin(), importance.parameters.end(),
                   [](const auto& a, const auto& b) { return a.main_share > b.main_share; });
  std::stable_sort(importance.interactions.begin(), importance.interactions.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
}

VariantImportance judge_variant(const std::string& variant, const TimeList& times) {
  VariantImportance importance;
  importance.variant = variant;
  importance.configurations = times.size();
  importance.pruned = count_pruned(times);
  std::vector<KnownTime> all;
  for (const ConfigurationTime* time : times) all.push_back(known(*time));
  importance.best = shortest(all);
  double slowest = importance.best.us;
  for (const KnownTime& time : all) slowest = std::max(slowest, time.us);
  importance.slowest_over_best = slowest / importance.best.us;

  const auto parameters = varied_parameters(times);
  if (times.size() < kLeastForImportance) {
    importance.why_not = fmt::format("{}, at least {} are needed",
                                     plural(times.size(), "configuration"), kLeastForImportance);
  } else if (parameters.empty()) {
    importance.why_not = "no parameter varies";
  } else if (importance.slowest_over_best < 1 + kLeastSpread) {
    importance.why_not = "all times are equal";
  } else {
    add_shares(times, parameters, importance);
  }
  return importance;
}

// One-way analysis of variance of the logarithms: between variants / in all.
std::optional<double> variant_share(const std::map<std::string, TimeList>& variants,
                                    std::size_t count) {
  if (variants.size() < 2) return std::nullopt;
  double mean = 0;
  for (const auto& [variant, times] : variants)
    for (const auto* time : times) mean += std::log(time->us) / static_cast<double>(count);
  double between = 0;
  double all = 0;
  for (const auto& [variant, times] : variants) {
    double sum = 0;
    for (const auto* time : times) {
      const double deviation = std::log(time->us) - mean;
      sum += deviation;
      all += deviation * deviation;
    }
    between += sum * sum / static_cast<double>(times.size());
  }
  // Rounding leaves a residue even if all times are equal.
  if (all <= kLeastSpread * kLeastSpread * static_cast<double>(count)) return std::nullopt;
  return std::min(1.0, between / all);
}

}  // namespace

Importance parameter_importance(const Leaderboard& board) {
  Importance importance;
  importance.modelled = board.modelled;
  importance.imported = board.imported.has_value();
  const std::vector<ConfigurationTime> times = configuration_times(board);
  importance.configurations = times.size();
  std::map<std::string, TimeList> variants;
  for (const ConfigurationTime& time : times) {
    variants[time.variant].push_back(&time);
    importance.pruned += time.at_least;
  }
  importance.variant_share = variant_share(variants, times.size());
  for (const auto& [variant, of_variant] : variants)
    importance.variants.push_back(judge_variant(variant, of_variant));
  std::stable_sort(importance.variants.begin(), importance.variants.end(),
                   [](const auto& a, const auto& b) { return a.best.us < b.best.us; });
  return importance;
}

std::optional<ImportantPair> most_important_pair(const Importance& importance) {
  for (const VariantImportance& variant : importance.variants) {
    std::optional<ImportantPair> best;
    double most = -1;
    for (std::size_t i = 0; i < variant.parameters.size(); ++i) {
      for (std::size_t j = i + 1; j < variant.parameters.size(); ++j) {
        const ParameterImportance& a = variant.parameters[i];
        const ParameterImportance& b = variant.parameters[j];
        double share = a.main_share + b.main_share;
        for (const InteractionImportance& pair : variant.interactions) {
          if ((pair.first == a.name && pair.second == b.name) ||
              (pair.first == b.name && pair.second == a.name))
            share += pair.share;
        }
        if (share <= most) continue;
        most = share;
        best = ImportantPair{variant.variant, a.name, b.name};
      }
    }
    if (best) return best;
  }
  return std::nullopt;
}

namespace {

// Configurations that differ only in the parameter: those that were tried, and the number of
// distinct programs.
struct Siblings {
  std::size_t tried = 0;
  std::set<RowId> programs;
};

std::string without(const ParameterValues& values, const std::string& parameter,
                    const std::string& variant) {
  std::string text = variant;
  for (const auto& [name, value] : values)
    if (name != parameter) text += '\n' + name + '=' + value.to_string();
  return text;
}

}  // namespace

std::vector<IdleParameter> idle_parameters(const Leaderboard& board) {
  std::map<std::string, std::map<std::string, Siblings>> by_parameter;
  for (const LeaderboardEntry& entry : board.entries) {
    const TrialRecord& trial = entry.row.trial;
    for (const auto& [name, value] : *trial.parameters) {
      Siblings& siblings = by_parameter[name][without(*trial.parameters, name, trial.variant)];
      ++siblings.tried;
      siblings.programs.insert(trial.same_as.value_or(trial.id));
    }
  }
  std::vector<IdleParameter> idle;
  for (const auto& [name, families] : by_parameter) {
    IdleParameter one{name, 0};
    bool differs = false;
    for (const auto& [others, siblings] : families) {
      if (siblings.tried < 2) continue;
      one.configurations += siblings.tried;
      differs = differs || siblings.programs.size() > 1;
    }
    if (!differs && one.configurations > 0) idle.push_back(std::move(one));
  }
  return idle;
}

}  // namespace warpwright
