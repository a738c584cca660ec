#include "replay/read_recordings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "analysis/board/configuration_times.h"
#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "core/error.h"
#include "core/words.h"
#include "exchange/import/result_file.h"
#include "exchange/t4/t4_import.h"
#include "metrics/peaks.h"
#include "records/records.h"
#include "replay/recording.h"
#include "replay/replay_file.h"

namespace warpwright {
namespace {

// Recordings from trials, as databases and T4 files hold them: they do not describe the space, so
// the configurations that were tried are the space. Parameters are in alphabetical order, values in
// the order of value_before(), and each variant is a group of its own.

struct ValueBefore {
  bool operator()(const Value& a, const Value& b) const { return value_before(a, b); }
};
using ValueLevels = std::map<Value, std::uint32_t, ValueBefore>;

struct VariantLevels {
  std::size_t first = 0;                      // row of the variant
  std::map<std::string, ValueLevels> levels;  // of its parameters
};

std::vector<std::string> names_of(const ParameterValues& values) {
  std::vector<std::string> names;
  for (const auto& [name, value] : values) names.push_back(name);
  return names;
}

std::string join_or_none(const std::vector<std::string>& names) {
  return names.empty() ? "no parameters" : join(names);
}

[[noreturn]] void throw_different(const RecordingDraft& draft, std::size_t row,
                                  const TrialRecord& trial, std::size_t other,
                                  const TrialRecord& first) {
  throw user_error(fmt::format(
      "{}: {} has {}, and {} has {}; all configurations of a {} have the same parameters",
      draft.head.file, draft.row_name(row), join_or_none(names_of(*trial.parameters)),
      draft.row_name(other), join_or_none(names_of(*first.parameters)),
      trial.variant.empty() ? "recording" : "variant"));
}

std::map<std::string, VariantLevels> collect(const std::vector<const TrialRecord*>& trials,
                                             const RecordingDraft& draft) {
  std::map<std::string, VariantLevels> variants;
  for (std::size_t row = 0; row < trials.size(); ++row) {
    const TrialRecord& trial = *trials[row];
    const auto [found, added] = variants.try_emplace(trial.variant, VariantLevels{row, {}});
    const TrialRecord& first = *trials[found->second.first];
    if (!added && names_of(*trial.parameters) != names_of(*first.parameters))
      throw_different(draft, row, trial, found->second.first, first);
    for (const auto& [name, value] : *trial.parameters) found->second.levels[name][value] = 0;
  }
  for (auto& [variant, one] : variants) {
    for (auto& [name, levels] : one.levels) {
      std::uint32_t level = 0;
      for (auto& [value, number] : levels) number = level++;
    }
  }
  return variants;
}

bool is_time(const std::optional<double>& us) { return us && std::isfinite(*us) && *us > 0; }

RecordedRow row_of(const TrialRecord& trial, std::size_t group, const VariantLevels& variant) {
  RecordedRow row;
  row.place.group = group;
  for (const auto& [name, value] : *trial.parameters)
    row.place.levels.push_back(variant.levels.at(name).at(value));
  row.status = trial.status;
  if (trial.status == Status::kOk && is_time(trial.median_us)) row.us = trial.median_us;
  if (trial.status == Status::kPruned && is_time(trial.at_least_us))
    row.at_least_us = trial.at_least_us;
  return row;
}

// True for a trial that another tuner's constraints rejected; it is not part of the space.
bool is_rejected(const TrialRecord& trial) {
  return trial.status == Status::kInvalid && trial.protocol.starts_with("imported");
}

// `draft` must have the head and the names of rows; groups and rows are added here. Throws Error
// (user) when two configurations of a variant do not have the same parameters.
void add_trials(const std::vector<const TrialRecord*>& trials, RecordingDraft& draft) {
  const std::map<std::string, VariantLevels> variants = collect(trials, draft);
  std::map<std::string, std::size_t> groups;
  for (const auto& [name, variant] : variants) {
    groups[name] = draft.groups.size();
    RecordingDraft::Group& group = draft.groups.emplace_back();
    group.variant = name;
    for (const auto& [parameter, levels] : variant.levels) {
      SearchSpace::Axis& axis = group.axes.emplace_back();
      axis.name = parameter;
      for (const auto& [value, level] : levels) axis.values.push_back(value);
    }
  }
  for (const TrialRecord* trial : trials) {
    draft.rows.push_back(row_of(*trial, groups.at(trial->variant), variants.at(trial->variant)));
  }
}

}  // namespace

namespace fs = std::filesystem;
namespace {

std::string stem_of(const fs::path& file) {
  std::string name = file.filename().string();
  for (const std::string_view ending : {".gz", ".json"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

Recording t4_recording(std::string text, const fs::path& file) {
  const T4File results = read_t4(std::move(text), file.string());
  T4ImportOptions options;
  options.file_name = file.filename().string();
  const std::string stem = stem_of(file);
  // Kernel and device need not be given here: a file name that does not contain them is used for
  // both.
  const std::size_t dash = stem.find('-');
  const bool says = dash != std::string::npos && dash > 0 && dash + 1 < stem.size();
  if (!says && !results.metadata.contains("warpwright")) options.kernel = options.device = stem;
  const T4Import imported = import_t4(results, options);
  RecordingDraft draft;
  RecordingHead& head = draft.head;
  head.name = stem;
  head.kernel = imported.snapshot.kernels.front().second.name;
  head.device = imported.snapshot.devices.front().second.name;
  head.file = file.string();
  head.format = "T4";
  head.kind = "imported";
  head.notes = imported.notes;
  draft.row_before = "results[";
  std::vector<const TrialRecord*> trials;
  for (const TrialRecord& trial : imported.snapshot.trials) {
    if (is_rejected(trial)) continue;
    if (!trial.problem_text.empty()) head.problem = trial.problem_text;
    trials.push_back(&trial);
    draft.numbers.push_back(trial.id - 1);
  }
  if (const std::size_t left = imported.snapshot.trials.size() - trials.size(); left > 0) {
    head.notes.push_back(fmt::format("{} that constraints rejected {} not part of the space",
                                     plural(left, "result"), left == 1 ? "is" : "are"));
  }
  add_trials(trials, draft);
  return make_recording(std::move(draft));
}

bool same_word(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

// Matches a recording that is not a board against the choice; for boards, the database query has
// already done so.
bool chosen(const RecordingHead& head, const RecordingChoice& choice) {
  if (!choice.kernel.empty() && choice.kernel != head.kernel) return false;
  if (!choice.device.empty() && !same_word(choice.device, head.device)) return false;
  const std::vector<std::string> words = assignment_words(head.problem);
  const std::vector<std::string> asked = assignment_words(choice.problem);
  return std::all_of(asked.begin(), asked.end(), [&](const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
}

class Finder {
 public:
  explicit Finder(const RecordingChoice& choice) : choice_(choice) {}

  void read_folder(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, failed))
      if (entry.is_regular_file(failed)) files.push_back(entry.path());
    if (failed) {
      throw environment_error(
          fmt::format("cannot read the folder {}: {}", folder.string(), failed.message()));
    }
    std::sort(files.begin(), files.end(), [](const fs::path& a, const fs::path& b) {
      return natural_before(a.string(), b.string());
    });
    std::vector<std::string> others;
    for (const fs::path& file : files)
      if (!read_file(file)) others.push_back(file.filename().string());
    if (others.size() == files.size())
      throw user_error(
          fmt::format("{}: no file in it holds a recording; {}", folder.string(), kKinds));
    if (!others.empty()) {
      found_.notes.push_back(fmt::format("{}: left out what holds no recording: {}",
                                         folder.string(), fmt::join(others, ", ")));
    }
  }

  void read_named(const fs::path& file) {
    if (!read_file(file)) {
      throw user_error(fmt::format("{}: it holds no recording; {}", file.string(), kKinds));
    }
  }

  FoundRecordings take() {
    tell_files_apart();
    if (found_.recordings.empty()) throw_nothing();
    return std::move(found_);
  }

 private:
  static constexpr const char* kKinds =
      "expected a warpwright database, a T4 file or a replay file (JSON), plain or in gzip";

  // Returns false if the file holds no recording.
  bool read_file(const fs::path& file) {
    OpenedFile opened = open_result_file(file);
    if (const auto* database = std::get_if<Database>(&opened.content)) {
      add_boards(*database, file);
      return true;
    }
    auto* json = std::get_if<JsonText>(&opened.content);
    if (json == nullptr) return false;
    const JsonKind kind = kind_of_json(json->text);
    if (kind == JsonKind::kOther) return false;
    Recording recording = kind == JsonKind::kT4
                              ? t4_recording(std::move(json->text), file)
                              : make_recording(read_replay_file(json->text, file.string()));
    kernels_.insert(recording.head.kernel);
    if (chosen(recording.head, choice_)) found_.recordings.push_back(std::move(recording));
    return true;
  }

  void add_boards(const Database& database, const fs::path& file) {
    FoundRecordings boards = board_recordings(database, choice_, file.string());
    for (const auto& [id, kernel] : database.kernels()) kernels_.insert(kernel.name);
    for (Recording& recording : boards.recordings)
      found_.recordings.push_back(std::move(recording));
    found_.notes.insert(found_.notes.end(), boards.notes.begin(), boards.notes.end());
    boards_left_out_.insert(boards_left_out_.end(), boards.notes.begin(), boards.notes.end());
  }

  void tell_files_apart() {
    std::map<std::string, std::size_t> times;
    for (const Recording& recording : found_.recordings) ++times[recording.head.name];
    std::map<std::string, std::string> files;
    for (Recording& recording : found_.recordings) {
      RecordingHead& head = recording.head;
      if (times[head.name] > 1) head.name += fmt::format(" ({})", head.file);
      if (!files.try_emplace(head.name, head.file).second) {
        throw user_error(
            fmt::format("{}: the recording {} is given twice; name it once", head.file, head.name));
      }
    }
  }

  [[noreturn]] void throw_nothing() const {
    if (!choice_.kernel.empty() && !kernels_.contains(choice_.kernel)) {
      const std::vector<std::string> kernels(kernels_.begin(), kernels_.end());
      throw user_error(fmt::format("no recording of kernel '{}'{}", choice_.kernel,
                                   suggestion(choice_.kernel, kernels)));
    }
    if (!boards_left_out_.empty()) {
      throw user_error(fmt::format("no complete recording: {}", fmt::join(boards_left_out_, "; ")));
    }
    throw user_error(
        "no recording matches; choose others with --kernel, --problem and --device, or leave them "
        "out");
  }

  const RecordingChoice& choice_;
  FoundRecordings found_;
  std::vector<std::string> boards_left_out_;  // notes
  std::set<std::string> kernels_;             // all kernels found, chosen or not
};

}  // namespace

FoundRecordings read_recordings(const std::vector<fs::path>& files, const RecordingChoice& choice) {
  Finder finder(choice);
  for (const fs::path& file : files) {
    std::error_code ignored;
    if (fs::is_directory(file, ignored)) {
      finder.read_folder(file);
    } else {
      finder.read_named(file);
    }
  }
  return finder.take();
}

namespace {

using Runs = std::map<RowId, RunRecord>;

bool covers(const RunRecord& run) {
  return run.strategy == "import" ||
         (run.strategy == "exhaustive" && parse_run_end(run.ended) == RunEnd::kComplete);
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
