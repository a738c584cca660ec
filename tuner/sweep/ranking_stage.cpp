#include "sweep/ranking_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "sweep/possible_times.h"
#include "sweep/run_records.h"

namespace warpwright {
namespace {

// Converts the times of the other candidates to the clock of the good ones.
class AtOneClock {
 public:
  // The good candidates are the first `close` ones.
  AtOneClock(const std::vector<RankingCandidate>& candidates, std::size_t close) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      driver_mhz_ = std::max(driver_mhz_, candidates[i].sm_clock_mhz);
      if (i < close) derived_mhz_ = std::max(derived_mhz_, candidates[i].clock_during_mhz);
    }
  }

  [[nodiscard]] double us(const RankingCandidate& one) const {
    if (one.clock_during_mhz > 0 && derived_mhz_ > 0) {
      const double share = 1.0 * one.clock_during_mhz / derived_mhz_;
      return share < 1 - kDerivedClockTolerance ? one.median_us * share : one.median_us;
    }
    return one.sm_clock_mhz == 0 ? one.median_us : one.median_us * one.sm_clock_mhz / driver_mhz_;
  }

 private:
  int driver_mhz_ = 0;
  int derived_mhz_ = 0;
};

// Returns 0 if the samples did not reveal the clock.
int clock_during(const TrialRecord& trial) {
  const TrialMeasurement* measurement = trial.measurement.readable();
  if (measurement == nullptr || !measurement->validity) return 0;
  return measurement->validity->clock_during_mhz.value_or(0);
}

// A strategy that asks about the given configurations, in their order.
class Given : public Strategy {
 public:
  explicit Given(std::vector<std::uint64_t> indices) : indices_(std::move(indices)) {}
  std::optional<std::uint64_t> ask() override {
    if (next_ == indices_.size()) return std::nullopt;
    return indices_[next_++];
  }
  void tell(const Answer& /*answer*/) override {}

 private:
  std::vector<std::uint64_t> indices_;
  std::size_t next_ = 0;
};

// Returns whether the row is a time, of this GPU or one like it, that the board may be ranked by.
bool counts(const Database::TrialRow& row, const PlannedBoard& board,
            const std::map<std::string, std::string>& variant_hashes) {
  const DeviceInfo& device = board.summary.device;
  const auto hash = variant_hashes.find(row.trial.variant);
  return row.trial.status == Status::kOk && row.trial.median_us && !row.trial.modelled &&
         !row.trial.same_as && row.trial.problem_text == board.summary.problem_text &&
         row.device_name == device.name && row.device_arch == device.arch &&
         hash != variant_hashes.end() && hash->second == row.contract_hash;
}

// Returns the finalists of each GPU. A single candidate of one GPU has no opponent there, but meets
// the others here.
std::vector<std::uint64_t> finalists_of(const std::vector<Database::TrialRow>& rows,
                                        const PlannedBoard& board,
                                        const std::map<std::string, std::string>& variant_hashes) {
  std::map<std::string, std::map<std::uint64_t, RankingCandidate>> by_gpu;
  for (const Database::TrialRow& row : rows) {
    if (!counts(row, board, variant_hashes) || row.trial.parameters.readable() == nullptr) continue;
    const auto index = board.space->index_of(row.trial.configuration());
    if (!index) continue;
    by_gpu[row.device_fingerprint].insert_or_assign(
        *index, RankingCandidate{*index, row.trial.id, *row.trial.median_us, row.trial.cubin_hash,
                                 row.trial.sm_clock_mhz});
  }
  std::set<std::uint64_t> finalists;
  for (const auto& [gpu, candidates] : by_gpu) {
    std::vector<RankingCandidate> all;
    for (const auto& [index, candidate] : candidates) all.push_back(candidate);
    if (all.size() > 1) all = pick_finalists(std::move(all));
    for (const RankingCandidate& candidate : all) finalists.insert(candidate.index);
  }
  return {finalists.begin(), finalists.end()};
}

}  // namespace

std::vector<RankingCandidate> pick_finalists(std::vector<RankingCandidate> candidates) {
  if (candidates.size() < 2) return {};
  std::sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return std::tie(a.median_us, a.index) < std::tie(b.median_us, b.index);
  });
  const RankingCandidate& best = candidates.front();
  const double margin = best.clock_during_mhz > 0 ? kDerivedClockMargin : kFinalistMargin;
  const double limit_us = (1 + margin) * best.median_us;
  const auto others = std::find_if(candidates.begin(), candidates.end(),
                                   [&](const auto& one) { return one.median_us > limit_us; });
  auto close = static_cast<std::size_t>(others - candidates.begin());

  const AtOneClock at_one_clock(candidates, close);
  std::stable_sort(others, candidates.end(), [&](const auto& a, const auto& b) {
    return at_one_clock.us(a) < at_one_clock.us(b);
  });
  while (close < std::min(kMaxByCycles, candidates.size()) &&
         at_one_clock.us(candidates[close]) <= limit_us)
    ++close;
  candidates.resize(std::min(candidates.size(), std::clamp(close, kMinFinalists, kMaxFinalists)));
  return candidates;
}

