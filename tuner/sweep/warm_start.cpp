#include "sweep/warm_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/words.h"
#include "metrics/trial_metrics.h"
#include "records/times.h"
#include "sweep/possible_times.h"

namespace warpwright {

WarmStart::WarmStart(const SweepOptions& options, const SweepPlan& plan,
                     const std::map<std::string, std::string>& variant_hashes,
                     const Database& database)
    : options_(options), plan_(plan), variant_hashes_(variant_hashes) {
  listened_to_ = std::any_of(plan.boards.begin(), plan.boards.end(),
                             [](const PlannedBoard& board) { return board.warm_start; });
  if (!listened_to_) return;
  for (const DeviceGroup& group : plan.groups) {
    for (const std::size_t device : group.distinct)
      lead_of_.emplace(plan.devices[device].fingerprint(),
                       plan.devices[group.lead()].fingerprint());
  }
  try {
    for (const auto& [id, device] : database.devices())
      if (const DeviceInfo* info = device.details.readable())
        devices_.emplace(device.fingerprint, *info);
    for (const auto& [id, run] : database.runs())
      if (run.strategy == plan.strategy && run.seed == options.seed) like_runs_.insert(id);
    Database::TrialFilter filter;
    filter.kernel = plan.kernel.name;
    filter.newest_per_key = false;
    const PeaksByDevice peaks = peaks_of(plan, database);
    for (const Database::TrialRow& row : database.trials(filter)) add(row, peaks);
  } catch (const Error& error) {
    trouble_ = error.message();
  }
}

bool WarmStart::like_this(RowId run) const { return !options_.fresh && like_runs_.contains(run); }

void WarmStart::add(const Database::TrialRow& row, const PeaksByDevice& peaks) {
  const TrialRecord& trial = row.trial;
  const auto lead = lead_of_.find(row.device_fingerprint);
  const std::string& fingerprint = lead == lead_of_.end() ? row.device_fingerprint : lead->second;
  const auto hash = variant_hashes_.find(trial.variant);
  const bool current = hash != variant_hashes_.end() && hash->second == row.contract_hash;
  if (current && like_this(trial.run))
    first_of_.try_emplace({fingerprint, trial.problem_text}, trial.id);
  const ParameterValues* values = trial.parameters.readable();
  if (values == nullptr || has_impossible_time(row, peaks)) return;
  const auto device = devices_.find(row.device_fingerprint);
  const std::optional<double> cost =
      cost_of(trial, device == devices_.end() ? nullptr : &device->second);
  if (!cost) return;
  const Problem* problem = trial.problem.readable();
  const std::size_t place =
      place_of(trial, {fingerprint, row.device_name, row.device_arch, trial.modelled,
                       problem == nullptr ? Problem() : *problem, trial.problem_text});
  results_.push_back(
      {trial.id, false, place, row.contract_generation, current, {trial.variant, *values}, *cost});
}

void WarmStart::note(std::size_t board, const TrialRecord& trial) {
  if (!listened_to_) return;
  const SweepBoard& own = plan_.boards[board].summary;
  const std::optional<double> cost = cost_of(trial, &own.device);
  if (!cost) return;
  const std::size_t place =
      place_of(trial, {own.device.fingerprint(), own.device.name, own.device.arch, trial.modelled,
                       own.problem, own.problem_text});
  results_.push_back({trial.id, true, place, std::numeric_limits<std::int64_t>::max(), true,
                      trial.configuration(), *cost});
}

std::size_t WarmStart::place_of(const TrialRecord& trial, const BoardIdentity& board) {
  const auto [place, fresh] = places_.try_emplace(
      {{board.fingerprint, board.problem_text}, trial.protocol}, boards_.size());
  if (fresh) boards_.push_back(board);
  return place->second;
}

// The cost by the goal of the sweep; above 0, as beliefs are.
std::optional<double> WarmStart::cost_of(const TrialRecord& trial, const DeviceInfo* device) const {
  // A trial that was given up took at least this long, which is enough to count as slow.
  if (trial.status == Status::kPruned && plan_.goal.plain())
    return trial.at_least_us && is_time(*trial.at_least_us) ? trial.at_least_us : std::nullopt;
  if (trial.status != Status::kOk || plan_.goal.has_front()) return std::nullopt;
  if (plan_.goal.plain())
    return trial.median_us && is_time(*trial.median_us) ? trial.median_us : std::nullopt;
  const std::vector<double> costs = judge(plan_.goal, TrialMetrics(trial, device)).costs;
  if (costs.empty() || costs.front() == 0) return std::nullopt;
  // The costs of objectives to be maximized are negative.
  return costs.front() > 0 ? costs.front() : -1 / costs.front();
}

std::vector<KnownBoard> WarmStart::known_to(std::size_t board) const {
  const SweepBoard& own = plan_.boards[board].summary;
  const BoardKey key{own.device.fingerprint(), own.problem_text};
  const auto first = first_of_.find(key);
  std::vector<KnownBoard> known;
  for (const BoardIdentity& one : boards_) known.push_back({one, {}});
  // The newest result counts, of the newest version of each variant that the board has had.
  std::map<std::pair<std::size_t, std::string>, std::int64_t> newest;
  std::map<std::pair<std::size_t, Configuration>, double> costs;
  const auto counts = [&](const Result& result) {
    const BoardIdentity& from = boards_[result.board];
    // The board's own results are not beliefs, except those of old versions.
    if (BoardKey(from.fingerprint, from.problem_text) == key && result.current) return false;
    return result.noted || first == first_of_.end() || result.trial < first->second;
  };
  for (const Result& result : results_) {
    if (!counts(result)) continue;
    std::int64_t& generation = newest[{result.board, result.configuration.variant}];
    generation = std::max(generation, result.generation);
  }
  for (const Result& result : results_) {
    if (!counts(result)) continue;
    if (result.generation == newest[{result.board, result.configuration.variant}])
      costs[{result.board, result.configuration}] = result.cost;
  }
  for (const auto& [place, cost] : costs) known[place.first].costs.emplace_back(place.second, cost);
  give_to_protocols(known);
  return known;
}

// A trial that was given up has no timing protocol: its bound is added to the results of each
// protocol.
void WarmStart::give_to_protocols(std::vector<KnownBoard>& known) const {
  for (const auto& [without, at] : places_) {
    if (!without.second.empty()) continue;
    const auto given_up = std::exchange(known[at].costs, {});
    for (auto other = places_.upper_bound(without);
         other != places_.end() && other->first.first == without.first; ++other) {
      KnownBoard& board = known[other->second];
      if (!board.costs.empty())
        board.costs.insert(board.costs.end(), given_up.begin(), given_up.end());
    }
  }
}

BoardIdentity WarmStart::identity_of(std::size_t board) const {
  const SweepBoard& own = plan_.boards[board].summary;
  return {own.device.fingerprint(), own.device.name, own.device.arch,
          !own.device.has_clock,    own.problem,     own.problem_text};
}

std::vector<BoardBeliefs> WarmStart::sources(std::size_t board) const {
  const PlannedBoard& planned = plan_.boards[board];
  if (!planned.warm_start || !trouble_.empty()) return {};
  return beliefs_of(known_to(board), identity_of(board), *planned.space);
}

std::vector<BoardAnswers> WarmStart::answers(std::size_t board) const {
  const PlannedBoard& planned = plan_.boards[board];
  if (!planned.warm_start || !trouble_.empty()) return {};
  return answers_of(known_to(board), identity_of(board), *planned.space);
}

std::vector<KnowledgeSource> WarmStart::named(const std::vector<BoardBeliefs>& sources) const {
  std::vector<KnowledgeSource> names;
  for (const BoardBeliefs& source : sources) {
    const BoardIdentity& board = boards_[source.known];
    names.push_back({"board", board.device_name, board.problem_text, source.costs.size()});
  }
  return names;
}

std::string warm_start_line(const std::string& strategy,
                            const std::vector<KnowledgeSource>& sources) {
  std::size_t results = 0;
  for (const KnowledgeSource& source : sources) results += source.results;
  if (results == 0) return "";
  return fmt::format("{} begins with what {} of {} say{}", strategy, plural(results, "result"),
                     plural(sources.size(), "other board"), results == 1 ? "s" : "");
}

}  // namespace warpwright
