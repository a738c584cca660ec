#include "harness/selftest/sweep_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "analysis/board/leaderboard.h"
#include "core/error.h"
#include "core/files.h"
#include "space/search_space.h"
#include "spec/sweep_spec.h"
#include "stats/rank_correlation.h"
#include "store/database.h"
#include "sweep/sweep_plan.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

nlohmann::json texts(const std::vector<Configuration>& configurations) {
  nlohmann::json list = nlohmann::json::array();
  for (const Configuration& one : configurations) list.push_back(one.to_string());
  return list;
}

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

constexpr double kGoodEnough = 1.01;

constexpr const char* kConfig = "harness_faults.yaml";
constexpr const char* kGood = "scaled";
constexpr std::size_t kBad = 3;

// Whether a trial of a bad variant ended in an expected way.
bool ended_as_expected(const std::string& variant, Status status) {
  if (variant == "hang") return status == Status::kTimeout;
  return status == Status::kLaunchFailed || status == Status::kCrashed;
}

}  // namespace

void to_json(nlohmann::json& json, const SweepResult& result) {
  json = {{"ended", run_end_name(result.ended)},
          {"wall_seconds", result.wall_seconds},
          {"measure_seconds", result.measure_seconds},
          {"ranking_seconds", result.ranking_seconds},
          {"protocol", result.protocol},
          {"trials", nlohmann::json::array()},
          {"ranked", texts(result.ranked)},
          {"tied", texts(result.tied)}};
  for (const SweptTrial& trial : result.trials) {
    json["trials"].push_back({{"configuration", trial.configuration.to_string()},
                              {"status", status_name(trial.status)},
                              {"reason", trial.reason},
                              {"median_us", nullptr}});
    if (trial.median_us) json["trials"].back()["median_us"] = *trial.median_us;
  }
}

SweepResult read_sweep_result(const SweepSummary& summary) {
  SweepResult result;
  result.ended = summary.ended;
  result.wall_seconds = summary.wall_seconds;
  result.measure_seconds = summary.trial_measure_seconds;
  result.ranking_seconds = summary.ranking_seconds;
  const Database database(summary.database, OpenMode::kReadOnly);
  const std::vector<Database::TrialRow> rows = database.trials({});
  for (const Database::TrialRow& row : rows) {
    result.trials.push_back(
        {row.trial.configuration(), row.trial.status, row.trial.reason, row.trial.median_us});
  }
  for (const Leaderboard& board : make_leaderboards(rows, database.rankings({}))) {
    if (board.entries.empty()) continue;
    result.protocol = board.protocol;
    for (const LeaderboardEntry& entry : board.entries) {
      result.ranked.push_back(entry.row.trial.configuration());
      if (entry.tied_with_best) result.tied.push_back(result.ranked.back());
    }
    break;
  }
  return result;
}

RunSweep sweep_runner(const Paths& paths, const std::string& device) {
  return [paths, device](const std::string& config, SweepOptions options) {
    const TemporaryFolder folder("warpwright-selftest");
    options.config = paths.home / "configs" / config;
    options.device = device;
    options.database = folder.path() / "sweep.db";
    options.fresh = true;
    options.quiet = true;
    options.command_line = "selftest";
    const SweepSummary summary = run_sweep(options, paths);
    if (summary.ended == RunEnd::kInterrupted) throw Interrupted{};
    return read_sweep_result(summary);
  };
}

SpaceTruth::SpaceTruth(const std::filesystem::path& config,
                       const std::filesystem::path& kernel_file, const DeviceInfo& device)
    : kernel_(read_kernel(kernel_file)), device_(device) {
  const SweepSpec sweep = read_sweep(config);
  check_sweep(sweep, kernel_);
  const ProblemChoice& choice = sweep.problems.front();
  problem_ = complete_problem(kernel_, choice.sizes, choice.where);
  const auto space =
      solve_space(define_space(sweep, &kernel_, problem_, device_constants(device_)));
  count_ = space->count();
  best_steps_ = std::numeric_limits<std::int64_t>::max();
  space->for_each([&](const Configuration& configuration) {
    best_steps_ = std::min(best_steps_, steps(configuration));
    return true;
  });
}

std::int64_t SpaceTruth::steps(const Configuration& configuration) const {
  const auto found =
      std::find_if(kernel_.arguments.begin(), kernel_.arguments.end(),
                   [](const ArgumentSpec& argument) { return argument.name == "cost_steps"; });
  if (found == kernel_.arguments.end()) {
    throw user_error({kernel_.file.string(), 0, 0},
                     "expected an argument 'cost_steps' that gives the true time of a "
                     "configuration, got none");
  }
  return found->value.evaluate_integer(
      trial_environment(kernel_, configuration, problem_, device_));
}

