// Where texts for people leave the program. JSON and files of data do not pass here.
#pragma once

#include <cstdio>
#include <string>

#include "core/screen.h"

namespace warpwright {

struct GlobalOptions;

// What a table on stdout must fit; 40 columns are the least that tables are laid out for.
[[nodiscard]] Screen text_screen();

// To stdout: with the options that suggested commands need, in the symbols of the locale, and on a
// terminal folded at its width.
void print_text(const GlobalOptions& global, const std::string& text);

// To stderr, not folded. Does not throw: where stderr goes may be full.
void print_message(const GlobalOptions& global, const std::string& text);

}  // namespace warpwright
