// What a replayed search is told before its first question, as a sweep's is (sweep/warm_start.h,
// sweep/model_prior.h): other boards of the kernel in the recording's own database, and a database
// of modelled times.
#pragma once

#include <filesystem>
#include <vector>

#include "replay/recording.h"

namespace warpwright {

// What a model says, by configuration: the board of the file whose problem is most like each
// recording's. It becomes the recording's first source. Throws Error (user) when the file is no
// database, or holds no modelled time of any of the kernels; a recording that it says nothing of
// gets a note.
void add_prior(std::vector<Recording>& recordings, const std::filesystem::path& file);

// The other boards of each recording's database, complete or not, after the sources it has. Those
// of the same problem on a device of the same name are none. A recording without any gets a note.
// Throws Error (user) when none of the recordings is a board of a database.
void add_warm_start(std::vector<Recording>& recordings);

}  // namespace warpwright
