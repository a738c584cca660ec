// The commit that a folder's files belong to, so that results of two commits can be distinguished
// and compared.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright {

// Returns the commit that an installed kernel was installed from, else git's description of the
// folder: "1a2b3c4d5e6f", or "1a2b3c4d5e6f-dirty" when tracked files have changed since. "" when
// there is no repository, no commit or no git.
[[nodiscard]] std::string source_commit(const std::filesystem::path& folder);

// "warpwright 0.1.0 (commit 1a2b3c4d5e6f)", the version that a run records; the version alone if
// there is no commit.
[[nodiscard]] std::string version_with_commit(const std::string& version,
                                              const std::string& commit);

}  // namespace warpwright
