// Makes boards that are ranked by a goal from rows, without a database of trials.
#pragma once

#include <string>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/sample_rows.h"
#include "core/files.h"

namespace warpwright::testing {

// The goals of a database whose only run has this one, for the board of `row`.
inline BoardGoals goals_of(GoalRecord goal, const Database::TrialRow& row,
                           const GoalOverride& instead = {}) {
  const TemporaryFolder folder;
  Database database(folder.path() / "goals.db");
  goal.kernel = row.kernel_name;
  goal.boards = {{row.device_fingerprint, row.trial.problem_text}};
  RunRecord run;
  run.goal = goal;
  database.start_run(run);
  return BoardGoals(database, std::nullopt, instead);
}

// The same row with an energy and registers of its own.
inline Database::TrialRow with_energy(Database::TrialRow row, double mj, int registers) {
  TrialMeasurement measurement;
  measurement.energy_mj_per_launch = mj;
  row.trial.measurement = measurement;
  EntryResources entry;
  entry.entry = "e";
  entry.registers = registers;
  row.trial.resources = TrialResources{entry};
  return row;
}

}  // namespace warpwright::testing
