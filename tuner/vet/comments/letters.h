// Kinds of characters in C++ sources and launch comments.
#pragma once

#include <cctype>
#include <string_view>

namespace warpwright {

inline constexpr std::size_t kNowhere = std::string_view::npos;

// True for characters of names and numbers.
[[nodiscard]] inline bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
[[nodiscard]] inline bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
[[nodiscard]] inline bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

}  // namespace warpwright
