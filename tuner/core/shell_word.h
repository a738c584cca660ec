// Words of commands that people copy into a POSIX shell.
#pragma once

#include <string>
#include <string_view>

namespace warpwright {

// The text as one word: as it is where a shell leaves it alone, else in single quotes.
[[nodiscard]] std::string shell_word(std::string_view text);

}  // namespace warpwright
