#include "exchange/merge/snapshot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>

#include "core/error.h"
#include "core/terminal_text.h"
#include "store/columns.h"
#include "store/imported.h"

namespace warpwright {
namespace {

// A merge follows every reference and stores every column again, so both must follow the schema.
void require_whole(const Database& database, const std::string& name) {
  const std::string found = database.integrity();
  if (found != "ok") {
    throw user_error(
        fmt::format("{} is damaged: {}; `warpwright salvage` saves what is left of a database",
                    name, terminal_line(found.substr(0, found.find('\n')))));
  }
  if (const std::optional<std::string> broken = database.broken_row()) {
    throw user_error(fmt::format("{}: {}; `warpwright salvage` makes a database without such rows",
                                 name, *broken));
  }
}

}  // namespace

Snapshot read_snapshot(const Database& database, const std::string& name) {
  Snapshot snapshot;
  snapshot.name = name.empty() ? database.path().string() : name;
  require_whole(database, snapshot.name);
  snapshot.devices = database.devices();
  snapshot.kernels = database.kernels();
  for (auto& [id, kernel] : snapshot.kernels) kernel.sources = database.kernel_sources(id);
  snapshot.runs = database.runs();
  for (Database::TrialRow& row : database.trials({.newest_per_key = false, .with_samples = true}))
    snapshot.trials.push_back(std::move(row.trial));
  for (Database::RankingRow& row : database.rankings({.newest_per_board = false}))
    snapshot.rankings.push_back(std::move(row.ranking));
  for (const auto& [id, device] : snapshot.devices) {
    const std::vector<CeilingRecord> of_device = database.ceilings(id, /*newest_per_name=*/false);
    snapshot.ceilings.insert(snapshot.ceilings.end(), of_device.begin(), of_device.end());
  }
  for (Database::ContractCheckRow& row : database.contract_checks())
    snapshot.contract_checks.push_back(std::move(row.check));
  return snapshot;
}

namespace {

// A copy of a run that was made while it ran lacks the end.
RunRecord without_end(RunRecord run) {
  run.finished_utc.clear();
  run.ended.clear();
  return run;
}

std::string encoded(const std::vector<double>& samples_us) {
  const std::vector<std::byte> bytes = encode_samples(samples_us);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Sorts `items` and updates every index that refers to them through `moved`.
template <class Item, class Less>
std::vector<std::size_t> sort_items(std::vector<Item>& items, const Less& less) {
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return less(items[a], items[b]); });
  std::vector<std::size_t> moved(items.size());
  std::vector<Item> sorted;
  sorted.reserve(items.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    moved[order[i]] = i;
    sorted.push_back(std::move(items[order[i]]));
  }
  items = std::move(sorted);
  return moved;
}

// The meaning of one snapshot's row numbers.
struct Names {
  std::map<RowId, std::string> devices;                          // fingerprints
  std::map<RowId, std::pair<std::string, std::string>> kernels;  // name and contract hash
  std::map<RowId, std::size_t> runs;                             // indices into the union
  std::map<RowId, std::size_t> trials;                           // indices into the union
};

class Uniter {
 public:
  explicit Uniter(bool first_wins) : first_wins_(first_wins) {}

  void add_all(const std::vector<const Snapshot*>& snapshots) {
    names_.resize(snapshots.size());
    for (std::size_t at = 0; at < snapshots.size(); ++at) {
      add_devices(*snapshots[at], at);
      add_runs(*snapshots[at], at);
      add_trials(*snapshots[at], at);
      add_kernels(*snapshots[at], at);
      add_ceilings(*snapshots[at], at);
    }
    sort_runs();
    sort_trials();
    // Rankings and contract checks refer to trials and runs, which have their final places only
    // now.
    for (std::size_t at = 0; at < snapshots.size(); ++at) add_rankings(*snapshots[at], at);
    for (std::size_t at = 0; at < snapshots.size(); ++at) add_contract_checks(*snapshots[at], at);
    sort_rest();
  }

  MergeUnion take() { return std::move(all_); }

 private:
  // Replaces the record that represents an item if another is preferred.
  template <class Record>
  void choose(Record& standing, const Record& other) const {
    if (!first_wins_ && standing < other) standing = other;
  }

  void add_devices(const Snapshot& snapshot, std::size_t at) {
    for (const auto& [id, device] : snapshot.devices) {
      names_[at].devices[id] = device.fingerprint;
      const auto [found, fresh] =
          all_.devices.try_emplace(device.fingerprint, MergedDevice{device, {}});
      if (!fresh) choose(found->second.record, device);
      found->second.rows.emplace(at, id);
    }
  }

  void add_runs(const Snapshot& snapshot, std::size_t at) {
    for (const auto& [id, run] : snapshot.runs) {
      const auto [found, fresh] = run_of_.try_emplace(without_end(run), all_.runs.size());
      if (fresh) all_.runs.push_back({run, false, {}});
      MergedRun& merged = all_.runs[found->second];
      if (merged.record < run) merged.record = run;  // "" sorts before any end
      merged.rows.emplace(at, id);
      names_[at].runs[id] = found->second;
    }
  }

