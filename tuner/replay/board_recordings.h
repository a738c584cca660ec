// Boards of a database as recordings.
#pragma once

#include <string>
#include <vector>

#include "replay/read_recordings.h"
#include "store/database.h"

namespace warpwright {

// Makes one recording for each complete board of the chosen kernels, problems and devices, except
// the harness's own: an exhaustive sweep of it finished, or it was imported whole. Times are those
// that a search received: from the screening, not from final rankings. `file` is the database's
// name in messages and notes.
[[nodiscard]] FoundRecordings board_recordings(const Database& database,
                                               const RecordingChoice& choice,
                                               const std::string& file);

}  // namespace warpwright
