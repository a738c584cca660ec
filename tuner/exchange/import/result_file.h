// A file of results, recognised by its content and never by its name: a warpwright database or a T4
// file, either of them optionally compressed with gzip.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "core/files.h"
#include "exchange/gzip.h"
#include "exchange/merge/snapshot.h"

namespace warpwright {

// The text of what is probably a T4 file.
struct JsonText {
  std::string text;
};

// A file of another kind, which holds no results.
struct OtherContent {
  bool empty = false;
};

// An opened file, unpacked if it was compressed.
struct OpenedFile {
  std::unique_ptr<TemporaryFolder> folder;  // for a compressed database; outlives it
  std::variant<Database, JsonText, OtherContent> content;
};

// Throws Error (user): missing, a folder, damaged; Error (environment): cannot be read or unpacked.
[[nodiscard]] OpenedFile open_result_file(const std::filesystem::path& path,
                                          const GzipLimits& limits = {});

using ResultFile = std::variant<Snapshot, JsonText>;

// Throws Error (user): missing, empty, damaged, of another kind; Error (environment): cannot be
// read or unpacked.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path,
                                          const GzipLimits& limits = {});

}  // namespace warpwright
