// The columns that a text takes on a terminal, and functions that shorten, fold and wrap texts so
// that they fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "terminal/screen.h"

namespace warpwright {

// Combining marks and colour escape sequences take no column, East Asian wide characters and emoji
// take two, and bytes that are not UTF-8 take one each.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The text, or its longest prefix that fits together with `gap`. A gap that does not fit itself is
// omitted.
[[nodiscard]] std::string shorten_to_width(std::string_view text, std::size_t width,
                                           std::string_view gap = "…");

// The text, or its start and its end with `gap` between them: configurations differ in their last
// parameters as often as in their first.
[[nodiscard]] std::string shorten_middle(std::string_view text, std::size_t width,
                                         std::string_view gap = "…");

// Breaks each line at blanks if it is wider than `columns` (0: never), and indents continuation
// lines by two more. Other blanks are kept, so that columns stay aligned. Words are never broken,
// and neither are commands in backquotes, which are there to be copied.
[[nodiscard]] std::string fold_lines(std::string_view text, std::size_t columns);

// The width that texts are wrapped at: that of the screen, else kTextWidth.
inline constexpr std::size_t kTextWidth = 100;  // without a screen
[[nodiscard]] inline std::size_t text_width(const Screen& screen) {
  return screen.columns == 0 ? kTextWidth : screen.columns;
}

// Wraps the text at spaces and keeps its line breaks. Each line begins with `indent` spaces,
// continuation lines with two more. Words longer than a line stay whole.
[[nodiscard]] std::string wrap_text(const std::string& text, int indent = 0,
                                    std::size_t width = kTextWidth);

}  // namespace warpwright
