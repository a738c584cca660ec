// Parameters and sizes as T4 files and people write them.
#pragma once

#include <string>
#include <vector>

#include "core/expr/value.h"
#include "exchange/t4/t4_file.h"

namespace warpwright {

// "true", "12", "0.5" as what they say, anything else as a text.
[[nodiscard]] Value read_value(const std::string& text);

// Some writers give numbers as texts: a parameter whose every value reads as an integer becomes
// one.
void read_integers(std::vector<T4Result>& results);

}  // namespace warpwright
