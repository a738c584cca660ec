#include "terminal/text_width.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include "core/utf8.h"

namespace warpwright {
namespace {

// A stray byte counts as one character.
Utf8Character first_character(std::string_view text) {
  return front_character(text).value_or(Utf8Character{U'?', 1});
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

// The length of a colour escape sequence at the start of the text; 0 if there is none.
std::size_t escape_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

// The longest prefix that fits.
std::string_view start_of_width(std::string_view text, std::size_t width) {
  std::string_view rest = text;
  std::size_t used = 0;
  while (!rest.empty()) {
    const Utf8Character character = first_character(rest);
    if (used + columns_of(character.code) > width) break;
    used += columns_of(character.code);
    rest.remove_prefix(character.bytes);
  }
  return text.substr(0, text.size() - rest.size());
}

// The longest suffix that fits.
std::string_view end_of_width(std::string_view text, std::size_t width) {
  std::size_t left = display_width(text);
  while (left > width) {
    const Utf8Character character = first_character(text);
    left -= columns_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return text;
}

// Splits into words with the blanks before them; text in backquotes is one word.
std::vector<std::string_view> words_with_blanks(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    std::size_t end = line.find_first_not_of(' ');
    bool quoted = false;
    for (; end < line.size() && (quoted || line[end] != ' '); ++end)
      if (line[end] == '`') quoted = !quoted && line.find('`', end + 1) != std::string_view::npos;
    end = std::min(end, line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

std::string fold_line(std::string_view whole, std::size_t columns) {
  if (display_width(whole) <= columns) return std::string(whole);
  const std::size_t indent = std::min(whole.find_first_not_of(' '), columns / 2);
  const std::string margin(indent + 2, ' ');
  std::string out, line;
  for (const std::string_view word : words_with_blanks(whole)) {
    const bool fresh = line.find_first_not_of(' ') == std::string::npos;
    if (fresh || display_width(line) + display_width(word) <= columns) {
      line += word;
      continue;
    }
    out += line + "\n";
    line = margin + std::string(word.substr(std::min(word.find_first_not_of(' '), word.size())));
  }
  return out + line;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    if (const std::size_t escape = escape_bytes(text); escape > 0) {
      text.remove_prefix(escape);
      continue;
    }
    const Utf8Character character = first_character(text);
    width += columns_of(character.code);
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string shorten_to_width(std::string_view text, std::size_t width, std::string_view gap) {
  if (display_width(text) <= width) return std::string(text);
  if (display_width(gap) > width) gap = "";
  return std::string(start_of_width(text, width - display_width(gap))) + std::string(gap);
}

std::string shorten_middle(std::string_view text, std::size_t width, std::string_view gap) {
  if (display_width(text) <= width) return std::string(text);
  if (display_width(gap) > width) gap = "";
  const std::size_t room = width - display_width(gap);
  const std::size_t start = (room + 1) / 2;
  return std::string(start_of_width(text, start)) + std::string(gap) +
         std::string(end_of_width(text, room - start));
}

std::string fold_lines(std::string_view text, std::size_t columns) {
  if (columns == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out += fold_line(text.substr(0, end), columns);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string wrap_text(const std::string& text, int indent, std::size_t width) {
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::istringstream lines(text);
  std::string out;
  for (std::string whole; std::getline(lines, whole);) {
    std::istringstream words(whole);
    std::string line = margin, word;
    bool fresh = true;
    while (words >> word) {
      if (!fresh && display_width(line) + 1 + display_width(word) > width) {
        out += line + "\n";
        line = margin + "  ";
        fresh = true;
      }
      line += (fresh ? "" : " ") + word;
      fresh = false;
    }
    out += line.erase(line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

}  // namespace warpwright
