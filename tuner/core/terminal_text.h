// Makes untrusted text safe for a terminal. Control characters can move the cursor, rename windows
// and overwrite earlier output; they become readable escapes: \x1b, \u009b. The same applies to
// bytes that are not UTF-8 and to characters that reorder a line or begin a new one. All other text
// is unchanged. Files, JSON and HTML have their own escapes. Also determines how an output stream
// can show a text.
#pragma once

#include <cstddef>
#include <cstdio>
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

// The capabilities of an output stream: the maximum line length, and whether it can show more than
// ASCII. Texts for people are written in UTF-8 and converted last; JSON, data and C code are never
// converted.
struct Screen {
  std::size_t columns = 0;  // 0: no limit
  bool utf8 = true;
};

// The columns are the current width of the stream's terminal, else COLUMNS, else 80. A file or a
// pipe has no limit, regardless of COLUMNS, so that scripts read whole lines.
[[nodiscard]] Screen screen_of(std::FILE* stream);

// Decides alone between "µs" and "us": true if the first non-empty one of LC_ALL, LC_CTYPE and LANG
// names UTF-8. If none is set, as in many containers, UTF-8 is assumed.
[[nodiscard]] bool locale_is_utf8();

// Replaces the program's own symbols by ASCII: "µs" by "us", "±" by "+-", "…" by "...". Other
// characters came from the user and are kept.
[[nodiscard]] std::string to_ascii(std::string_view text);

// Returns the text as `screen` can show it.
[[nodiscard]] std::string for_screen(std::string text, const Screen& screen);

}  // namespace warpwright
