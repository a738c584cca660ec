// What the reader of a stream sees: how long a line may be, and whether it may hold more than
// ASCII. Texts for people are written in UTF-8 first and lose it last; JSON, data and C code never
// pass here.
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

// Columns are those that the stream's own terminal has now, else COLUMNS, else 80. A file or a pipe
// has no limit, whatever COLUMNS says, so that scripts read whole lines.
[[nodiscard]] Screen screen_of(std::FILE* stream);

// The only judge of "µs" or "us": LC_ALL, else LC_CTYPE, else LANG, the first that is not empty,
// names UTF-8. Where none is set, as in many containers, UTF-8 is taken for granted.
[[nodiscard]] bool locale_is_utf8();

// The program's own symbols in ASCII: "µs" as "us", "±" as "+-", "…" as "...". What else is not
// ASCII came from a user and stays.
[[nodiscard]] std::string to_ascii(std::string_view text);

// The text as `screen` can show it.
[[nodiscard]] std::string for_screen(std::string text, const Screen& screen);

}  // namespace warpwright
