// Databases to merge, written by hand, and the part of a database's content that does not depend on
// row numbers.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "exchange/merge/snapshot.h"
#include "store/sample_records.h"
#include "support/stored_text.h"

namespace warpwright::testing {

// Fills one database file; each put uses the current run, kernel and device.
class SampleDatabase {
 public:
  explicit SampleDatabase(const std::filesystem::path& path) : database_(path) {
    use_device("cuda:0");
    use_kernel("hash-1");
    start_run("2026-03-01T12:00:00Z");
  }

  void use_device(const std::string& id) {
    DeviceRecord device = sample_device();
    device.id = id;
    device.fingerprint = "fingerprint of " + id;
    device_ = database_.put_device(device);
  }
  void use_kernel(const std::string& hash) { kernel_ = database_.put_kernel(sample_kernel(hash)); }
  void start_run(const std::string& started_utc) {
    RunRecord run = sample_run();
    run.started_utc = started_utc;
    run_ = database_.start_run(run);
  }
  // A trial of THREADS=`threads`, started at `second` of a fixed minute.
  RowId add(int threads, double median_us, int second) {
    TrialRecord trial = make(threads, second);
    trial.median_us = median_us;
    trial.ci_low_us = median_us - 0.5;
    trial.ci_high_us = median_us + 0.5;
    trial.samples_us = {median_us, median_us + 0.25};
    return database_.add_trial(trial);
  }
  RowId add_failed(int threads, Status status, int second) {
    TrialRecord trial = make(threads, second);
    trial.status = status;
    trial.reason = "it failed";
    trial.median_us = trial.ci_low_us = trial.ci_high_us = trial.at_least_us = std::nullopt;
    trial.samples_us.clear();
    return database_.add_trial(trial);
  }
  RowId add_twin(int threads, RowId of, double median_us, int second) {
    TrialRecord trial = make(threads, second);
    trial.median_us = trial.ci_low_us = trial.ci_high_us = median_us;
    trial.same_as = of;
    return database_.add_trial(trial);
  }
  RowId rank(const std::vector<RowId>& trials, double winner_us, int second) {
    RankingRecord ranking = sample_ranking(trials);
    ranking.run = run_;
    ranking.device = device_;
    ranking.started_utc = time_of(second);
    for (RankingEntryRecord& entry : ranking.entries) {
      entry.median_us = winner_us + 0.1 * (entry.place - 1);
      entry.ci_low_us = entry.median_us - 0.05;
      entry.ci_high_us = entry.median_us + 0.05;
    }
    return database_.add_ranking(ranking);
  }
  void add_ceiling(double value, int second) {
    database_.add_ceiling({device_, "read", value, "GB/s", {}, {}, "ceiling-1", time_of(second)});
  }
  Database& database() { return database_; }

  static std::string time_of(int second) {
    return fmt::format("2026-03-01T13:{:02}:{:02}Z", second / 60, second % 60);
  }

 private:
  TrialRecord make(int threads, int second) const {
    TrialRecord trial = sample_trial(run_, kernel_, device_);
    trial.key = fmt::format("key of {} on {} of {}", threads, device_, kernel_);
    set_text(trial.parameters, fmt::format(R"({{"THREADS":{}}})", threads));
    trial.configuration_text = fmt::format("threshold THREADS={}", threads);
    trial.started_utc = time_of(second);
    return trial;
  }

  Database database_;
  RowId device_ = 0, kernel_ = 0, run_ = 0;
};

inline std::vector<Leaderboard> boards_of(const std::filesystem::path& path) {
  const Database database(path, OpenMode::kReadOnly);
  return make_leaderboards(database.trials({}), database.rankings({}));
}

// The content that `show` would print: per board the ranked configurations with times, then the
// rest.
inline std::vector<std::string> shown(const std::filesystem::path& path) {
  std::vector<std::string> lines;
  for (const Leaderboard& board : boards_of(path)) {
    lines.push_back(fmt::format("{} on {}, ranking {} lapsed '{}', stale {}", board.kernel,
                                board.device_id, board.ranking.has_value(), board.lapsed_ranking,
                                board.stale));
    for (const LeaderboardEntry& entry : board.entries) {
      lines.push_back(fmt::format("{} {} {} {}", entry.rank, entry.row.trial.configuration_text,
                                  entry.median_us, entry.row.trial.started_utc));
    }
    for (const FailureGroup& group : board.failures)
      lines.push_back(fmt::format("{} {}", group.count, group.example_configuration));
  }
  return lines;
}

// Every row of every table, with referenced records in place of row numbers, sorted.
inline std::vector<std::string> content(const std::filesystem::path& path) {
  const Snapshot all = read_snapshot(Database(path, OpenMode::kReadOnly));
  const auto name = [](const auto& rows, RowId id, auto text) {
    for (const auto& [row, record] : rows)
      if (row == id) return text(record);
    return std::string("(none)");
  };
  const auto device = [&](RowId id) {
    return name(all.devices, id,
                [](const DeviceRecord& d) { return d.fingerprint + d.details.text(); });
  };
  const auto kernel = [&](RowId id) {
    return name(all.kernels, id, [](const KernelRecord& k) {
      return fmt::format("{} {} {}", k.name, k.contract_hash, k.sources.size());
    });
  };
  const auto run = [&](RowId id) {
    return name(all.runs, id,
                [](const RunRecord& r) { return r.started_utc + r.ended + r.strategy; });
  };
  const auto trial_text = [&](const TrialRecord& t) {
    return fmt::format("trial {} {} {} {} {} {} {} {}", t.key, t.started_utc, status_name(t.status),
                       t.median_us.value_or(0), fmt::join(t.samples_us, ","), kernel(t.kernel),
                       device(t.device), run(t.run));
  };
  const auto trial = [&](RowId id) {
    for (const TrialRecord& t : all.trials)
      if (t.id == id) return trial_text(t);
    return std::string("(none)");
  };
  std::vector<std::string> lines;
  for (const auto& [id, record] : all.devices) lines.push_back("device " + device(id));
  for (const auto& [id, record] : all.runs) lines.push_back("run " + run(id));
  for (const auto& [id, record] : all.kernels) lines.push_back("kernel " + kernel(id));
  for (const TrialRecord& t : all.trials)
    lines.push_back(trial_text(t) + (t.same_as ? " as " + trial(*t.same_as) : ""));
  for (const RankingRecord& r : all.rankings) {
    std::string line = fmt::format("ranking {} {} {}", r.started_utc, run(r.run), trial(r.winner));
    for (const RankingEntryRecord& entry : r.entries)
      line += fmt::format(" {} {}", entry.median_us, trial(entry.trial));
    lines.push_back(line);
  }
  for (const CeilingRecord& c : all.ceilings)
    lines.push_back(
        fmt::format("ceiling {} {} {} {}", device(c.device), c.name, c.value, c.measured_utc));
  for (const ContractCheckRecord& c : all.contract_checks)
    lines.push_back(fmt::format("contract check {} {} {} {}", run(c.run), kernel(c.kernel),
                                c.problem_text, c.remarks.text()));
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace warpwright::testing
