#include "exchange/merge/merge.h"

#include <algorithm>
#include <set>
#include <span>

#include "exchange/merge/snapshot.h"
#include "store/columns.h"

namespace warpwright {
namespace {

// The target is the first snapshot.
constexpr std::size_t kTarget = 0;

std::vector<double> decoded(const std::string& samples) {
  return decode_samples(kSampleEncoding, std::as_bytes(std::span(samples.data(), samples.size())));
}

// Tells whether existing rows can keep their numbers and the new ones follow: rows are offered in
// the order of the union, and no existing row may come after a new one or after one with a higher
// number.
class AppendOnly {
 public:
  void offer(std::optional<RowId> there) {
    holds_ &= !there || (!new_seen_ && *there > last_);
    if (there) {
      last_ = *there;
    } else {
      new_seen_ = true;
    }
  }
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  RowId last_ = 0;
  bool new_seen_ = false;
  bool holds_ = true;
};

std::optional<RowId> row_there(const MergeRows& rows) {
  const auto found = rows.find(kTarget);
  return found == rows.end() ? std::nullopt : std::optional(found->second);
}

class Merger {
 public:
  Merger(const MergeUnion& all, const Snapshot& there, Database& target,
         const MergeOptions& options)
      : all_(all), there_(there), target_(target), options_(options) {}

  void write() {
    put_devices();
    put_kernels();
    put_runs();
    find_reordered();
    remove_reordered();
    trial_ids_.resize(all_.trials.size(), 0);
    for (std::size_t i = 0; i < all_.trials.size(); ++i) put_trial(i);
    for (const MergedRanking& ranking : all_.rankings) put_ranking(ranking);
    put_ceilings();
    put_contract_checks();
  }

  [[nodiscard]] std::size_t renumbered() const { return renumbered_; }

 private:
  void put_devices() {
    for (const auto& [fingerprint, device] : all_.devices)
      device_ids_[fingerprint] = target_.put_device(device.record);
  }

  // Adding a kernel makes it the current one, so either all are added in order or none.
  void put_kernels() {
    std::map<std::string, AppendOnly> order;  // by name; the numbers are positions by generation
    std::map<RowId, RowId> place;
    std::map<RowId, const KernelRecord*> there;
    for (const auto& [id, kernel] : there_.kernels) {
      place.emplace(id, static_cast<RowId>(place.size()) + 1);
      there[id] = &kernel;
    }
    bool unchanged = true;
    for (const MergedKernel& kernel : all_.kernels) {
      const std::optional<RowId> row = row_there(kernel.rows);
      unchanged &= row.has_value() && *there[*row] == kernel.record;
      if (!row) continue;
      order[kernel.record.name].offer(place[*row]);
      unchanged &= order[kernel.record.name].holds();
    }
    for (const MergedKernel& kernel : all_.kernels) {
      kernel_ids_[{kernel.record.name, kernel.record.contract_hash}] =
          unchanged ? *row_there(kernel.rows) : target_.put_kernel(kernel.record);
    }
  }

  void put_runs() {
    std::map<RowId, bool> ended;
    for (const auto& [id, run] : there_.runs) ended[id] = !run.ended.empty();
    for (const MergedRun& run : all_.runs) {
      const std::optional<RowId> there = row_there(run.rows);
      if (there && !ended[*there] && !run.record.ended.empty())
        target_.finish_run(*there, run.record.ended, run.record.finished_utc);
      if (there) {
        run_ids_.push_back(*there);
      } else {
        run_ids_.push_back(left_out(run) ? 0 : target_.start_run(run.record));
      }
    }
  }

  // True for an import of which every trial was already in the database.
  static bool left_out(const MergedRun& run) {
    return run.record.strategy == "import" && !run.used;
  }

