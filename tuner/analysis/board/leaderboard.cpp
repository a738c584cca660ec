#include "analysis/board/leaderboard.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/board/board_ranking.h"
#include "analysis/board/impossible.h"
#include "analysis/failures/failure_cause.h"
#include "records/times.h"
#include "stats/pareto_front.h"
#include "store/imported.h"

namespace warpwright {
namespace {

using Row = Database::TrialRow;

std::optional<Speedup> against(const LeaderboardEntry& best, const TrialRecord& other, double us,
                               bool at_least) {
  if (!(best.median_us > 0) || !(us > 0)) return std::nullopt;
  return Speedup{us / best.median_us, at_least, other.configuration_text, other.id};
}

bool pruned_with_bound(const Row& row) {
  return row.trial.status == Status::kPruned && row.trial.at_least_us;
}

}  // namespace

std::optional<Speedup> speedup_over_default(const std::vector<LeaderboardEntry>& entries,
                                            const std::vector<const Row*>& untimed) {
  if (entries.empty()) return std::nullopt;
  const LeaderboardEntry& best = entries.front();
  const std::string& wanted = best.row.default_configuration;
  if (wanted.empty()) return std::nullopt;
  for (const LeaderboardEntry& entry : entries) {
    if (entry.row.trial.configuration_text == wanted)
      return against(best, entry.row.trial, entry.median_us, false);
  }
  for (const Row* row : untimed) {
    if (row->trial.configuration_text == wanted && pruned_with_bound(*row))
      return against(best, row->trial, *row->trial.at_least_us, true);
  }
  return std::nullopt;
}

std::optional<Speedup> speedup_over_baseline(const std::vector<LeaderboardEntry>& entries,
                                             const std::vector<const Row*>& untimed) {
  if (entries.empty()) return std::nullopt;
  std::optional<Speedup> timed;
  for (const LeaderboardEntry& entry : entries) {
    if (!entry.row.baseline) continue;
    const auto other = against(entries.front(), entry.row.trial, entry.median_us, false);
    if (other && (!timed || other->factor < timed->factor)) timed = other;
  }
  std::optional<Speedup> bound;
  for (const Row* row : untimed) {
    if (!row->baseline || !pruned_with_bound(*row)) continue;
    const auto other = against(entries.front(), row->trial, *row->trial.at_least_us, true);
    if (other && (!bound || other->factor < bound->factor)) bound = other;
  }
  if (!timed || (bound && bound->factor < timed->factor)) return bound ? bound : timed;
  return timed;
}

namespace {

using Row = Database::TrialRow;
using Rows = std::vector<const Row*>;

// The subject of a board, without the protocol.
struct Subject {
  std::string kernel, problem_text, device_name, device_id, fingerprint;
  friend auto operator<=>(const Subject&, const Subject&) = default;
};

// Sorts the newest last.
bool by_age(const Row* a, const Row* b) { return a->trial.id < b->trial.id; }

bool timed(const Row& row) {
  return row.trial.status == Status::kOk && row.trial.median_us && is_time(*row.trial.median_us);
}

bool overlap(const LeaderboardEntry& entry, const LeaderboardEntry& best) {
  if (entry.row.trial.modelled) return entry.median_us == best.median_us;
  return entry.ci_low_us.value_or(entry.median_us) <= best.ci_high_us.value_or(best.median_us);
}

// Bytes per µs are MB/s; a thousand of those are GB/s. The same holds for FLOP.
std::optional<double> per_second(double work, double median_us) {
  if (work <= 0 || median_us <= 0) return std::nullopt;
  return work / median_us / 1e3;
}

// One state of a variant's sources; the greatest was swept last.
struct Contract {
  std::int64_t generation = 0;
  std::string hash;
  friend auto operator<=>(const Contract&, const Contract&) = default;
};

// Keeps the rows whose variant's contract was swept last.
Rows current_contract(const Rows& rows) {
  std::map<std::string, Contract> newest;
  for (const Row* row : rows) {
    Contract& contract = newest[row->trial.variant];
    contract = std::max(contract, {row->contract_generation, row->contract_hash});
  }
  Rows kept;
  for (const Row* row : rows) {
    if (row->contract_hash == newest[row->trial.variant].hash) kept.push_back(row);
  }
  return kept;
}

// Groups trials by protocol; trials that failed before a protocol applied go with the protocol used
// last.
std::map<std::string, Rows> by_protocol(const Rows& rows) {
  std::map<std::string, Rows> groups;
  std::string last;
  for (const Row* row : rows) {
    if (timed(*row)) last = row->trial.protocol;
  }
  std::map<std::string, bool> has_times;
  for (const Row* row : rows) has_times[row->trial.protocol] |= timed(*row);
  for (const Row* row : rows)
    groups[has_times[row->trial.protocol] ? row->trial.protocol : last].push_back(row);
  return groups;
}

// Configurations that some trial proved wrong, under any protocol and seed.
std::set<std::string> faulty_configurations(const Rows& rows) {
  std::set<std::string> faulty;
  for (const Row* row : rows) {
    if (proves_fault(row->trial.status)) faulty.insert(row->trial.configuration_text);
  }
  return faulty;
}

// For each configuration, the trial that counts, in order of configuration.
Rows standing(const Rows& rows, const std::set<std::string>& faulty) {
  std::map<std::string, const Row*> chosen;
  for (const Row* row : rows) {
    const std::string& configuration = row->trial.configuration_text;
    if (timed(*row) && faulty.contains(configuration)) continue;
    const Row*& slot = chosen[configuration];
    if (slot == nullptr || !settled(slot->trial.status)) {
      slot = row;
    } else if (settled(row->trial.status) &&
               (!proves_fault(slot->trial.status) || proves_fault(row->trial.status))) {
      slot = row;
    }
  }
  Rows kept;
  for (const auto& [configuration, row] : chosen) kept.push_back(row);
  return kept;
}

std::vector<LeaderboardEntry> make_entries(const Rows& rows) {
  std::vector<LeaderboardEntry> entries;
  for (const Row* row : rows) {
    if (!timed(*row)) continue;
    LeaderboardEntry& entry = entries.emplace_back();
    entry.row = *row;
    entry.median_us = *row->trial.median_us;
    entry.ci_low_us = row->trial.ci_low_us;
    entry.ci_high_us = row->trial.ci_high_us;
  }
  return entries;
}

// Lower is better; infinity without a value.
double cost_of(const LeaderboardEntry& entry, const GoalSpec& goal, std::size_t objective) {
  if (objective >= entry.objectives.size() || !entry.objectives[objective].value)
    return std::numeric_limits<double>::infinity();
  const double value = *entry.objectives[objective].value;
  return goal.objectives[objective].maximize ? -value : value;
}

void mark_front(std::vector<LeaderboardEntry>& entries, const GoalSpec& goal) {
  std::vector<std::vector<double>> costs;
  std::vector<LeaderboardEntry*> known;
  for (LeaderboardEntry& entry : entries) {
    std::vector<double> point;
    for (std::size_t i = 0; i < goal.objectives.size(); ++i)
      point.push_back(cost_of(entry, goal, i));
    if (std::any_of(point.begin(), point.end(), [](double cost) { return std::isinf(cost); }))
      continue;
    costs.push_back(std::move(point));
    known.push_back(&entry);
  }
  for (const std::size_t at : pareto_front(costs)) known[at]->on_front = true;
}

// True if two values may be equal according to their intervals.
bool same_value(const MetricValue& a, const MetricValue& b) {
  if (!a.value || !b.value) return false;
  if (!a.low || !a.high || !b.low || !b.high) return *a.value == *b.value;
  return *a.low <= *b.high && *b.low <= *a.high;
}

// A place that takes precedence over the time; equal for all entries if the time decides.
double place_by_goal(const LeaderboardEntry& entry, const BoardGoal* goal) {
  if (goal == nullptr || goal->spec.by_time()) return 0;
  if (goal->spec.has_front()) return entry.on_front ? 0 : 1;
  return cost_of(entry, goal->spec, 0);
}

bool ties_with(const LeaderboardEntry& entry, const LeaderboardEntry& best, const BoardGoal* goal) {
  if (goal != nullptr && goal->spec.has_front()) return entry.on_front;
  if (goal != nullptr && !goal->spec.by_time())
    return same_value(entry.objectives.front(), best.objectives.front());
  return best.finalist ? entry.finalist && entry.finalist->tied : overlap(entry, best);
}

void rank_entries(std::vector<LeaderboardEntry>& entries, const BoardGoal* goal) {
  const auto order = [&](const LeaderboardEntry& entry) {
    const int place = entry.finalist ? entry.finalist->place : std::numeric_limits<int>::max();
    return std::tuple(place_by_goal(entry, goal), place, entry.median_us,
                      std::string_view(entry.row.trial.configuration_text));
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return order(a) < order(b); });
  std::map<std::string, double> best_of_variant;
  for (const LeaderboardEntry& entry : entries) {
    double& best =
        best_of_variant.try_emplace(entry.row.trial.variant, entry.median_us).first->second;
    best = std::min(best, entry.median_us);
  }
  double slowest_best = 0;
  for (const auto& [variant, best] : best_of_variant) slowest_best = std::max(slowest_best, best);

