// The replay format: complete tuning results as JSON, one object of
//   "parameters"   {"NAME": [values], ...}; their order is that of the values in a row
//   "configs"      [[values], ...], a row for each configuration
//   "time_ms"      [numbers], of each row; null where it failed
// and, where they are known,
//   "constraints"  ["expression", ...]: the rows are all that they accept; without it the rows are
//                  the space
//   "status"       [0 ok, 1 compilation failed, 2 failed at run time], of each row
//   "name", "kernel", "gpu", "problem"
//   "n_configs", "n_failed", "optimum_ms", which must agree with the rows
// Other members are skipped.
#pragma once

#include <string>

#include "replay/recording.h"

namespace warpwright {

// Identifies a JSON text by the members of its outermost object, without building a tree.
enum class JsonKind { kReplay, kT4, kOther };
[[nodiscard]] JsonKind kind_of_json(const std::string& text);

// `file` is the name in messages, and the name of the recording if the file gives none. Throws
// Error (user): not JSON, with line and column; a member that is missing or of the wrong type, a
// value that no parameter lists, lists of different lengths, times that are not finite or not > 0.
[[nodiscard]] RecordingDraft read_replay_file(const std::string& text, const std::string& file);

}  // namespace warpwright
