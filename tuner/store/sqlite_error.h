// The one place that turns what SQLite reports into an Error that says what happened and what to
// do.
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

// Damage and foreign files are the user's to settle (kUser); locks, full disks and read-only places
// are kEnvironment; what no user can cause (a broken constraint, misuse) is kInternal.
[[nodiscard]] Error sqlite_error(const SqliteFault& fault);

// The fault of a database that is cut short or inconsistent, with the command that saves what is
// left.
[[nodiscard]] Error damaged_error(const std::string& path, const std::string& why);

// A file that is no database of ours. It has not been changed.
[[nodiscard]] Error not_ours_error(const std::string& path, const std::string& why);

}  // namespace warpwright
