// What an output stream can show: the length of its lines and whether it shows more than ASCII.
// Texts for people are written in UTF-8 and converted last; JSON, data and C code are never
// converted.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <string_view>

namespace warpwright {

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
