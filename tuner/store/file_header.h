// Inspects a database file without SQLite, which might replay journals or write next to it: finds
// out which program the file belongs to and whether it is complete. The layout of the first 100
// bytes is SQLite's documented file format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace warpwright {

enum class FileKind {
  kMissing,
  kEmpty,
  kOurs,       // carries our application_id
  kOther,      // an SQLite file without it
  kUnsettled,  // a writer died half-way through making it: SQLite must roll back before anyone can
               // tell
  kTruncated,
  kNotSqlite,
};

struct FileHeader {
  FileKind kind = FileKind::kMissing;
  std::uint64_t bytes = 0;           // of the file
  std::uint64_t expected_bytes = 0;  // of the database, if the header gives it
  bool has_log = false;              // a non-empty write-ahead log lies next to it
};

// Throws Error (user) for a folder, Error (environment) if the file cannot be read.
[[nodiscard]] FileHeader inspect_file(const std::filesystem::path& path);

}  // namespace warpwright
