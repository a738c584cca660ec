// Opens any kind of results file for reading: the one place that knows which kinds exist.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/files.h"
#include "store/database.h"

namespace warpwright {

struct ResultsFile {
  std::unique_ptr<TemporaryFolder> folder;  // of the database when it is a copy; outlives it
  Database database;
};

// A database, one in gzip, or T4 results of another tuner, which are imported into a database that
// lives as long as the result. Throws Error as Database and import_files() do.
[[nodiscard]] ResultsFile open_results(const std::filesystem::path& file,
                                       const std::string& command_line);

}  // namespace warpwright
