// `warpwright show --versions`: the sweeps of a database that have named versions, one table each.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "analysis/compare/version_table.h"
#include "store/database.h"

namespace warpwright {

// Of every sweep file whose stored text selects presets the newest run that stored trials, or of
// the run that the filter names. `peers` is a file of `scripts/peers --json`; what it measured on
// the same kind of device becomes rows. Throws Error (user) when there is no such sweep, and on a
// file that is not of that form.
[[nodiscard]] std::vector<VersionTable> load_version_tables(
    const Database& database, const Database::TrialFilter& filter,
    const std::optional<std::filesystem::path>& peers);

}  // namespace warpwright
