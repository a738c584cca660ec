// The header in shared/ that written headers include; exports write it next to them.
#pragma once

#include <span>

#include "core/embedded_file.h"

namespace warpwright {

// WARPWRIGHT_SELECT_VERSION of that file, which changes whenever the headers that include it have
// to change.
inline constexpr int kSharedHeaderVersion = 1;

[[nodiscard]] std::span<const EmbeddedFile> shared_header_files();

}  // namespace warpwright
