// What all launchers share, as it lies in shared/: exports write it beside them.
#pragma once

#include <span>

#include "core/embedded_file.h"

namespace warpwright {

[[nodiscard]] std::span<const EmbeddedFile> shared_launcher_files();

}  // namespace warpwright