  void find_reordered() {
    std::map<MergeSubject, AppendOnly> trials, rankings;
    for (const MergedTrial& trial : all_.trials) trials[trial.subject].offer(row_there(trial.rows));
    for (const MergedRanking& ranking : all_.rankings) {
      const auto found = ranking.rows.find(kTarget);
      rankings[ranking.subject].offer(
          found == ranking.rows.end() ? std::nullopt : std::optional(found->second.first));
    }
    for (const auto* orders : {&trials, &rankings}) {
      for (const auto& [subject, order] : *orders)
        if (!order.holds()) reordered_.insert(subject);
    }
  }

  void remove_reordered() {
    if (reordered_.empty()) return;
    options_.before_renumbering();
    for (const MergeSubject& subject : reordered_)
      target_.remove_trials(subject.kernel, device_ids_.at(subject.fingerprint));
    for (const MergedTrial& trial : all_.trials)
      renumbered_ += reordered_.contains(trial.subject) && row_there(trial.rows).has_value();
  }

  void put_trial(std::size_t index) {
    RowId& id = trial_ids_[index];
    if (id != 0) return;
    const MergedTrial& item = all_.trials[index];
    if (const auto there = row_there(item.rows); there && !reordered_.contains(item.subject)) {
      id = *there;
      return;
    }
    TrialRecord trial = item.record;
    trial.run = run_ids_[item.run];
    trial.kernel = kernel_ids_.at(item.kernel);
    trial.device = device_ids_.at(item.subject.fingerprint);
    trial.samples_us = decoded(item.samples);
    if (item.same_as) {
      // Differing clocks of databases may have put it later.
      put_trial(*item.same_as);
      trial.same_as = trial_ids_[*item.same_as];
    }
    id = target_.add_trial(trial);
  }

  void put_ranking(const MergedRanking& item) {
    if (item.rows.contains(kTarget) && !reordered_.contains(item.subject)) return;
    RankingRecord ranking = item.record;
    ranking.run = run_ids_[item.run];
    ranking.device = device_ids_.at(item.subject.fingerprint);
    ranking.winner = trial_ids_[static_cast<std::size_t>(ranking.winner)];
    for (RankingEntryRecord& entry : ranking.entries)
      entry.trial = trial_ids_[static_cast<std::size_t>(entry.trial)];
    ranking.last_trial = last_trial(item);
    target_.add_ranking(ranking);
  }

  // The highest trial number that the ranking had seen, but below every trial that it had not seen
  // and that may beat its winner: such a trial, from another database, would otherwise count as
  // considered.
  [[nodiscard]] RowId last_trial(const MergedRanking& ranking) const {
    std::optional<RowId> last, first_unseen;
    for (std::size_t i = 0; i < all_.trials.size(); ++i) {
      const MergedTrial& trial = all_.trials[i];
      if (trial.subject != ranking.subject) continue;
      if (saw(ranking, trial)) {
        last = std::max(last.value_or(0), trial_ids_[i]);
      } else if (may_beat(ranking, trial)) {
        first_unseen = std::min(first_unseen.value_or(trial_ids_[i]), trial_ids_[i]);
      }
    }
    const RowId seen = last.value_or(0);
    const RowId found = first_unseen ? std::min(seen, *first_unseen - 1) : seen;
    return found == 0 ? -1 : found;  // 0 would mean "up to now"
  }

  static bool saw(const MergedRanking& ranking, const MergedTrial& trial) {
    return std::any_of(ranking.rows.begin(), ranking.rows.end(), [&](const auto& one) {
      const auto row = trial.rows.find(one.first);
      return row != trial.rows.end() && row->second <= one.second.second;
    });
  }

  // Judges trials newer than a ranking as analysis/board/board_ranking.cpp does.
  [[nodiscard]] bool may_beat(const MergedRanking& ranking, const MergedTrial& trial) const {
    const TrialRecord& record = trial.record;
    const auto& winner = all_.trials[static_cast<std::size_t>(ranking.record.winner)].record;
    return record.status == Status::kOk && record.median_us &&
           record.problem_text == ranking.record.problem_text &&
           record.protocol == winner.protocol &&
           record.ci_low_us.value_or(*record.median_us) < ranking.record.entries.front().ci_high_us;
  }

