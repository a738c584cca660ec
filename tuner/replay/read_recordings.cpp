#include "replay/read_recordings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/assignment_words.h"
#include "core/error.h"
#include "core/natural_order.h"
#include "core/suggest.h"
#include "exchange/result_file.h"
#include "exchange/t4/t4_import.h"
#include "replay/board_recordings.h"
#include "replay/replay_file.h"
#include "replay/trial_draft.h"

namespace warpwright {
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
                                     left == 1 ? "1 result" : fmt::format("{} results", left),
                                     left == 1 ? "is" : "are"));
  }
  add_trials(trials, draft);
  return make_recording(std::move(draft));
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char x, unsigned char y) {
    return std::tolower(x) == std::tolower(y);
  });
}

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

}  // namespace warpwright
