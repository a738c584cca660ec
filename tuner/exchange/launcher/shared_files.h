// The files in shared/ that all launchers use; exports write them next to the launchers.
#pragma once

#include <span>

#include "core/embedded_file.h"

namespace warpwright {

[[nodiscard]] std::span<const EmbeddedFile> shared_launcher_files();

}  // namespace warpwright
