// Finds the processes that have a file open.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright {

// "process 4711 (sqlite3 results.db)" for every other process that has one of the files open and
// that this user may see, ordered by process id. Symbolic links are followed.
[[nodiscard]] std::vector<std::string> other_users_of(
    const std::vector<std::filesystem::path>& files);

}  // namespace warpwright
