// Adds the prior knowledge of a replayed search, the same as a sweep's (sweep/warm_start.h,
// sweep/model_prior.h): other boards of the kernel in the recording's own database, and a database
// of modelled times.
#pragma once

#include <filesystem>
#include <vector>

#include "replay/recording.h"

namespace warpwright {

// Adds the modelled times of configurations from the board of the file whose problem is most
// similar to each recording's. They become the recording's first source. Throws Error (user) if the
// file is not a database, or holds no modelled time of any of the kernels; a recording without
// modelled times gets a note.
void add_prior(std::vector<Recording>& recordings, const std::filesystem::path& file);

// Adds the other boards of each recording's database, complete or not, after the existing sources.
// Boards of the same problem on a device of the same name are excluded. A recording without any
// gets a note. Throws Error (user) if none of the recordings is a board of a database.
void add_warm_start(std::vector<Recording>& recordings);

}  // namespace warpwright
