// How many columns a UTF-8 text takes on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwright {

// Combining marks take none, East Asian wide characters and emoji two, bytes that are not UTF-8 one
// each.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The text, or its longest start that fits with "…" behind it.
[[nodiscard]] std::string shorten_to_width(std::string_view text, std::size_t width);

}  // namespace warpwright
