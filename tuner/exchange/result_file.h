// A file of results, recognised by what is in it and never by its name: a warpwright database or a
// T4 file, either of them also compressed with gzip.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "exchange/gzip.h"
#include "exchange/merge/snapshot.h"

namespace warpwright {

// The text of what is probably a T4 file.
struct JsonText {
  std::string text;
};

using ResultFile = std::variant<Snapshot, JsonText>;

// Throws Error (user): missing, empty, damaged, of another kind; Error (environment): cannot be
// read or unpacked.
[[nodiscard]] ResultFile read_result_file(const std::filesystem::path& path,
                                          const GzipLimits& limits = {});

}  // namespace warpwright
