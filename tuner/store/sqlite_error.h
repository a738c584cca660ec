// The only place that turns SQLite's error codes into an Error with a message and a remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/error.h"

namespace warpwright {

// One failed call into SQLite.
struct SqliteFault {
  std::string path;                        // as the user gave it
  int code = 0;                            // extended result code
  std::string detail;                      // sqlite3_errmsg()
  int system_errno = 0;                    // sqlite3_system_errno(); 0 when there is none
  std::optional<std::uint64_t> committed;  // trials known to be safe, for faults while writing
};

// Damage and foreign files are for the user to resolve (kUser); locks, full disks and read-only
// places are kEnvironment; faults that no user can cause (a broken constraint, misuse) are
// kInternal.
[[nodiscard]] Error sqlite_error(const SqliteFault& fault);

// The fault of a truncated or inconsistent database, with the command that saves the rest.
[[nodiscard]] Error damaged_error(const std::string& path, const std::string& why);

// The fault of a file that is not one of our databases. The file has not been changed.
[[nodiscard]] Error not_ours_error(const std::string& path, const std::string& why);

}  // namespace warpwright
