#include "harness/selftest/tau.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "stats/rank_correlation.h"

namespace warpwright {
namespace {

constexpr const char* kTauConfig = "harness_spin.yaml";
constexpr const char* kSize = "201 configurations";

SweepOptions options_of(std::uint64_t seed, bool screening, std::uint64_t space_count) {
  SweepOptions options;
  options.strategy = "random";
  options.seed = seed;
  options.screening = screening;
  options.budget = Budget{static_cast<std::int64_t>(space_count), std::nullopt};
  return options;
}

}  // namespace

Figure tau_figure(const SweepResult& one, const SweepResult& other) {
  std::map<Configuration, double> times;
  for (const SweptTrial& trial : one.trials)
    if (trial.status == Status::kOk && trial.median_us)
      times[trial.configuration] = *trial.median_us;
  std::vector<double> x;
  std::vector<double> y;
  for (const SweptTrial& trial : other.trials) {
    const auto known = times.find(trial.configuration);
    if (trial.status != Status::kOk || !trial.median_us || known == times.end()) continue;
    x.push_back(known->second);
    y.push_back(*trial.median_us);
  }
  Figure figure{"tau", "Kendall tau-b of two orders", kSize, 0, "", Target::at_least(0.95), {}};
  figure.value = kendall_tau_b(x, y);
  figure.detail = fmt::format("{} were timed in both", of(x.size(), other.trials.size()));
  return figure;
}

Figure ties_figure(const SweepResult& one, const SweepResult& other) {
  std::size_t common = 0;
  for (const Configuration& configuration : one.tied)
    if (std::find(other.tied.begin(), other.tied.end(), configuration) != other.tied.end())
      ++common;
  return {
      "tau",
      "best in both orders",
      kSize,
      static_cast<double>(common),
      "",
      Target::at_least(1),
      fmt::format("{} are tied in one and {} in the other", one.tied.size(), other.tied.size())};
}

Figure screening_figure(const SweepResult& screened, const SweepResult& full) {
  const double screened_seconds = screened.measure_seconds + screened.ranking_seconds;
  Figure figure{"tau", "screening and ranking against measuring all", kSize, 0, "%", {}, {}};
  figure.target = Target::at_most(100.0 / 3);
  // 0/0 is NaN: nothing was measured, and nothing is proven.
  figure.value = 100 * screened_seconds / full.measure_seconds;
  figure.detail = fmt::format("{:.2f} s, of which the ranking {:.2f}, against {:.2f} s",
                              screened_seconds, screened.ranking_seconds, full.measure_seconds);
  return figure;
}

SectionResult run_tau(const Workers& workers, const RunSweep& sweep, std::uint64_t space_count) {
  SectionResult result;
  workers.step("measuring 201 configurations fully, in one order");
  const SweepResult one = sweep(kTauConfig, options_of(101, false, space_count));
  workers.step("measuring 201 configurations fully, in another order");
  const SweepResult other = sweep(kTauConfig, options_of(202, false, space_count));
  workers.step("the same with screening");
  const SweepResult screened = sweep(kTauConfig, options_of(101, true, space_count));
  result.figures = {tau_figure(one, other), ties_figure(one, other),
                    screening_figure(screened, one)};
  result.raw = {{"one", one}, {"other", other}, {"screened", screened}};
  for (const SweepResult* each : {&one, &other, &screened}) result.protocols.insert(each->protocol);
  return result;
}

}  // namespace warpwright
