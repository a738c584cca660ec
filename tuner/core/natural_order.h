// Compares texts in the order people expect where they contain numbers: "rows=64" before
// "rows=8192".
#pragma once

#include <string_view>

namespace warpwright {

// Runs of digits compare by value, whatever their length; all else by bytes. A strict weak order in
// which only equal texts are equivalent.
[[nodiscard]] bool natural_before(std::string_view a, std::string_view b);

}  // namespace warpwright