  void put_ceilings() {
    std::map<std::string, std::map<std::string, AppendOnly>> orders;
    RowId place = 0;
    std::set<std::string> again;  // devices
    for (const MergedCeiling& ceiling : all_.ceilings) {
      AppendOnly& order = orders[ceiling.fingerprint][ceiling.record.name];
      order.offer(ceiling.snapshots.contains(kTarget) ? std::optional(++place) : std::nullopt);
      if (!order.holds()) again.insert(ceiling.fingerprint);
    }
    for (const std::string& fingerprint : again)
      target_.remove_ceilings(device_ids_.at(fingerprint));
    for (const MergedCeiling& ceiling : all_.ceilings) {
      if (ceiling.snapshots.contains(kTarget) && !again.contains(ceiling.fingerprint)) continue;
      CeilingRecord record = ceiling.record;
      record.device = device_ids_.at(ceiling.fingerprint);
      target_.add_ceiling(record);
    }
  }

  void put_contract_checks() {
    for (const auto& [key, found] : all_.contract_checks) {
      ContractCheckRecord check = found;
      check.run = run_ids_[std::get<0>(key)];
      check.kernel = kernel_ids_.at(std::get<1>(key));
      target_.put_contract_check(check);
    }
  }

  const MergeUnion& all_;
  const Snapshot& there_;
  Database& target_;
  const MergeOptions& options_;
  std::map<std::string, RowId> device_ids_;
  std::map<std::pair<std::string, std::string>, RowId> kernel_ids_;
  std::vector<RowId> run_ids_, trial_ids_;  // by index in the union
  std::set<MergeSubject> reordered_;
  std::size_t renumbered_ = 0;
};

// Counts the rows of each snapshot: every one was either contributed or already known.
class Counter {
 public:
  explicit Counter(std::size_t snapshot) : snapshot_(snapshot) {}

  template <class Items>
  [[nodiscard]] MergeCount count(const Items& items, std::size_t rows) const {
    MergeCount count;
    for (const auto& item : items) count.added += item.rows.begin()->first == snapshot_;
    count.known = rows - count.added;
    return count;
  }

 private:
  std::size_t snapshot_;
};

MergedFile count_file(const MergeUnion& all, const Snapshot& snapshot, std::size_t at) {
  const Counter counter(at);
  MergedFile file;
  file.name = snapshot.name;
  file.trials = counter.count(all.trials, snapshot.trials.size());
  file.kernels = counter.count(all.kernels, snapshot.kernels.size());
  file.rankings = counter.count(all.rankings, snapshot.rankings.size());
  std::vector<MergedRun> runs = all.runs;
  std::erase_if(runs,
                [](const MergedRun& run) { return run.record.strategy == "import" && !run.used; });
  file.runs = counter.count(runs, snapshot.runs.size());
  for (const auto& [fingerprint, device] : all.devices)
    file.devices.added += device.rows.begin()->first == at;
  file.devices.known = snapshot.devices.size() - file.devices.added;
  for (const MergedCeiling& ceiling : all.ceilings)
    file.ceilings.added += *ceiling.snapshots.begin() == at;
  file.ceilings.known = snapshot.ceilings.size() - file.ceilings.added;
  return file;
}

}  // namespace

MergeReport merge_snapshots(const std::vector<Snapshot>& snapshots, Database& target,
                            const MergeOptions& options) {
  MergeReport report;
  target.batch([&] {
    const Snapshot there = read_snapshot(target);
    std::vector<const Snapshot*> all = {&there};
    for (const Snapshot& snapshot : snapshots) all.push_back(&snapshot);
    const MergeUnion united = unite(all, /*first_wins=*/!there.devices.empty());
    Merger merger(united, there, target, options);
    merger.write();
    report.renumbered = merger.renumbered();
    for (std::size_t i = 0; i < snapshots.size(); ++i)
      report.files.push_back(count_file(united, snapshots[i], i + 1));
  });
  return report;
}

}  // namespace warpwright