  void add_trials(const Snapshot& snapshot, std::size_t at) {
    Names& names = names_[at];
    for (const auto& [id, kernel] : snapshot.kernels)
      names.kernels[id] = {kernel.name, kernel.contract_hash};
    std::map<MergeSubject, MergeClock> clocks;
    for (const TrialRecord& trial : snapshot.trials) {
      MergedTrial item{trial, encoded(trial.samples_us)};
      item.kernel = names.kernels.at(trial.kernel);
      item.subject = {item.kernel.first, names.devices.at(trial.device)};
      item.run = names.runs.at(trial.run);
      item.turn = clocks[item.subject].next(trial.started_utc);
      if (trial.same_as) {
        // The trial that was measured was stored earlier.
        const auto found = names.trials.find(*trial.same_as);
        if (found != names.trials.end()) item.same_as = found->second;
      }
      latest_[at][item.kernel] = std::max(latest_[at][item.kernel], item.turn.time);
      TrialRecord& record = item.record;
      record.id = record.run = record.kernel = record.device = 0;
      record.same_as.reset();
      record.samples_us.clear();
      names.trials[trial.id] = put_trial(std::move(item), at, trial.id);
    }
  }

  // Two imports of one file differ only in the file's name and in their run.
  [[nodiscard]] static bool equal(const MergedTrial& a, const MergedTrial& b) {
    if (a.subject != b.subject || a.kernel != b.kernel || a.samples != b.samples ||
        a.same_as != b.same_as) {
      return false;
    }
    if (!is_imported(a.record)) return a.run == b.run && a.record == b.record;
    TrialRecord one = a.record, other = b.record;
    one.measurement = other.measurement = {};
    return one == other;
  }

  std::size_t put_trial(MergedTrial item, std::size_t at, RowId row) {
    std::vector<std::size_t>& alike =
        trials_alike_[item.record.key + '\n' + item.record.started_utc];
    for (const std::size_t index : alike) {
      MergedTrial& known = all_.trials[index];
      if (!equal(known, item)) continue;
      known.turn = std::max(known.turn, item.turn);
      known.rows.emplace(at, row);
      if (!first_wins_ && std::tie(known.record, all_.runs[known.run].record) <
                              std::tie(item.record, all_.runs[item.run].record)) {
        known.record = std::move(item.record);
        known.run = item.run;
      }
      return index;
    }
    item.rows.emplace(at, row);
    alike.push_back(all_.trials.size());
    all_.trials.push_back(std::move(item));
    return alike.back();
  }

  void add_kernels(const Snapshot& snapshot, std::size_t at) {
    std::map<std::string, MergeClock> clocks;  // by name of the kernel
    for (const auto& [id, kernel] : snapshot.kernels) {
      const std::pair key(kernel.name, kernel.contract_hash);
      const MergeTurn turn = clocks[kernel.name].next(latest_[at][key]);
      const auto [found, fresh] = kernel_of_.try_emplace(key, all_.kernels.size());
      if (fresh) all_.kernels.push_back({kernel, turn, {}});
      MergedKernel& known = all_.kernels[found->second];
      known.turn = std::max(known.turn, turn);
      known.rows.emplace(at, id);
      // The hash says that the sources are equal; the greater record has more of the columns that a
      // row may lack.
      if (known.record < kernel) known.record = kernel;
    }
  }

  void add_ceilings(const Snapshot& snapshot, std::size_t at) {
    std::map<std::pair<std::string, std::string>, MergeClock> clocks;  // by device and name
    for (const CeilingRecord& ceiling : snapshot.ceilings) {
      MergedCeiling item{ceiling, names_[at].devices.at(ceiling.device)};
      item.record.device = 0;
      item.turn = clocks[{item.fingerprint, ceiling.name}].next(ceiling.measured_utc);
      const auto known =
          std::find_if(all_.ceilings.begin(), all_.ceilings.end(), [&](const auto& one) {
            return one.fingerprint == item.fingerprint && one.record == item.record;
          });
      if (known == all_.ceilings.end()) {
        all_.ceilings.emplace_back(std::move(item)).snapshots.insert(at);
        continue;
      }
      known->turn = std::max(known->turn, item.turn);
      known->snapshots.insert(at);
    }
  }

  // A database rejects any other ranking, but one that was edited by hand may hold one.
  void require_one_board(const MergedRanking& ranking, const std::string& file, RowId row) const {
    const std::string& protocol =
        all_.trials[static_cast<std::size_t>(ranking.record.winner)].record.protocol;
    std::set<RowId> seen;
    for (const RankingEntryRecord& entry : ranking.record.entries) {
      const MergedTrial& trial = all_.trials[static_cast<std::size_t>(entry.trial)];
      const bool again = !seen.insert(entry.trial).second;
      if (!again && trial.subject == ranking.subject && trial.record.protocol == protocol &&
          trial.record.problem == ranking.record.problem &&
          trial.record.problem_text == ranking.record.problem_text)
        continue;
      throw user_error(fmt::format(
          "{} is damaged: ranking {} is of {}; "
          "take it out with sqlite3: DELETE FROM ranking WHERE id = {}",
          file, row, again ? "two trials that are one" : "trials that are not on one board", row));
    }
  }

