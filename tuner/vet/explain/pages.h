// The embedded files of pages/.
#pragma once

#include <span>

#include "core/embedded_file.h"

namespace warpwright {

[[nodiscard]] std::span<const EmbeddedFile> explain_files();

}  // namespace warpwright
