#include "replay/board_recordings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "core/assignment_words.h"
#include "core/error.h"
#include "metrics/harness_kernels.h"
#include "replay/trial_draft.h"

namespace warpwright {
namespace {

using Runs = std::map<RowId, RunRecord>;

bool covers(const RunRecord& run) {
  return run.strategy == "import" || (run.strategy == "exhaustive" && run.ended == "complete");
}

// A run that resumed another one and completed without new trials is not the run of any trial.
bool resumed_by_a_complete_one(const Runs& runs, RowId first) {
  const RunRecord& begun = runs.at(first);
  return std::any_of(runs.upper_bound(first), runs.end(), [&](const auto& later) {
    return covers(later.second) && later.second.config_text == begun.config_text &&
           later.second.command_line == begun.command_line;
  });
}

std::vector<const TrialRecord*> trials_of(const Leaderboard& board) {
  std::vector<const TrialRecord*> trials;
  for (const LeaderboardEntry& entry : board.entries) trials.push_back(&entry.row.trial);
  for (const Database::TrialRow& row : board.untimed)
    if (!is_rejected(row.trial)) trials.push_back(&row.trial);
  std::sort(trials.begin(), trials.end(), [](const TrialRecord* a, const TrialRecord* b) {
    return a->configuration_text < b->configuration_text;
  });
  return trials;
}

bool is_complete(const std::vector<const TrialRecord*>& trials, const Runs& runs) {
  std::set<RowId> of;
  for (const TrialRecord* trial : trials) of.insert(trial->run);
  return std::any_of(of.begin(), of.end(), [&](RowId run) {
    return runs.contains(run) && (covers(runs.at(run)) || resumed_by_a_complete_one(runs, run));
  });
}

std::string board_name(const Leaderboard& board) {
  return fmt::format("{}, {}, {}", board.kernel, board.problem_text, board.device_name);
}

RecordingDraft draft_of(const Leaderboard& board, const std::vector<const TrialRecord*>& trials,
                        const std::string& file) {
  RecordingDraft draft;
  draft.head = {board_name(board),
                board.kernel,
                board.problem_text,
                board.device_name,
                file,
                "database",
                board.imported   ? "imported"
                : board.modelled ? "modelled"
                                 : "measured"};
  draft.row_before = "trial ";
  draft.row_after = "";
  for (const TrialRecord* trial : trials) draft.numbers.push_back(trial->id);
  add_trials(trials, draft);
  return draft;
}

bool wanted(const Leaderboard& board, const RecordingChoice& choice) {
  if (choice.kernel.empty() && is_harness_kernel(board.kernel)) return false;
  const std::vector<std::string> words = assignment_words(board.problem_text);
  const std::vector<std::string> asked = assignment_words(choice.problem);
  return std::all_of(asked.begin(), asked.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

// Appends `words` to the names of recordings that would otherwise share a name.
void tell_apart(std::vector<Recording>& recordings, const std::vector<std::string>& words) {
  std::map<std::string, std::set<std::string>> told;
  for (std::size_t i = 0; i < recordings.size(); ++i)
    told[recordings[i].head.name].insert(words[i]);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    std::string& name = recordings[i].head.name;
    if (told[name].size() > 1) name += ", " + words[i];
  }
}

}  // namespace

FoundRecordings board_recordings(const Database& database, const RecordingChoice& choice,
                                 const std::string& file) {
  Database::TrialFilter filter;
  if (!choice.kernel.empty()) filter.kernel = choice.kernel;
  if (!choice.device.empty()) filter.device = choice.device;
  const auto rows = database.runs();
  const Runs runs(rows.begin(), rows.end());
  FoundRecordings found;
  std::vector<std::string> devices, protocols;
  for (const Leaderboard& board :
       make_leaderboards(database.trials(filter), {}, {}, read_peaks(database))) {
    if (!wanted(board, choice)) continue;
    const std::vector<const TrialRecord*> trials = trials_of(board);
    const auto leave_out = [&](const std::string& why) {
      found.notes.push_back(fmt::format("{}: left out {}: {}", file, board_name(board), why));
    };
    if (board.entries.empty()) {
      leave_out("nothing has a time");
    } else if (!is_complete(trials, runs)) {
      leave_out("no exhaustive sweep of it has come to its end");
    } else {
      found.recordings.push_back(make_recording(draft_of(board, trials, file)));
      devices.push_back(board.device_fingerprint.substr(0, 8));
      protocols.push_back(board.protocol);
    }
  }
  tell_apart(found.recordings, devices);
  tell_apart(found.recordings, protocols);
  return found;
}

}  // namespace warpwright
