// Where a written header comes from, as it says itself, and whether it still is what was written:
// two lines of comments at its beginning and one at its end.
//   /* export: {"kernel":"gemv","prefix":"ww_",...} */     what was asked for
//   /* written by warpwright 0.1.0 */
//   /* sha256 of what is above: 0123... */
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/select/selection_model.h"

namespace warpwright {

struct HeaderOptions {
  std::string version;          // of this program
  std::string prefix = "ww_";   // of every name, before the kernel's; a C identifier
  std::string name_space = "";  // "acme::tuned", around all of it in C++; none when empty
  std::string asked = "";       // JSON on one line: what chose the results
};

// Throws Error (user) on a prefix or a namespace that C++ would not take.
void check_header_options(const HeaderOptions& options);

[[nodiscard]] std::string header_origin(const HeaderOptions& options);
[[nodiscard]] std::string header_seal(std::string_view text);

// What a header says of itself.
struct HeaderOrigin {
  std::string asked;
  std::string version;
  bool intact = false;  // the seal is that of its text
  std::vector<SelectionFile> files;
  std::vector<std::string> tuners;  // versions with commits, of its boards, each once
};
// nullopt for a text that is no such header.
[[nodiscard]] std::optional<HeaderOrigin> read_header_origin(std::string_view text);

// The header without what changes when the same is written by another version of this program.
[[nodiscard]] std::string without_version(std::string_view text);

}  // namespace warpwright
