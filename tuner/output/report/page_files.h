// The files that the report's page is put together from: HTML, style, scripts, licences and the
// chart library. They are embedded while building (cmake/embed.cmake), so that the program needs no
// other file.
#pragma once

#include <span>
#include <string_view>

namespace warpwright {

struct EmbeddedFile {
  std::string_view name;  // "page.css"
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> page_files();

}  // namespace warpwright
