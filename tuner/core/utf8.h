// Characters of UTF-8 (RFC 3629): overlong forms, halves of surrogate pairs and code points above
// U+10FFFF are not characters.
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

}  // namespace warpwright
