// Checks whether a written header, the database that it comes from and the sources of a tree agree,
// for `warpwright export --verify FILE`.
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

// Checks that the text is unchanged since it was written.
[[nodiscard]] HeaderCheck verify_intact(const HeaderOrigin& origin);
// Checks that the times were recorded at a commit without uncommitted changes.
[[nodiscard]] HeaderCheck verify_commits(const HeaderOrigin& origin);
// `again` is the header that the database gives today; `database` is its name in messages.
[[nodiscard]] HeaderCheck verify_database(std::string_view text, std::string_view again,
                                          const std::string& database);
// Checks that a file next to the header holds `expected`, the text that `by` writes.
[[nodiscard]] HeaderCheck verify_beside(const std::filesystem::path& file,
                                        std::string_view expected, const std::string& by);
// Checks the sources under the first of `roots`, folders of kernels, that has the kernel.
[[nodiscard]] HeaderCheck verify_sources(const HeaderOrigin& origin,
                                         const std::vector<std::filesystem::path>& roots);

}  // namespace warpwright
