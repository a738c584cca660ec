#include "output/text_width.h"

#include <cstdint>

namespace warpwright {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

// The character at the start of a text that is not empty; a stray byte counts as one character.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  const std::size_t bytes = lead < 0x80   ? 1
                            : lead < 0xc2 ? 0
                            : lead < 0xe0 ? 2
                            : lead < 0xf0 ? 3
                            : lead < 0xf5 ? 4
                                          : 0;
  if (bytes == 0 || bytes > text.size()) return {U'?', 1};
  if (bytes == 1) return {lead, 1};
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {U'?', 1};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  return {code, bytes};
}

std::size_t columns_of(char32_t code) {
  const auto within = [code](char32_t first, char32_t last) {
    return code >= first && code <= last;
  };
  if (within(0x300, 0x36f) || within(0x200b, 0x200f) || within(0xfe00, 0xfe0f)) return 0;
  if (within(0x1100, 0x115f) || within(0x2e80, 0xa4cf) || within(0xac00, 0xd7a3) ||
      within(0xf900, 0xfaff) || within(0xfe30, 0xfe6f) || within(0xff00, 0xff60) ||
      within(0xffe0, 0xffe6) || within(0x1f300, 0x1faff) || within(0x20000, 0x3fffd)) {
    return 2;
  }
  return 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_character(text);
    width += columns_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string shorten_to_width(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  std::string_view rest = text;
  std::size_t used = 0;
  while (!rest.empty()) {
    const Character character = first_character(rest);
    if (used + columns_of(character.code) > width - 1) break;
    used += columns_of(character.code);
    rest.remove_prefix(character.bytes);
  }
  return std::string(text.substr(0, text.size() - rest.size())) + "…";
}

}  // namespace warpwright
