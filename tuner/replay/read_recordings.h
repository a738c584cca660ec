// What files have to replay: databases, T4 files and replay files, each also in gzip, and folders
// of them. A file is recognised by what is in it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "replay/recording.h"

namespace warpwright {

// Which recordings are wanted; "" takes every one.
struct RecordingChoice {
  std::string kernel = "";   // by name
  std::string problem = "";  // words of it: "rows=8192"
  std::string device = "";   // an id, a name in any case, or digits of the fingerprint
};

struct FoundRecordings {
  std::vector<Recording> recordings;  // no two of one name
  std::vector<std::string> notes;     // boards and files that were left out, and why
};

// A folder stands for the files in it, in order of name, but not for its folders; what holds no
// recording there becomes a note. So does a board of a database that no finished exhaustive sweep
// covers. Throws Error (user) when a file given by name holds no recording, when one is damaged or
// does not match its space, and when nothing is left of what was chosen.
[[nodiscard]] FoundRecordings read_recordings(const std::vector<std::filesystem::path>& files,
                                              const RecordingChoice& choice = {});

}  // namespace warpwright