  for (std::size_t i = 0; i < entries.size(); ++i) {
    LeaderboardEntry& entry = entries[i];
    const TrialRecord& trial = entry.row.trial;
    const LeaderboardEntry& best = entries.front();
    entry.rank = static_cast<int>(i) + 1;
    entry.tied_with_best = i == 0 || ties_with(entry, best, goal);
    entry.speed_vs_best = entry.median_us > 0 ? best.median_us / entry.median_us : 1;
    entry.speedup_over_slowest_variant_best =
        entry.median_us > 0 ? slowest_best / entry.median_us : 1;
    entry.gigabytes_per_second = per_second(trial.work_bytes, entry.median_us);
    entry.gigaflops_per_second = per_second(trial.work_flops, entry.median_us);
  }
}

std::vector<FailureGroup> group_failures(const Rows& rows) {
  std::map<std::pair<Status, std::string>, FailureGroup> groups;
  for (const Row* row : rows) {
    const TrialRecord& trial = row->trial;
    if (timed(*row) || trial.status == Status::kPruned || trial.status == Status::kNoisy) continue;
    // An ok trial without a time comes from a device that could validate but not time it.
    const std::string reason =
        trial.status == Status::kOk && trial.reason.empty() ? "validated, not timed" : trial.reason;
    // The value that a requirement saw differs from trial to trial.
    const FailureDetail detail = failure_of(trial);
    const std::string cause = detail.code == FailureCode::kRequirement
                                  ? Violation{detail.operand, ""}.cause()
                                  : failure_cause(reason);
    FailureGroup& group = groups[{trial.status, cause}];
    // Rows come in order of configuration: the first is the same example every time.
    if (group.count++ == 0) {
      group = {trial.status, cause, reason, trial.configuration_text, trial.id, 1};
    }
    group.trials.push_back(trial.id);
  }
  std::vector<FailureGroup> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return sorted;
}

void compare_best(const Rows& rows, Leaderboard& board) {
  Rows untimed;
  for (const Row* row : rows) {
    if (!timed(*row)) untimed.push_back(row);
  }
  board.over_default = speedup_over_default(board.entries, untimed);
  board.over_baseline = speedup_over_baseline(board.entries, untimed);
}

void collect_untimed(const Rows& rows, Leaderboard& board) {
  for (const Row* row : rows) {
    const TrialRecord& trial = row->trial;
    if (!timed(*row)) board.untimed.push_back(*row);
    board.noisy += trial.status == Status::kNoisy;
    if (trial.status != Status::kPruned) continue;
    ++board.pruned;
    if (trial.at_least_us) {
      board.pruned_at_least_us =
          std::min(board.pruned_at_least_us.value_or(*trial.at_least_us), *trial.at_least_us);
    }
  }
}

// "a.json.gz, b.json.gz and 2 more"; nullopt unless all trials that name a protocol are imported.
std::optional<std::string> import_files(const Rows& rows) {
  constexpr std::size_t kNamed = 3;
  std::set<std::string> files;
  for (const Row* row : rows) {
    if (row->trial.protocol.empty()) continue;  // it failed before a protocol applied
    if (!is_imported(row->trial)) return std::nullopt;
    const std::string file = import_file(row->trial);
    files.insert(file.empty() ? "an unnamed file" : file);
  }
  if (files.empty()) return std::nullopt;
  std::string text;
  std::size_t named = 0;
  for (const std::string& file : files) {
    if (named++ < kNamed) text += (text.empty() ? "" : ", ") + file;
  }
  if (named > kNamed) text += " and " + std::to_string(named - kNamed) + " more";
  return text;
}

// Replaces rows that break a requirement by copies in `kept` with that status and reason.
void mark_violations(const BoardGoal& goal, Rows& rows, std::deque<Row>& kept) {
  for (const Row*& row : rows) {
    const bool refused = row->trial.status == Status::kViolates;
    if (!timed(*row) && !refused) continue;
    const std::optional<Violation> violation =
        find_violation(goal.spec, goal.metrics(row->trial),
                       refused ? MetricNeeds::kCompiler : MetricNeeds::kEnergy);
    if (!violation) continue;
    Row& copy = kept.emplace_back(*row);
    set_failure(copy.trial, Status::kViolates, violation->failure());
    row = &copy;
  }
}

// Returns the row, or a copy in `kept` whose status and reason say that its time is impossible.
const Row& as_possible(const Row& row, const PeaksByDevice& peaks, std::deque<Row>& kept) {
  std::optional<FailureReason> reason = impossible_time(row, peaks);
  if (!reason) return row;
  Row& copy = kept.emplace_back(row);
  set_failure(copy.trial, Status::kImpossible, std::move(*reason));
  return copy;
}

Leaderboard make_board(const std::string& protocol, const Rows& rows,
                       const std::set<std::string>& faulty,
                       const std::vector<Database::RankingRow>& rankings, const BoardGoals& goals,
                       const PeaksByDevice& peaks) {
  Leaderboard board;
  const Row& row = *rows.back();
  board.kernel = row.kernel_name;
  board.problem_text = row.trial.problem_text;
  board.problem = row.trial.problem;
  board.device_id = row.device_id;
  board.device_name = row.device_name;
  board.device_driver = row.device_driver;
  board.device_fingerprint = row.device_fingerprint;
  board.modelled = !row.device_has_clock;
  board.protocol = protocol;
  Rows counted = standing(rows, faulty);
  std::deque<Row> changed;
  board.goal = goals.find(board.kernel, board.device_fingerprint, board.problem_text);
  if (board.goal) mark_violations(*board.goal, counted, changed);
  const bool by_time = !board.goal || board.goal->spec.by_time();
  board.imported = import_files(counted);
  board.trials = counted.size();
  board.entries = make_entries(counted);
  for (const Database::RankingRow& ranking : rankings) {
    if (by_time && ranks_board(ranking, board)) apply_ranking(ranking.ranking, board, peaks);
  }
  if (board.goal) {
    for (LeaderboardEntry& entry : board.entries) evaluate_goal(*board.goal, entry);
    if (board.goal->spec.has_front()) mark_front(board.entries, board.goal->spec);
  }
  rank_entries(board.entries, board.goal.get());
  // Factors of time are only computed between configurations that the time has ranked.
  if (by_time) compare_best(counted, board);
  collect_untimed(counted, board);
  board.failures = group_failures(counted);
  board.contract_hash =
      board.entries.empty() ? row.contract_hash : board.entries.front().row.contract_hash;
  return board;
}

}  // namespace

