// Implements `warpwright show --versions`: one table for each sweep of a database that has named
// versions.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "analysis/compare/version_table.h"
#include "store/database.h"

namespace warpwright {

// Uses, for every sweep file whose stored text selects presets, the newest run that stored trials,
// or the run that the filter names. `peers` is a file written by `scripts/peers --json`; its
// measurements on the same kind of device become rows. Throws Error (user) when there is no such
// sweep, and on a file of another format.
[[nodiscard]] std::vector<VersionTable> load_version_tables(
    const Database& database, const Database::TrialFilter& filter,
    const std::optional<std::filesystem::path>& peers);

}  // namespace warpwright
