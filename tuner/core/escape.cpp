#include "core/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "core/terminal_text.h"
#include "core/utf8.h"
#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_plain_word(std::string_view text, std::string_view further) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_letter(c) || is_digit(c) || further.find(c) != std::string_view::npos;
  });
}

// Calls `put` with each character and its bytes; the code is 0 for a byte that does not start a
// character.
template <class Put>
void for_each_character(std::string_view text, const Put& put) {
  while (!text.empty()) {
    const std::optional<Utf8Character> character = front_character(text);
    const std::size_t bytes = character ? character->bytes : 1;
    put(character ? character->code : char32_t{0}, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
}

// Makes one line of readable text: a run of characters that move or reorder text becomes one blank,
// and bytes that are not UTF-8 become U+FFFD.
std::string one_line(std::string_view text) {
  std::string line;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    if (code == 0 && byte >= 128) {
      line += kReplacement;
    } else if (acts_on_a_terminal(code)) {
      if (!line.empty() && line.back() != ' ') line += ' ';
    } else {
      line += bytes;
    }
  });
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

// The length of the longest run of backticks.
std::size_t most_backticks(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t at = 0, row = 0; at < text.size(); ++at) {
    row = text[at] == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  return longest;
}

// Returns true if there are blanks between a backslash, or its trigraph, and the end of its line:
// compilers warn about them, and some join the lines anyway.
bool has_late_line_end(std::string_view text) {
  for (std::size_t at = text.find('\n'); at != std::string_view::npos;
       at = text.find('\n', at + 1)) {
    std::size_t end = at;
    while (end > 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
    const std::string_view before = text.substr(0, end);
    if (end < at && (before.ends_with('\\') || before.ends_with("?\?/"))) return true;
  }
  return false;
}

std::string percent_encoded(std::string_view text, std::string_view which) {
  std::string out;
  for (const char c : text) {
    if (which.find(c) == std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// Characters allowed by XML 1.0, production 2.
bool is_of_xml(char32_t point) {
  return (point >= 0x20 && point <= 0xD7FF) || (point >= 0xE000 && point <= 0xFFFD) ||
         (point >= 0x10000 && point <= 0x10FFFF);
}

}  // namespace

std::string c_literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '?') {
      result += "\\?";  // avoids trigraphs
    } else if (byte < 32 || byte >= 127) {
      result += fmt::format("\\{:03o}", byte);  // three digits end the escape, whatever follows
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string c_comment(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    const char last = result.empty() ? '\0' : result.back();
    if ((c == '/' && last == '*') || (c == '*' && last == '/')) {
      result += ' ';
    } else if (c == '?' && last == '?') {
      result += ' ';  // avoids trigraphs
    } else if (c == ' ') {
      // A backslash at the end of a wrapped line would join it with the next line.
      while (!result.empty() && result.back() == '\\') result.pop_back();
    }
    result += c;
  }
  while (!result.empty() && (result.back() == ' ' || result.back() == '\\')) result.pop_back();
  return result;
}

std::string c_comment_json(std::string_view json) {
  std::string result;
  for (const char c : json) {
    const char last = result.empty() ? '\0' : result.back();
    if ((c == '/' && last == '*') || (c == '*' && last == '/') || (c == '?' && last == '?')) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string cpp_raw_literal(std::string_view text, std::string_view delimiter) {
  // Compilers convert the line ends of other systems, and warn about text whose direction marks
  // make it look different from what it is.
  bool raw = true;
  for_each_character(text, [&](char32_t code, std::string_view /*bytes*/) {
    raw &= code == '\n' || code == '\t' || !acts_on_a_terminal(code);
  });
  raw &= !has_late_line_end(text);
  if (!raw) return c_literal(text);
  std::string end(delimiter);
  for (int number = 2; text.find(fmt::format("){}\"", end)) != std::string_view::npos; ++number)
    end = fmt::format("{}{}", delimiter, number);
  return fmt::format("R\"{}({}){}\"", end, text, end);
}

std::string cmake_word(std::string_view text) {
  if (is_plain_word(text, "_./+-")) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    switch (c) {
      case '\0':
        break;
      case '\\':
      case '"':
      case '$':
      case '@':
        result += '\\';
        result += c;
        break;
      case '\n':
        result += "\\n";
        break;
      case '\r':
        result += "\\r";
        break;
      default:
        result += c;
    }
  }
  return result + '"';
}

std::string pkg_config_text(std::string_view text) {
  std::string result;
  for (const char c : one_line(text)) {
    if (c == '$') result += '$';
    if (c == '#') result += '\\';
    if (c != '\\') result += c;
  }
  return result;
}

std::string shell_word(std::string_view text) {
  if (is_plain_word(text, "_@%+=:,./-")) return std::string(text);
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c != '\0') {
      out += c;
    }
  }
  return out + "'";
}

std::string yaml_text(std::string_view text) {
  std::string out = "\"";
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    const char c = bytes.front();
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' || c == '\t' || c == '\r') {
      out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
    } else if (code == 0 && static_cast<unsigned char>(c) >= 128) {
      out += kReplacement;
    } else if (acts_on_a_terminal(code) || code == 0xFEFF || (code >= 0xFFFE && code <= 0xFFFF)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(code));
    } else {
      out += bytes;
    }
  });
  return out + '"';
}