void evaluate_goal(const BoardGoal& goal, LeaderboardEntry& entry) {
  const TrialMetrics trial =
      goal.metrics(entry.row.trial, ShownTime{entry.median_us, entry.ci_low_us, entry.ci_high_us});
  entry.objectives.clear();
  for (const GoalObjective& objective : goal.spec.objectives)
    entry.objectives.push_back(trial.value(objective.expr));
  entry.metrics.clear();
  for (const GoalMetric& metric : goal.spec.metrics)
    entry.metrics.push_back(trial.value(metric.expr));
}

std::vector<const LeaderboardEntry*> front_of(const Leaderboard& board) {
  std::vector<const LeaderboardEntry*> front;
  for (const LeaderboardEntry& entry : board.entries)
    if (entry.on_front) front.push_back(&entry);
  return front;
}

std::vector<Leaderboard> make_leaderboards(const std::vector<Row>& rows,
                                           const std::vector<Database::RankingRow>& rankings,
                                           const BoardGoals& goals, const PeaksByDevice& peaks) {
  std::map<Subject, Rows> subjects;
  std::map<std::pair<std::string, std::string>, Contract> newest_contract;  // by kernel and variant
  std::deque<Row> impossible;
  for (const Row& stored : rows) {
    const Row& row = as_possible(stored, peaks, impossible);
    subjects[{row.kernel_name, row.trial.problem_text, row.device_name, row.device_id,
              row.device_fingerprint}]
        .push_back(&row);
    // An imported trial has no known sources, so it does not determine which are current.
    if (is_imported(row.trial)) continue;
    Contract& newest = newest_contract[{row.kernel_name, row.trial.variant}];
    newest = std::max(newest, {row.contract_generation, row.contract_hash});
  }
  std::vector<Leaderboard> boards;
  for (auto& [subject, all] : subjects) {
    std::sort(all.begin(), all.end(), by_age);
    const Rows current = current_contract(all);
    const std::set<std::string> faulty = faulty_configurations(current);
    for (const auto& [protocol, group] : by_protocol(current)) {
      Leaderboard board = make_board(protocol, group, faulty, rankings, goals, peaks);
      board.stale = all.size() - current.size();
      for (const LeaderboardEntry& entry : board.entries) {
        const Contract& newest = newest_contract[{subject.kernel, entry.row.trial.variant}];
        board.outdated += !board.imported && entry.row.contract_hash != newest.hash;
      }
      boards.push_back(std::move(board));
    }
  }
  return boards;
}

}  // namespace warpwright
