#include "core/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/utf8.h"
#include "core/words.h"

namespace warpwright {
namespace {

// The length of a sequence such as "\x1b[32m" at the start of a text, 0 for anything else.
std::size_t style_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  std::size_t at = 2;
  while (at < text.size() && at < 4 && is_digit(text[at])) ++at;
  return at > 2 && at < text.size() && text[at] == 'm' ? at + 1 : 0;
}

std::string escape_of(std::uint32_t value) {
  return value < 0x80 ? fmt::format("\\x{:02x}", value) : fmt::format("\\u{:04x}", value);
}

// `kept` lists the control characters that stay; `named` selects named escapes for the others, if
// they have one.
std::string escaped(std::string_view text, std::string_view kept, bool named,
                    TerminalColours colours) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (colours == TerminalColours::kKept) {
      if (const std::size_t length = style_length(text); length > 0) {
        out += text.substr(0, length);
        text.remove_prefix(length);
        continue;
      }
    }
    const std::optional<Utf8Character> point = front_character(text);
    if (!point) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (!acts_on_a_terminal(point->code) ||
               (point->bytes == 1 && kept.find(text.front()) != std::string_view::npos)) {
      out += text.substr(0, point->bytes);
    } else if (named && (text.front() == '\n' || text.front() == '\t' || text.front() == '\r')) {
      out += text.front() == '\n' ? "\\n" : text.front() == '\t' ? "\\t" : "\\r";
    } else {
      out += escape_of(point->code);
    }
    text.remove_prefix(point ? point->bytes : 1);
  }
  return out;
}

}  // namespace

// C0, DEL and C1; line and paragraph separators; marks that reorder or embed text (Unicode UAX #9).
bool acts_on_a_terminal(char32_t value) {
  constexpr std::array<std::pair<char32_t, char32_t>, 6> kRanges = {{{0, 0x1f},
                                                                     {0x7f, 0x9f},
                                                                     {0x200e, 0x200f},
                                                                     {0x2028, 0x202e},
                                                                     {0x2066, 0x2069},
                                                                     {0x61c, 0x61c}}};
  return std::any_of(kRanges.begin(), kRanges.end(), [&](const auto& range) {
    return value >= range.first && value <= range.second;
  });
}

std::string terminal_text(std::string_view text, TerminalColours colours) {
  return escaped(text, "\n\t", false, colours);
}

std::string terminal_line(std::string_view text) {
  return escaped(text, "", true, TerminalColours::kEscaped);
}

std::string shown_name(std::string_view name) {
  constexpr std::size_t kLongest = 200;
  const std::string_view start = whole_characters(name, kLongest);
  return terminal_line(start) + (start.size() < name.size() ? "..." : "");
}

std::string terminal_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const std::optional<Utf8Character> point = front_character(json);
    const std::size_t bytes = point ? point->bytes : 1;
    // JSON escapes characters below a blank inside strings; the remaining ones are layout.
    if (point && point->code >= ' ' && acts_on_a_terminal(point->code)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(point->code));
    } else {
      out += json.substr(0, bytes);
    }
    json.remove_prefix(bytes);
  }
  return out;
}

}  // namespace warpwright
