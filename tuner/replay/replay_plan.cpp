#include "replay/replay_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/suggest.h"
#include "exchange/t4/t4_values.h"

namespace warpwright {
namespace {

std::vector<std::string> known_strategies() {
  std::vector<std::string> names;
  for (const auto& [name, help] : strategy_names()) names.push_back(name);
  return names;
}

void add_strategy(const std::string& name, std::vector<ReplayStrategy>& strategies) {
  const bool there = std::any_of(strategies.begin(), strategies.end(),
                                 [&](const ReplayStrategy& one) { return one.name == name; });
  if (!there) strategies.push_back({name});
}

ReplayStrategy& strategy_named(const std::string& setting, const std::string& name,
                               std::vector<ReplayStrategy>& strategies) {
  std::vector<std::string> names;
  for (ReplayStrategy& strategy : strategies) {
    if (strategy.name == name) return strategy;
    names.push_back(strategy.name);
  }
  throw user_error(fmt::format("--set {}: '{}' is not a strategy of this replay{}", setting, name,
                               suggestion(name, names)));
}

void apply_setting(const std::string& setting, std::vector<ReplayStrategy>& strategies) {
  const std::size_t equals = setting.find('=');
  const std::size_t dot = setting.find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 >= equals ||
      equals + 1 == setting.size()) {
    throw user_error(fmt::format(
        "--set {}: expected STRATEGY.OPTION=VALUE; for example --set genetic.population=30",
        setting));
  }
  ReplayStrategy& strategy = strategy_named(setting, setting.substr(0, dot), strategies);
  strategy.values[setting.substr(dot + 1, equals - dot - 1)] =
      read_value(setting.substr(equals + 1));
}

}  // namespace

std::vector<ReplayStrategy> strategies_of(const std::vector<std::string>& names,
                                          const std::vector<std::string>& settings) {
  const std::vector<std::string> known = known_strategies();
  std::vector<ReplayStrategy> strategies;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const std::string& one : known)
        if (one != "exhaustive") add_strategy(one, strategies);
    } else if (std::find(known.begin(), known.end(), name) != known.end()) {
      add_strategy(name, strategies);
    } else {
      throw user_error(
          fmt::format("--strategy: unknown strategy '{}'{}", name, suggestion(name, known)));
    }
  }
  for (const std::string& setting : settings) apply_setting(setting, strategies);
  return strategies;
}

void check_runs(std::size_t recordings, const ReplayPlan& plan) {
  const double runs = static_cast<double>(recordings) *
                      static_cast<double>(plan.strategies.size()) *
                      static_cast<double>(plan.budgets.size()) * static_cast<double>(plan.repeats);
  if (runs <= kMostRuns) return;
  throw user_error(fmt::format(
      "{:.0f} runs ({} x {} x {} x {}: recordings, strategies, budgets, repeats), "
      "expected at most {:.0f}; lower --repeats",
      runs, recordings, plan.strategies.size(), plan.budgets.size(), plan.repeats, kMostRuns));
}

}  // namespace warpwright
