// A file that is embedded in the program (cmake/embed.cmake), so that the program needs no other
// file.
#pragma once

#include <string_view>

namespace warpwright {

struct EmbeddedFile {
  std::string_view name;  // "page.css"
  std::string_view text;
};

}  // namespace warpwright
