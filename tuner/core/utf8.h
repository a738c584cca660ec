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

// The character at the front of a text that is not empty; nullopt for a byte that begins none.
[[nodiscard]] std::optional<Utf8Character> front_character(std::string_view text);
// The start of `text`, at most `bytes` long, that ends between two characters.
[[nodiscard]] std::string_view whole_characters(std::string_view text, std::size_t bytes);
// The text on one line, for messages that quote it: blanks for line ends and, where it is longer
// than `bytes`, its start and "...".
[[nodiscard]] std::string shortened_line(std::string_view text, std::size_t bytes);

// Whether there is a control character in it (C0, DEL or C1), a line end or a tab included.
[[nodiscard]] bool has_control_characters(std::string_view text);

}  // namespace warpwright
