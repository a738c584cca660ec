// Which commit a folder's files belong to, so that results of two commits can be told apart and
// compared.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright {

// Of an installed kernel the commit it was installed from, else what git says of the folder:
// "1a2b3c4d5e6f", or "1a2b3c4d5e6f-dirty" when tracked files have changed since. "" where there is
// no repository, no commit or no git.
[[nodiscard]] std::string source_commit(const std::filesystem::path& folder);

// "warpwright 0.1.0 (commit 1a2b3c4d5e6f)": how runs are marked; the version alone without a
// commit.
[[nodiscard]] std::string version_with_commit(const std::string& version,
                                              const std::string& commit);

}  // namespace warpwright
