// Texts in the order that people expect of numbers in them: "rows=64" before "rows=8192".
#pragma once

#include <string_view>

namespace warpwright {

// Runs of digits compare by value, whatever their length; all else by bytes. A strict weak order in
// which only equal texts are equal.
[[nodiscard]] bool natural_before(std::string_view a, std::string_view b);

}  // namespace warpwright
