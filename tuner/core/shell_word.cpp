#include "core/shell_word.h"

#include <algorithm>
#include <cctype>

namespace warpwright {

std::string shell_word(std::string_view text) {
  const bool harmless = std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  });
  if (harmless && !text.empty()) return std::string(text);
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace warpwright
