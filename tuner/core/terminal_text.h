// Text of others on its way to a terminal. Control characters move the cursor, rename windows and
// rewrite what was printed before; they become escapes that can be read: \x1b, \u009b. So do bytes
// that are not UTF-8, and characters that reorder a line or begin a new one. All other text stays
// as it is. What goes to files, JSON and HTML has escapes of its own.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

// Whether a terminal or an editor obeys the character instead of showing it.
[[nodiscard]] bool acts_on_a_terminal(char32_t value);

enum class TerminalColours {
  kEscaped,
  kKept,  // the program's own styles: ESC [ up to two digits m
};

// For whole texts: line ends and tabs stay.
[[nodiscard]] std::string terminal_text(std::string_view text,
                                        TerminalColours colours = TerminalColours::kEscaped);
// For a name or value within a line, or a table's cell: line ends and tabs become \n, \t and \r.
[[nodiscard]] std::string terminal_line(std::string_view text);
// For a name of others within a message: terminal_line() of its first 200 characters, and "..."
// where it has more.
[[nodiscard]] std::string shown_name(std::string_view name);
// For JSON in UTF-8: characters that JSON does not escape but a terminal obeys get JSON's own
// escapes (\u009b), so that the document keeps its meaning.
[[nodiscard]] std::string terminal_json(std::string_view json);

}  // namespace warpwright
