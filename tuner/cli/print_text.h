// Prints the texts for people. JSON and data files do not go through here.
#pragma once

#include <cstdio>
#include <string>

#include "core/screen.h"

namespace warpwright {

struct GlobalOptions;

// The size that tables on stdout must fit; tables need at least 40 columns.
[[nodiscard]] Screen text_screen();

// Prints to stdout, adds the options that suggested commands need, uses the symbols of the locale,
// and on a terminal wraps lines at its width.
void print_text(const GlobalOptions& global, const std::string& text);

// Prints to stderr, without wrapping. Does not throw: the target of stderr may be full.
void print_message(const GlobalOptions& global, const std::string& text);

}  // namespace warpwright
