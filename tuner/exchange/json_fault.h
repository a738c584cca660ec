// Turns a JSON parser's exception into an Error that gives the place.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/error.h"

namespace warpwright {

// `text` was parsed from the file that messages call `name`. The Error has line and column if the
// parser provides them.
[[nodiscard]] Error not_json(const nlohmann::json::exception& error, const std::string& text,
                             const std::string& name);

}  // namespace warpwright
