// What the report shows of one results database: boards and what surrounds them, without the
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
#include "analysis/insight/search_courses.h"
#include "store/database.h"

namespace warpwright {

struct ReportSource {
  std::string name;           // of the file, without its folder
  std::string repro_options;  // what `warpwright repro TRIAL` needs besides: " --db x.db"
  std::uint64_t trials = 0;   // in the database, whatever the report shows
  std::vector<std::pair<RowId, RunRecord>> runs;
  std::vector<std::pair<RowId, DeviceRecord>> devices;
  RoofsByDevice roofs;
  std::map<std::string, std::string> summaries;  // by kernel
  std::vector<Leaderboard> boards;               // with their limits and advice on failures
  RunHistories history;                          // of all runs, older sources included
  SearchCourses courses;                         // of the newest run that searched a board
  // Of the first entries of each board, by trial; as times are shown, with the floor subtracted
  // where the trial's is.
  std::map<RowId, std::vector<double>> samples_us;
};

// Of one kernel, or of all; with the samples of the first `sampled` entries of each board. `goal`
// ranks instead of what the sweeps were after. Throws Error (user) as BoardGoals does.
[[nodiscard]] ReportSource read_report_source(const Database& database,
                                              const std::optional<std::string>& kernel,
                                              std::size_t sampled, const GoalOverride& goal = {});

}  // namespace warpwright
