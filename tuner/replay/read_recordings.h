// Reads recordings from files: databases, T4 files and replay files, each optionally in gzip, and
// folders of them. A file is recognised by its content.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "replay/recording.h"
#include "store/database.h"

namespace warpwright {

// Selects recordings; "" accepts every one.
struct RecordingChoice {
  std::string kernel = "";   // by name
  std::string problem = "";  // words of it: "rows=8192"
  std::string device = "";   // an id, a name in any case, or digits of the fingerprint
};

struct FoundRecordings {
  std::vector<Recording> recordings;  // with unique names
  std::vector<std::string> notes;     // boards and files that were left out, and why
};

// A folder stands for the files in it, in order of name, without its subfolders; a file in it that
// holds no recording becomes a note. So does a board of a database that no finished exhaustive
// sweep covers. Throws Error (user) when a file given by name holds no recording, when one is
// damaged or does not match its space, and when the choice matches nothing.
[[nodiscard]] FoundRecordings read_recordings(const std::vector<std::filesystem::path>& files,
                                              const RecordingChoice& choice = {});

// Makes one recording for each complete board of the chosen kernels, problems and devices, except
// the harness's own: an exhaustive sweep of it finished, or it was imported whole. Times are those
// that a search received: from the screening, not from final rankings. `file` is the database's
// name in messages and notes.
[[nodiscard]] FoundRecordings board_recordings(const Database& database,
                                               const RecordingChoice& choice,
                                               const std::string& file);

}  // namespace warpwright
