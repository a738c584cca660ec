// Trial rows for analysis and output, made without a database.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "store/database.h"
#include "support/stored_text.h"

namespace warpwright::testing {

// Builds rows with ascending ids; the newest is last, as from a database.
class RowMaker {
 public:
  std::string kernel = "softmax_topk";
  std::string problem_text = "rows=8192 V=50257 K=10 dtype=f32";
  std::string problem_json = R"({"K":10,"V":50257,"dtype":"f32","rows":8192})";
  std::string contract = "hash-1";
  std::int64_t generation = 1;
  std::string device_id = "cuda:0";
  std::string device_name = "NVIDIA H200";
  std::string driver = "580.159.04";
  std::string protocol = "cold-events-1";
  bool has_clock = true;
  double half_width_us = 0.4;
  double work_bytes = 1647476736;
  double work_flops = 0;

  Database::TrialRow ok(const std::string& variant, const std::string& parameters,
                        double median_us) {
    Database::TrialRow row = make(variant, parameters, Status::kOk);
    row.trial.median_us = median_us;
    if (has_clock) {
      row.trial.ci_low_us = median_us - half_width_us;
      row.trial.ci_high_us = median_us + half_width_us;
    }
    row.trial.modelled = !has_clock;
    row.trial.protocol = protocol;
    row.trial.work_bytes = work_bytes;
    row.trial.work_flops = work_flops;
    set_text(
        row.trial.resources,
        R"([{"entry":"e","registers":40,"spill_loads":0,"spill_stores":0,"static_shared":12288}])");
    return row;
  }
  Database::TrialRow failed(const std::string& variant, const std::string& parameters,
                            Status status, std::string reason) {
    Database::TrialRow row = make(variant, parameters, status);
    row.trial.reason = std::move(reason);
    return row;
  }

  // A final ranking of `rows`, the winner first, each 0.1 µs slower than the one before.
  Database::RankingRow ranking(const std::vector<Database::TrialRow>& rows, double winner_us,
                               std::size_t tied) {
    Database::RankingRow row;
    row.device_fingerprint = rows.front().device_fingerprint;
    row.board_protocol = rows.front().trial.protocol;
    RankingRecord& ranking = row.ranking;
    ranking.id = 1;
    ranking.kernel_name = kernel;
    set_text(ranking.problem, problem_json);
    ranking.problem_text = problem_text;
    ranking.protocol = "rounds-1";
    ranking.rounds = 46;
    ranking.confidence = 0.99;
    ranking.started_utc = "2026-03-01T12:05:00Z";
    ranking.winner = rows.front().trial.id;
    ranking.last_trial = last_id_;
    for (const Database::TrialRow& finalist : rows) {
      RankingEntryRecord& entry = ranking.entries.emplace_back();
      entry.trial = finalist.trial.id;
      entry.place = static_cast<int>(ranking.entries.size());
      entry.tied = ranking.entries.size() <= tied;
      entry.median_us = winner_us + 0.1 * (entry.place - 1);
      entry.ci_low_us = entry.median_us - 0.2;
      entry.ci_high_us = entry.median_us + 0.2;
      entry.relative = entry.median_us / winner_us;
      entry.relative_low = entry.relative - 0.0002;
      entry.relative_high = entry.relative + 0.0002;
      if (entry.place > 1) entry.p_adjusted = entry.tied ? 0.2 : 0.001;
    }
    return row;
  }

 private:
  Database::TrialRow make(const std::string& variant, const std::string& parameters,
                          Status status) {
    Database::TrialRow row;
    row.trial.id = ++last_id_;
    row.trial.key = "key-" + std::to_string(last_id_);
    row.trial.problem_text = problem_text;
    set_text(row.trial.problem, problem_json);
    row.trial.variant = variant;
    row.trial.configuration_text = variant + (parameters.empty() ? "" : " ") + parameters;
    set_text(row.trial.parameters, "{}");
    row.trial.status = status;
    row.kernel_name = kernel;
    row.contract_hash = contract;
    row.contract_generation = generation;
    row.device_id = device_id;
    row.device_name = device_name;
    row.device_driver = driver;
    row.device_fingerprint = "fingerprint of " + device_id + driver;
    row.device_has_clock = has_clock;
    return row;
  }

  RowId last_id_ = 0;
};

}  // namespace warpwright::testing
