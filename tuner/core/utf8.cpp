#include "core/utf8.h"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

unsigned byte_of(std::string_view text, std::size_t i) {
  return static_cast<unsigned char>(text[i]);
}

bool continues(unsigned byte) { return (byte & 0xc0) == 0x80; }

// The length implied by the first byte; 0 if it does not begin a character.
std::size_t bytes_of_character(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xc2) return 0;
  if (lead < 0xe0) return 2;
  if (lead < 0xf0) return 3;
  return lead < 0xf5 ? 4 : 0;
}

}  // namespace

std::optional<Utf8Character> front_character(std::string_view text) {
  const unsigned lead = byte_of(text, 0);
  const std::size_t bytes = bytes_of_character(lead);
  if (bytes == 1) return Utf8Character{lead, 1};
  if (bytes == 0 || bytes > text.size()) return std::nullopt;
  char32_t code = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues(byte_of(text, i))) return std::nullopt;
    code = code << 6 | (byte_of(text, i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < kLeast[bytes] || code > 0x10ffff || surrogate) return std::nullopt;
  return Utf8Character{code, bytes};
}

std::string_view whole_characters(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && continues(byte_of(text, bytes))) --bytes;
  return text.substr(0, bytes);
}

std::string shortened_line(std::string_view text, std::size_t bytes) {
  std::string line(whole_characters(text, bytes));
  std::replace(line.begin(), line.end(), '\n', ' ');
  if (text.size() > bytes) line += "...";
  return line;
}

bool has_control_characters(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x20 || byte == 0x7f) return true;
    // C1 controls in UTF-8: U+0080 to U+009F.
    if (byte == 0xc2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xa0)
      return true;
  }
  return false;
}

}  // namespace warpwright
