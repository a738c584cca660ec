// The files that make up the report's page: HTML, style, scripts, licences and the chart library.
// They are embedded while building (cmake/embed.cmake), so that the program needs no other file.
#pragma once

#include <span>

#include "core/embedded_file.h"

namespace warpwright {

[[nodiscard]] std::span<const EmbeddedFile> page_files();

}  // namespace warpwright
