// Makes untrusted text safe for a terminal. Control characters can move the cursor, rename windows
// and overwrite earlier output; they become readable escapes: \x1b, \u009b. The same applies to
// bytes that are not UTF-8 and to characters that reorder a line or begin a new one. All other text
// is unchanged. Files, JSON and HTML have their own escapes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpwright {

// Returns true if a terminal or an editor interprets the character instead of showing it.
[[nodiscard]] bool acts_on_a_terminal(char32_t value);

enum class TerminalColours {
  kEscaped,
  kKept,  // the program's own styles: ESC [ up to two digits m
};

// For whole texts: line ends and tabs are kept.
[[nodiscard]] std::string terminal_text(std::string_view text,
                                        TerminalColours colours = TerminalColours::kEscaped);
// For a name or value within a line, or a table cell: line ends and tabs become \n, \t and \r.
[[nodiscard]] std::string terminal_line(std::string_view text);
// For an untrusted name within a message: terminal_line() of its first 200 characters, followed by
// "..." if it is longer.
[[nodiscard]] std::string shown_name(std::string_view name);
// For JSON in UTF-8: control characters that JSON itself does not escape become JSON escapes
// (\u009b), so that the document keeps its meaning.
[[nodiscard]] std::string terminal_json(std::string_view json);

}  // namespace warpwright
