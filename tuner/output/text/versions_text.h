// Named versions of a sweep side by side, as text.
#pragma once

#include <string>

#include "analysis/compare/version_table.h"
#include "terminal/screen.h"

namespace warpwright {

// The sizes that all problems share; a table with versions down and problems across, then the best
// of the versions' variants, the best of all and its gain, and peers; the configurations of the
// bests. Lines fit 100 columns, except for longer single words. Ends in a newline.
[[nodiscard]] std::string versions_text(const VersionTable& table, const Screen& screen = {});

}  // namespace warpwright
