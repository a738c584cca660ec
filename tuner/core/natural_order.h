// Compares texts that contain numbers in the order that people expect: "rows=64" before
// "rows=8192".
#pragma once

#include <string_view>

namespace warpwright {

// Runs of digits compare by value, at any length; everything else compares by bytes. This is a
// strict weak order in which only equal texts are equivalent.
[[nodiscard]] bool natural_before(std::string_view a, std::string_view b);

}  // namespace warpwright
