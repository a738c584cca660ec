// The content of one results database that the report shows: boards and related data, without the
// database itself. Times are in microseconds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/board/leaderboard.h"
#include "analysis/board/roofline.h"
#include "analysis/insight/run_history.h"
#include "store/database.h"

namespace warpwright {

struct ReportSource {
  std::string name;           // of the file, without its folder
  std::string repro_options;  // further options of `warpwright repro TRIAL`: " --db x.db"
  std::uint64_t trials = 0;   // in the whole database
  std::vector<std::pair<RowId, RunRecord>> runs;
  std::vector<std::pair<RowId, DeviceRecord>> devices;
  RoofsByDevice roofs;
  std::map<std::string, std::string> summaries;  // by kernel
  std::vector<Leaderboard> boards;               // with their limits and advice on failures
  RunHistories history;                          // of all runs, older sources included
  SearchCourses courses;                         // of the newest run that searched a board
  // Samples of the first entries of each board, by trial; like the times shown, with the floor
  // subtracted if the trial's is.
  std::map<RowId, std::vector<double>> samples_us;
};

// Reads one kernel, or all; with the samples of the first `sampled` entries of each board. `goal`
// replaces the goals of the sweeps. Throws the same user errors as BoardGoals.
[[nodiscard]] ReportSource read_report_source(const Database& database,
                                              const std::optional<std::string>& kernel,
                                              std::size_t sampled, const GoalOverride& goal = {});

}  // namespace warpwright
