// What a JSON parser objects to, as an Error that says where.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"

namespace warpwright {

// `text` is what was parsed, of the file that messages call `name`: with line and column where the
// parser knows them.
[[nodiscard]] Error not_json(const nlohmann::json::exception& error, const std::string& text,
                             const std::string& name);

}  // namespace warpwright