std::string yaml_word(std::string_view text) {
  static constexpr std::array<std::string_view, 9> kMeans = {"null", "true", "false", "yes", "no",
                                                             "on",   "off",  "y",     "n"};
  const bool plain = is_plain_word(text, "_") && !is_digit(text[0]) &&
                     std::find(kMeans.begin(), kMeans.end(), lower(text)) == kMeans.end();
  return plain ? std::string(text) : yaml_text(text);
}

std::string markdown_text(std::string_view text) {
  static constexpr std::string_view kMarks = "\\|*_`[]#~!$";
  const std::string line = one_line(text);
  std::string out;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    const std::string_view rest = std::string_view(line).substr(at);
    if (c == '<' || c == '>' || c == '&') {
      out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;";
    } else if (c == '@' || rest.starts_with("://")) {
      out += fmt::format("&#{};", static_cast<int>(c));  // prevents mentions and automatic links
    } else if (c == '.' && line.substr(0, at).ends_with("www")) {
      out += "&#46;";
    } else {
      if (kMarks.find(c) != std::string_view::npos) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string line = one_line(text);
  if (line.empty()) return "";
  const std::string fence(most_backticks(line) + 1, '`');
  // Readers strip a blank from both ends.
  if (line.front() == '`' || line.back() == '`' || line.front() == ' ') line = " " + line + " ";
  return fence + line + fence;
}

std::string markdown_block(std::string_view text, std::string_view margin) {
  const std::string fence(std::max<std::size_t>(3, most_backticks(text) + 1), '`');
  std::string out = fmt::format("{}{}\n{}", margin, fence, margin);
  for (const char c : terminal_text(text)) {
    out += c;
    if (c == '\n') out += margin;
  }
  return out + fmt::format("\n{}{}\n", margin, fence);
}

std::string xml_text(std::string_view text, bool keep_lines) {
  std::string out;
  for_each_character(text, [&](char32_t code, std::string_view bytes) {
    switch (code) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      // Parsers convert these to blanks in attributes unless they are written as references.
      case '\n':
        out += keep_lines ? "\n" : "&#10;";
        break;
      case '\r':
        out += "&#13;";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        out += is_of_xml(code) ? bytes : kReplacement;
    }
  });
  return out;
}

std::string workflow_text(std::string_view text) { return percent_encoded(text, "%\r\n"); }

std::string workflow_property(std::string_view text) { return percent_encoded(text, "%\r\n:,"); }

}  // namespace warpwright
