// Opens a results database: checks that the file is ours and complete, which schema it has, and
// what its location allows.
#pragma once

#include <filesystem>
#include <memory>

#include "core/files.h"
#include "store/sqlite.h"

namespace warpwright {

// An open, checked and migrated connection, with the copy that it reads if the original cannot be
// used in place.
struct OpenedDatabase {
  std::unique_ptr<TemporaryFolder> copy;  // declared first: removed after the connection is closed
  Connection connection;
};

// Creates a missing file; migrates an older schema; uses a write-ahead log if the file system
// supports it, else a rollback journal.
[[nodiscard]] OpenedDatabase open_for_writing(const std::filesystem::path& path, int busy_ms,
                                              const std::string& vfs = "");
// Changes nothing on disk; works in a read-only folder and on read-only media. An older schema is
// migrated in memory.
[[nodiscard]] OpenedDatabase open_for_reading(const std::filesystem::path& path, int busy_ms);

}  // namespace warpwright
