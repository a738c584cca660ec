// Whether a written header, the database that it comes from and the sources of a tree agree: what
// `warpwright export --verify FILE` says.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/header/header_origin.h"

namespace warpwright {

struct HeaderCheck {
  std::string of;  // "header", "commit", "database", "sources"
  bool agrees = true;
  std::string says;  // "all 9 files of kernels/ are those that it was tuned from"
};

// The text is as it was written.
[[nodiscard]] HeaderCheck verify_intact(const HeaderOrigin& origin);
// Its times were recorded at a commit, without changes beside it.
[[nodiscard]] HeaderCheck verify_commits(const HeaderOrigin& origin);
// `again` is what the database gives today; `database` is its name for people.
[[nodiscard]] HeaderCheck verify_database(std::string_view text, std::string_view again,
                                          const std::string& database);
// A file that was written beside the header is what `by` writes, `expected`.
[[nodiscard]] HeaderCheck verify_beside(const std::filesystem::path& file,
                                        std::string_view expected, const std::string& by);
// Under the first of `roots`, folders of kernels, that has the kernel.
[[nodiscard]] HeaderCheck verify_sources(const HeaderOrigin& origin,
                                         const std::vector<std::filesystem::path>& roots);

}  // namespace warpwright
