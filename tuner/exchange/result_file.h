// A file of results, recognised by what is in it and never by its name: a warpwright database or a
// T4 file, either of them also compressed with gzip.
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

// A file of another kind: no result.
struct OtherContent {
  bool empty = false;
};

// As it lies there, or unpacked.
struct OpenedFile {
  std::unique_ptr<TemporaryFolder> folder;  // of a database that was packed; outlives it
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
