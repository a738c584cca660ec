// How many columns a UTF-8 text takes on a terminal, and texts made to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwright {

// Combining marks and the escape sequences of colours take none, East Asian wide characters and
// emoji two, bytes that are not UTF-8 one each.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The text, or its longest start that fits with `gap` behind it. A gap that does not fit itself is
// left out.
[[nodiscard]] std::string shorten_to_width(std::string_view text, std::size_t width,
                                           std::string_view gap = "…");

// The text, or its start and its end with `gap` between them: two configurations differ as often
// in their last parameters as in their first.
[[nodiscard]] std::string shorten_middle(std::string_view text, std::size_t width,
                                         std::string_view gap = "…");

// Each line broken at blanks where it is wider than `columns` (0: as it is), indented two further
// than it was. Other blanks stay, so that columns stay aligned. A word stays whole, and so does a
// command in backquotes, which is there to be copied.
[[nodiscard]] std::string fold_lines(std::string_view text, std::size_t columns);

}  // namespace warpwright
