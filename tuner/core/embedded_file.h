// A file that is part of the program (cmake/embed.cmake), so that it needs no other.
#pragma once

#include <string_view>

namespace warpwright {

struct EmbeddedFile {
  std::string_view name;  // "page.css"
  std::string_view text;
};

}  // namespace warpwright