  void add_rankings(const Snapshot& snapshot, std::size_t at) {
    const Names& names = names_[at];
    std::map<MergeSubject, MergeClock> clocks;
    for (const RankingRecord& ranking : snapshot.rankings) {
      MergedRanking item{ranking};
      item.subject = {ranking.kernel_name, names.devices.at(ranking.device)};
      item.run = names.runs.at(ranking.run);
      item.turn = clocks[item.subject].next(ranking.started_utc);
      RankingRecord& record = item.record;
      record.id = record.run = record.device = record.last_trial = 0;
      record.winner = static_cast<RowId>(names.trials.at(ranking.winner));
      for (RankingEntryRecord& entry : record.entries)
        entry.trial = static_cast<RowId>(names.trials.at(entry.trial));
      require_one_board(item, snapshot.name, ranking.id);
      all_.runs[item.run].used = true;
      const auto known =
          std::find_if(all_.rankings.begin(), all_.rankings.end(), [&](const auto& one) {
            return one.subject == item.subject && one.run == item.run && one.record == item.record;
          });
      MergedRanking& merged =
          known == all_.rankings.end() ? all_.rankings.emplace_back(item) : *known;
      merged.turn = std::max(merged.turn, item.turn);
      merged.rows.try_emplace(at, ranking.id, ranking.last_trial);
    }
  }

  // Call this once the runs have their final places.
  void add_contract_checks(const Snapshot& snapshot, std::size_t at) {
    for (const ContractCheckRecord& check : snapshot.contract_checks) {
      const MergedCheckKey key(names_[at].runs.at(check.run), names_[at].kernels.at(check.kernel),
                               check.problem_text, check.problem.text());
      ContractCheckRecord record = check;
      record.run = record.kernel = 0;
      const auto [known, fresh] = all_.contract_checks.try_emplace(key, record);
      if (!fresh) choose(known->second, record);
    }
  }

  void sort_runs() {
    const std::vector<std::size_t> moved = sort_items(all_.runs, [](const MergedRun& a,
                                                                    const MergedRun& b) {
      return std::tie(a.record.started_utc, a.record) < std::tie(b.record.started_utc, b.record);
    });
    for (MergedTrial& trial : all_.trials) {
      trial.run = moved[trial.run];
      all_.runs[trial.run].used = true;
    }
    for (Names& names : names_) {
      for (auto& [id, run] : names.runs) run = moved[run];
    }
  }

  void sort_trials() {
    const std::vector<std::size_t> moved = sort_items(all_.trials, [](const MergedTrial& a,
                                                                      const MergedTrial& b) {
      return std::tie(a.turn.time, a.subject, a.turn.turn, a.record, a.samples, a.kernel, a.run) <
             std::tie(b.turn.time, b.subject, b.turn.turn, b.record, b.samples, b.kernel, b.run);
    });
    for (MergedTrial& trial : all_.trials) {
      if (trial.same_as) trial.same_as = moved[*trial.same_as];
    }
    for (Names& names : names_) {
      for (auto& [id, trial] : names.trials) trial = moved[trial];
    }
  }

  void sort_rest() {
    sort_items(all_.kernels, [](const MergedKernel& a, const MergedKernel& b) {
      return std::tie(a.turn, a.record) < std::tie(b.turn, b.record);
    });
    sort_items(all_.rankings, [](const MergedRanking& a, const MergedRanking& b) {
      return std::tie(a.turn.time, a.subject, a.turn.turn, a.record, a.run) <
             std::tie(b.turn.time, b.subject, b.turn.turn, b.record, b.run);
    });
    sort_items(all_.ceilings, [](const MergedCeiling& a, const MergedCeiling& b) {
      return std::tie(a.fingerprint, a.record.name, a.turn, a.record) <
             std::tie(b.fingerprint, b.record.name, b.turn, b.record);
    });
  }

  bool first_wins_;
  MergeUnion all_;
  std::vector<Names> names_;  // by snapshot
  std::map<RunRecord, std::size_t> run_of_;
  std::map<std::pair<std::string, std::string>, std::size_t> kernel_of_;
  std::unordered_map<std::string, std::vector<std::size_t>> trials_alike_;
  // By snapshot: the time at which each kernel was last tried.
  std::map<std::size_t, std::map<std::pair<std::string, std::string>, std::string>> latest_;
};

}  // namespace

MergeUnion unite(const std::vector<const Snapshot*>& snapshots, bool first_wins) {
  Uniter uniter(first_wins);
  uniter.add_all(snapshots);
  return uniter.take();
}

}  // namespace warpwright
