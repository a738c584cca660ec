// The header that written headers include, as it lies in shared/: exports write it beside them.
#pragma once

#include <span>

#include "core/embedded_file.h"

namespace warpwright {

// WARPWRIGHT_SELECT_VERSION of that file, which changes when headers that include it have to.
inline constexpr int kSharedHeaderVersion = 1;

[[nodiscard]] std::span<const EmbeddedFile> shared_header_files();

}  // namespace warpwright