RankingRecord make_ranking_record(const std::string& kernel, const SweepBoard& board,
                                  const std::vector<RankingCandidate>& finalists,
                                  const FinalsOutcome& outcome, const std::string& started_utc) {
  const std::vector<RankedConfiguration>& ranked = outcome.ranking.configurations;
  WARPWRIGHT_CHECK(ranked.size() == finalists.size(), "every finalist was ranked");
  RankingRecord record;
  record.kernel_name = kernel;
  record.problem = board.problem;
  record.problem_text = board.problem_text;
  record.protocol = outcome.protocol;
  record.rounds = static_cast<int>(outcome.round_us.size());
  record.confidence = RankingOptions{}.family_confidence;
  record.decided_by = outcome.decided_by;
  record.started_utc = started_utc;
  if (outcome.headline) record.headline = *outcome.headline;
  record.winner = finalists[outcome.winner].trial;

  // The winner comes first, then the configurations that tie with it, then the rest; each group by
  // score.
  std::vector<std::size_t> order(finalists.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t i) {
      return std::tuple(i != outcome.winner, !ranked[i].tied, ranked[i].score);
    };
    return key(a) < key(b);
  });
  for (const std::size_t i : order) {
    RankingEntryRecord entry;
    entry.trial = finalists[i].trial;
    entry.place = static_cast<int>(record.entries.size()) + 1;
    entry.tied = ranked[i].tied;
    entry.median_us = ranked[i].median_us;
    entry.ci_low_us = ranked[i].ci_low_us;
    entry.ci_high_us = ranked[i].ci_high_us;
    entry.relative = ranked[i].relative;
    entry.relative_low = ranked[i].relative_low;
    entry.relative_high = ranked[i].relative_high;
    if (i != outcome.ranking.best) entry.p_adjusted = ranked[i].p_adjusted;
    for (const std::vector<double>& round : outcome.round_us) entry.rounds_us.push_back(round[i]);
    record.entries.push_back(std::move(entry));
  }
  return record;
}

void RankingStage::note(std::size_t board, std::uint64_t index, const TrialRecord& trial,
                        std::size_t device) {
  // A trial that settles nothing counts only if there is no other, as in the database.
  if (!settled(trial.status)) return;
  Candidates& candidates = candidates_[board][device];
  // A configuration that shares another's measurement would only race against itself.
  if (trial.status == Status::kOk && trial.median_us && !trial.modelled && !trial.same_as) {
    RankingCandidate& candidate = candidates[index];
    candidate = {index, trial.id, *trial.median_us, trial.cubin_hash, trial.sm_clock_mhz};
    candidate.clock_during_mhz = clock_during(trial);
  } else {
    candidates.erase(index);
  }
}

void RankingStage::drop(std::size_t board, std::uint64_t index) {
  for (auto& [device, candidates] : candidates_[board]) candidates.erase(index);
}

const RankingStage::Candidates* RankingStage::own(std::size_t board) const {
  const auto found = candidates_.find(board);
  if (found == candidates_.end()) return nullptr;
  const auto device = found->second.find(plan_.boards[board].device);
  return device == found->second.end() ? nullptr : &device->second;
}

std::vector<std::uint64_t> RankingStage::guests(std::size_t board) const {
  // GPUs of a kind differ by less than this. A configuration that is farther from the best time on
  // any GPU is a finalist only because its own GPU has timed nothing better.
  constexpr double kFar = 2 * kFinalistMargin;
  const auto found = candidates_.find(board);
  if (found == candidates_.end()) return {};
  const Candidates* here = own(board);
  std::vector<RankingCandidate> best;
  for (const auto& [device, candidates] : found->second) {
    std::vector<RankingCandidate> all;
    for (const auto& [index, candidate] : candidates) all.push_back(candidate);
    if (all.size() > 1) all = pick_finalists(std::move(all));
    best.insert(best.end(), all.begin(), all.end());
  }
  std::stable_sort(best.begin(), best.end(), [](const auto& a, const auto& b) {
    return std::tie(a.median_us, a.index) < std::tie(b.median_us, b.index);
  });
  std::vector<std::uint64_t> guests;
  std::set<std::uint64_t> met;
  for (const RankingCandidate& candidate : best) {
    const bool far = candidate.median_us > (1 + kFar) * best.front().median_us;
    if ((far && met.size() >= kMinFinalists) || guests.size() == kMaxFinalists) break;
    if (!met.insert(candidate.index).second) continue;
    if (here == nullptr || !here->contains(candidate.index)) guests.push_back(candidate.index);
  }
  return guests;
}

