// Which commit a checkout is at, for results that are compared later.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright {

// "a017f22d1c40", with "+changes" when tracked files differ from it; "unknown" where there is no
// git or no repository.
[[nodiscard]] std::string source_commit(const std::filesystem::path& folder);

}  // namespace warpwright