double SpaceTruth::relative(const Configuration& configuration) const {
  return static_cast<double>(steps(configuration)) / static_cast<double>(best_steps_);
}

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

Figure picks_figure(const std::vector<SweepResult>& tunings, const SpaceTruth& truth) {
  std::size_t good = 0;
  std::size_t none = 0;
  double worst = 1;
  for (const SweepResult& tuning : tunings) {
    if (tuning.ranked.empty()) {
      ++none;
      continue;
    }
    const double relative = truth.relative(tuning.ranked.front());
    worst = std::max(worst, relative);
    if (relative <= kGoodEnough) ++good;
  }
  Figure figure{"picks", "within 1 % of the true best", "", 0, "%", Target::at_least(98), {}};
  figure.size = fmt::format("{} configurations", truth.count());
  figure.value = percent(good, tunings.size());
  figure.detail = fmt::format("{} tunings; the worst pick is {:.2f} % slower than the best",
                              of(good, tunings.size()), 100 * (worst - 1));
  if (none > 0) figure.detail += fmt::format("; {} found nothing", none);
  return figure;
}

SectionResult run_picks(const Workers& workers, const RunSweep& sweep, const SpaceTruth& truth,
                        int tunings) {
  SectionResult result;
  result.raw = nlohmann::json::array();
  std::vector<SweepResult> done;
  for (int seed = 1; seed <= tunings; ++seed) {
    workers.step(fmt::format("tuning {} of {}", seed, tunings));
    SweepOptions options;
    options.strategy = "random";
    options.seed = static_cast<std::uint64_t>(seed);
    done.push_back(sweep("harness_spin.yaml", options));
    result.protocols.insert(done.back().protocol);
    nlohmann::json raw = done.back();
    raw["seed"] = seed;
    if (!done.back().ranked.empty())
      raw["pick_over_best"] = truth.relative(done.back().ranked.front());
    result.raw.push_back(std::move(raw));
  }
  result.figures.push_back(picks_figure(done, truth));
  return result;
}

std::vector<Figure> fault_figures(const SweepResult& with, const SweepResult& without) {
  const std::string size = fmt::format("{} configurations", with.trials.size());
  const auto good = static_cast<std::size_t>(
      std::count_if(without.trials.begin(), without.trials.end(),
                    [](const SweptTrial& trial) { return trial.configuration.variant == kGood; }));
  const auto ranked = static_cast<std::size_t>(std::count_if(
      with.ranked.begin(), with.ranked.end(),
      [](const Configuration& configuration) { return configuration.variant == kGood; }));
  Figure complete{"faults", "good ones ranked", size, 0, "", {}, {}};
  complete.target = Target::at_least(static_cast<double>(std::max<std::size_t>(good, 1)));
  complete.detail = fmt::format("the sweep ended: {}", run_end_name(with.ended));
  if (with.ended == RunEnd::kComplete)
    complete.value = static_cast<double>(ranked);
  else
    complete.value = std::numeric_limits<double>::quiet_NaN();

  std::size_t named = 0;
  std::string ends;
  for (const SweptTrial& trial : with.trials) {
    if (trial.configuration.variant == kGood) continue;
    if (ended_as_expected(trial.configuration.variant, trial.status)) ++named;
    ends += fmt::format("{}{} {}", ends.empty() ? "" : ", ", trial.configuration.variant,
                        status_name(trial.status));
  }
  const Figure statuses{
      "faults", "bad ones named", size, static_cast<double>(named), "", Target::between(kBad, kBad),
      ends};

  const Figure lost{
      "faults",
      "time lost to them",
      size,
      with.wall_seconds - without.wall_seconds,
      "s",
      Target::at_most(30),
      fmt::format("{:.1f} s with them, {:.1f} s without", with.wall_seconds, without.wall_seconds)};
  return {complete, statuses, lost};
}

SectionResult run_faults(const Workers& workers, const RunSweep& sweep) {
  SectionResult result;
  SweepOptions options;
  // A pruned configuration would be missing for a reason unrelated to faults.
  options.screening = false;
  workers.step("a sweep with kernels that hang, crash and stray");
  const SweepResult with = sweep(kConfig, options);
  workers.step("the same sweep without them");
  options.overrides = {fmt::format("variant={}", kGood)};
  const SweepResult without = sweep(kConfig, options);
  result.figures = fault_figures(with, without);
  result.raw = {{"with", with}, {"without", without}};
  result.protocols = {with.protocol, without.protocol};
  return result;
}

}  // namespace warpwright
