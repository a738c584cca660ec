#include "output/report/report_source.h"

#include <algorithm>

#include "analysis/board/board_additions.h"
#include "analysis/board/impossible.h"
#include "analysis/board/version_names.h"
#include "analysis/insight/failure_advice.h"
#include "core/words.h"
#include "metrics/peaks.h"

namespace warpwright {
namespace {

// Twins have no samples of their own; they use those of the trial whose measurement they share.
std::vector<double> samples_of(const Database& database, const TrialRecord& trial) {
  const auto rows = database.trials(
      {.trial = trial.same_as.value_or(trial.id), .newest_per_key = false, .with_samples = true});
  if (rows.empty()) return {};
  std::vector<double> samples = rows.front().trial.samples_us;
  // Stored samples still include the floor.
  if (trial.raw_median_us && trial.median_us) {
    const double floor_us = *trial.raw_median_us - *trial.median_us;
    for (double& sample : samples) sample -= floor_us;
  }
  return samples;
}

}  // namespace

ReportSource read_report_source(const Database& database, const std::optional<std::string>& kernel,
                                std::size_t sampled, const GoalOverride& goal) {
  ReportSource source;
  source.name = database.path().filename().string();
  source.trials = database.trial_count();
  source.runs = database.runs();
  source.devices = database.devices();
  source.roofs = read_roofs(database);
  const PeaksByDevice peaks = read_peaks(database);
  for (const auto& [id, record] : database.kernels())
    source.summaries[record.name] = record.summary;
  source.boards =
      make_leaderboards(database.trials({.kernel = kernel}), database.rankings({.kernel = kernel}),
                        BoardGoals(database, std::nullopt, goal), peaks);
  source.history =
      RunHistories(database.trials({.kernel = kernel, .newest_per_key = false}),
                   database.rankings({.kernel = kernel, .newest_per_board = false}), peaks);
  source.courses = SearchCourses(database);
  // Does the same as `warpwright show`: the harness's own kernels are shown by name only.
  if (!kernel) {
    std::erase_if(source.boards,
                  [](const Leaderboard& board) { return is_harness_kernel(board.kernel); });
  }
  // rows=64 before rows=8192; boards of one problem keep their order.
  std::stable_sort(source.boards.begin(), source.boards.end(), [](const auto& a, const auto& b) {
    return a.kernel != b.kernel ? a.kernel < b.kernel
                                : natural_before(a.problem_text, b.problem_text);
  });
  VersionNames(database).add_to(source.boards);
  add_limits(source.boards, source.roofs);
  add_contract_remarks(source.boards, database.contract_checks(kernel));
  advise_on_failures(source.boards, source.devices);
  for (const Leaderboard& board : source.boards) {
    const std::size_t wanted = std::min(sampled, board.entries.size());
    for (std::size_t i = 0; i < wanted; ++i) {
      const TrialRecord& trial = board.entries[i].row.trial;
      source.samples_us[trial.id] = samples_of(database, trial);
    }
  }
  return source;
}

}  // namespace warpwright
