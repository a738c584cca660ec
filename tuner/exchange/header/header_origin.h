// Reads the origin that a written header records, and checks that the header has not changed since:
// two lines of comments at its beginning and one at its end.
//   /* export: {"kernel":"gemv","prefix":"ww_",...} */     what was asked for
//   /* written by warpwright 0.1.0 */
//   /* sha256 of what is above: 0123... */
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/select/selection_model.h"

namespace warpwright {

struct HeaderOptions {
  std::string version;          // the version of this program
  std::string prefix = "ww_";   // of every name, before the kernel's name; a C identifier
  std::string name_space = "";  // "acme::tuned", encloses everything in C++; none when empty
  std::string asked = "";       // JSON on one line: the options that chose the results
};

// Throws Error (user) if the prefix or the namespace is not valid in C++.
void check_header_options(const HeaderOptions& options);

[[nodiscard]] std::string header_origin(const HeaderOptions& options);
[[nodiscard]] std::string header_seal(std::string_view text);

// The origin that a header records.
struct HeaderOrigin {
  std::string asked;
  std::string version;
  bool intact = false;  // the seal matches the text
  std::vector<SelectionFile> files;
  std::vector<std::string> tuners;  // distinct versions with commits that measured its boards
};
// Returns nullopt if the text is not such a header.
[[nodiscard]] std::optional<HeaderOrigin> read_header_origin(std::string_view text);

// The header without the parts that differ when another version of this program writes it.
[[nodiscard]] std::string without_version(std::string_view text);

// Checks whether a written header, the database that it comes from and the sources of a tree agree,
// for `warpwright export --verify FILE`.

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