std::vector<RankingCandidate> RankingStage::finalists(std::size_t board) const {
  const Candidates* found = own(board);
  if (found == nullptr) return {};
  std::vector<RankingCandidate> all;
  for (const auto& [index, candidate] : *found) all.push_back(candidate);
  std::vector<RankingCandidate> picked = pick_finalists(std::move(all));
  const std::optional<RankingRecord> known =
      records_.ranking(plan_.kernel.name, plan_.boards[board]);
  if (!known) return picked;
  std::set<RowId> now;
  for (const RankingCandidate& finalist : picked) now.insert(finalist.trial);
  std::set<RowId> then;
  for (const RankingEntryRecord& entry : known->entries) then.insert(entry.trial);
  if (now == then) picked.clear();
  return picked;
}

std::optional<std::uint64_t> RankingStage::incumbent(std::size_t board) const {
  const std::optional<RankingRecord> known =
      records_.ranking(plan_.kernel.name, plan_.boards[board]);
  if (!known) return std::nullopt;
  const std::optional<std::string> winner = records_.configuration_of(known->winner);
  const Candidates* found = own(board);
  if (!winner || found == nullptr) return std::nullopt;
  for (const auto& [index, candidate] : *found) {
    if (plan_.boards[board].space->at(index).to_string() == *winner) return index;
  }
  return std::nullopt;
}

std::optional<RankingTask> RankingStage::begin(std::size_t board) const {
  RankingTask task;
  task.board = board;
  task.finalists = finalists(board);
  if (task.finalists.empty()) return std::nullopt;
  task.started_utc = utc_now();
  const PlannedBoard& planned = plan_.boards[board];
  const std::optional<std::uint64_t> winner = incumbent(board);
  auto& asked = task.request->what.emplace<FinalistsToRank>();
  asked.problem = planned.summary.problem;
  for (const RankingCandidate& candidate : task.finalists) {
    Finalist& finalist = asked.finalists.emplace_back();
    finalist.configuration = planned.space->at(candidate.index);
    finalist.about_us = candidate.median_us;
    finalist.incumbent = winner == candidate.index;
  }
  return task;
}

std::vector<CompileJob> RankingStage::jobs(const RankingTask& task) const {
  std::vector<CompileJob> jobs;
  const FinalistsToRank& asked = task.asked();
  for (const Finalist& finalist : asked.finalists) {
    jobs.push_back(make_compile_job(plan_.kernel, finalist.configuration, asked.problem,
                                    plan_.device_of(task.board), plan_.include_folders));
  }
  return jobs;
}

std::string RankingStage::end(const RankingTask& task, const Outcome& outcome) {
  const FinalsOutcome* finals = outcome.finals();
  if (outcome.status == Status::kOk && finals != nullptr) {
    const PlannedBoard& planned = plan_.boards[task.board];
    RankingRecord record = make_ranking_record(plan_.kernel.name, planned.summary, task.finalists,
                                               *finals, task.started_utc);
    records_.add(record, planned.device);
    return "";
  }
  std::string who;
  if (finals != nullptr && finals->failed) {
    const Finalist& failed = task.asked().finalists[*finals->failed];
    who = fmt::format(" ({})", failed.configuration.to_string());
  }
  return fmt::format("no final ranking for {}: {}{}: {}", plan_.board_name(task.board),
                     status_name(outcome.status), who, outcome.reason);
}

void require_rankable(const SweepPlan& plan, const std::filesystem::path& database) {
  for (const PlannedBoard& board : plan.boards) {
    const DeviceInfo& device = board.summary.device;
    if (device.has_clock) continue;
    throw user_error(fmt::format(
        "--rank-only: {} ({}) only models times, and a final ranking measures; choose a GPU with "
        "--device, or look at the models with `warpwright show {}`",
        device.id, device.name, plan.kernel.name));
  }
  std::error_code ignored;
  if (std::filesystem::exists(database, ignored)) return;
  throw user_error(fmt::format(
      "--rank-only: {} does not exist; expected the results of a sweep, or of all its shards after "
      "`warpwright merge`",
      database.string()));
}

void keep_finalists(SweepPlan& plan, Database& database) {
  RunRecords records(database);
  records.identify(plan);
  Database::TrialFilter filter;
  filter.kernel = plan.kernel.name;
  std::vector<Database::TrialRow> rows = database.trials(filter);
  const PeaksByDevice peaks = peaks_of(plan, database);
  std::erase_if(rows,
                [&](const Database::TrialRow& row) { return has_impossible_time(row, peaks); });
  for (PlannedBoard& board : plan.boards) {
    const DeviceInfo& device = board.summary.device;
    std::vector<std::uint64_t> indices = finalists_of(rows, board, records.variant_hashes());
    if (indices.empty()) {
      throw user_error(fmt::format(
          "--rank-only: {} holds no times of {} {} on {}, by the sources of now; expected those of "
          "a sweep, or of all its shards after `warpwright merge`",
          database.path().string(), plan.kernel.name, board.summary.problem_text, device.name));
    }
    board.questions = indices.size();
    board.strategy = std::make_unique<Given>(std::move(indices));
    board.strategy_name = "exhaustive";
    board.warm_start = board.model_prior = false;
  }
  plan.budget = {};
  plan.strategy = "exhaustive";
}

}  // namespace warpwright
