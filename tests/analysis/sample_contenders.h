// Contenders made from rows, without a database.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/compare/comparison.h"
#include "analysis/sample_rows.h"

namespace warpwright::testing {

inline Contender contender_of(const std::string& name, const RowMaker& make,
                              const std::vector<Database::TrialRow>& rows,
                              const std::vector<Database::RankingRow>& rankings = {}) {
  Contender contender;
  contender.name = name;
  contender.source = "results.db";
  contender.device_name = make.device_name;
  contender.device_arch = make.has_clock ? "sm_90a" : "sm_80";
  contender.device_driver = make.driver;
  contender.devices = {{make.device_id, "fingerprint of " + make.device_id + make.driver}};
  contender.modelled = !make.has_clock;
  contender.runs = {1};
  contender.versions = {"warpwright 0.1.0"};
  contender.nvrtc_versions = {"13.0"};
  contender.seeds = {"1"};
  contender.first_started_utc = contender.last_started_utc = "2026-03-01T12:00:00Z";
  contender.trials = rows.size();
  contender.boards = make_leaderboards(rows, rankings);
  return contender;
}

// A measured GPU whose ids and protocol can be set before rows are made.
inline RowMaker gpu(const std::string& id, const std::string& name) {
  RowMaker make;
  make.device_id = id;
  make.device_name = name;
  return make;
}

inline RowMaker emulator(const std::string& id) {
  RowMaker make = gpu(id, "emulated " + id);
  make.has_clock = false;
  make.protocol = "model-1";
  make.driver = "emulator 1";
  return make;
}

// The first boards of contenders with one kernel and problem each.
inline std::vector<const Leaderboard*> boards_of(const std::vector<Contender>& contenders) {
  std::vector<const Leaderboard*> boards;
  for (const Contender& contender : contenders)
    boards.push_back(contender.boards.empty() ? nullptr : &contender.boards.front());
  return boards;
}

}  // namespace warpwright::testing
