// Opens whatever file of results a verb is given, for reading: the one place that knows which kinds
// there are.
#pragma once

#include <filesystem>

#include "store/database.h"

namespace warpwright {

// A database. Throws Error (user) as Database does.
[[nodiscard]] Database open_results(const std::filesystem::path& file);

}  // namespace warpwright
