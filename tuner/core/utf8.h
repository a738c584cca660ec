// Characters of UTF-8 (RFC 3629): overlong forms, halves of surrogate pairs and code points above
// U+10FFFF are not characters. Also the width of texts on a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

struct Utf8Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

// The character at the start of a non-empty text; nullopt for a byte that does not begin one.
[[nodiscard]] std::optional<Utf8Character> front_character(std::string_view text);
// The longest prefix of `text` of at most `bytes` bytes that does not split a character.
[[nodiscard]] std::string_view whole_characters(std::string_view text, std::size_t bytes);
// The text on one line, for messages that quote it: line ends become blanks and a text longer than
// `bytes` is cut and ends in "...".
[[nodiscard]] std::string shortened_line(std::string_view text, std::size_t bytes);

// Returns true if the text contains a control character (C0, DEL or C1); line ends and tabs count.
[[nodiscard]] bool has_control_characters(std::string_view text);

// The number of columns that a UTF-8 text takes on a terminal, and functions that shorten texts to
// fit.

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

}  // namespace warpwright
