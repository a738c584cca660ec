// Opens any kind of results file for reading. This is the only place that lists the kinds.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/files.h"
#include "store/database.h"

namespace warpwright {

struct ResultsFile {
  std::unique_ptr<TemporaryFolder> folder;  // holds the database if it is a copy; must outlive it
  Database database;
};

// Opens a database, a gzipped database, or T4 results of another tuner, which are imported into a
// database that lives as long as the result. Throws Error as Database and import_files() do.
[[nodiscard]] ResultsFile open_results(const std::filesystem::path& file,
                                       const std::string& command_line);

}  // namespace warpwright
