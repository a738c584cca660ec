// The small T4 file of the tests, with the options to import it.
#pragma once

#include <string>

#include "core/files.h"
#include "exchange/t4/t4_import.h"

namespace warpwright::testing {

inline std::filesystem::path sample_t4_path() {
  return std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "tests" / "exchange" / "blur-X100.json";
}

inline T4File sample_t4() { return read_t4(read_file(sample_t4_path()), "blur-X100.json"); }

inline T4ImportOptions sample_import() {
  T4ImportOptions options;
  options.file_name = "blur-X100.json";
  options.sha256 = "abc123";
  options.version = "warpwright 0.1.0";
  options.command_line = "warpwright import blur-X100.json";
  options.now_utc = "2026-03-01T12:00:00Z";
  return options;
}

}  // namespace warpwright::testing
