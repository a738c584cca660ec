// Parameters and sizes as T4 files and people write them.
#pragma once

#include <string>
#include <vector>

#include "core/expr/value.h"
#include "exchange/t4/t4_file.h"

namespace warpwright {

// "true", "12" and "0.5" become a boolean, an integer and a real; anything else stays a text.
[[nodiscard]] Value read_value(const std::string& text);

// Some programs write numbers as texts: a parameter becomes an integer if every value of it reads
// as one.
void read_integers(std::vector<T4Result>& results);

}  // namespace warpwright
