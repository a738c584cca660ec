#include "harness/selftest/sweep_result.h"

#include <nlohmann/json.hpp>

#include "analysis/board/leaderboard.h"
#include "core/files.h"
#include "store/database.h"

namespace warpwright {
namespace {

nlohmann::json texts(const std::vector<Configuration>& configurations) {
  nlohmann::json list = nlohmann::json::array();
  for (const Configuration& one : configurations) list.push_back(one.to_string());
  return list;
}

}  // namespace

void to_json(nlohmann::json& json, const SweepResult& result) {
  json = {{"ended", result.ended},
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
    if (summary.ended == "interrupted") throw Interrupted{};
    return read_sweep_result(summary);
  };
}

}  // namespace warpwright
