// Boards of a database as recordings.
#pragma once

#include <string>
#include <vector>

#include "replay/read_recordings.h"
#include "store/database.h"

namespace warpwright {

// One for each board of the chosen kernels, problems and devices, the harness's own left out, that
// is complete: an exhaustive sweep of it came to its end, or it was imported whole. Times are those
// that a search was told: of the screening, not of final rankings. `file` is what messages and
// notes call the database.
[[nodiscard]] FoundRecordings board_recordings(const Database& database,
                                               const RecordingChoice& choice,
                                               const std::string& file);

}  // namespace warpwright
