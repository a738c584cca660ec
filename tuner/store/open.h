// Opening a results database: whose file it is, whether it is whole, which schema it has, and what
// its location allows.
#pragma once

#include <filesystem>
#include <memory>

#include "core/files.h"
#include "store/sqlite.h"

namespace warpwright {

// An open, checked and migrated connection, with the copy it reads when the place itself cannot be
// used.
struct OpenedDatabase {
  std::unique_ptr<TemporaryFolder> copy;  // declared first: removed after the connection is closed
  Connection connection;
};

// Makes a missing file; migrates an older schema; write-ahead log where the file system can, else a
// rollback journal.
[[nodiscard]] OpenedDatabase open_for_writing(const std::filesystem::path& path, int busy_ms,
                                              const std::string& vfs = "");
// Changes nothing on disk; works in a read-only folder and on read-only media. An older schema is
// migrated in memory.
[[nodiscard]] OpenedDatabase open_for_reading(const std::filesystem::path& path, int busy_ms);

}  // namespace warpwright
