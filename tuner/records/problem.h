// The sizes and choices of one problem by name: {"K": 10, "dtype": "f32", "rows": 8192}.
#pragma once

#include <map>
#include <string>

#include "core/expr/value.h"

namespace warpwright {

using Problem = std::map<std::string, Value>;

}  // namespace warpwright
