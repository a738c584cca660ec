// All output of verbs to stdout and stderr goes through here. Names, reasons and messages from
// outside are stripped of everything that a terminal would execute (core/terminal_text.h); exported
// files on stdout bypass this, byte for byte.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "terminal/screen.h"

namespace warpwright {

// Our own styles are kept if stdout takes colour. Throws std::system_error when stdout cannot be
// written.
void print_text(std::string_view text);
// Never throws: the target of stderr may be full, and the work continues.
void print_error_text(std::string_view text);
// Indents by two blanks per level; `indent` -1 prints one line. Text that is not UTF-8 becomes
// U+FFFD.
void print_json(const nlohmann::json& json, int indent = 2);
// For JSON that is already text, or that another function formatted.
void print_json_text(std::string_view json);

template <typename... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

template <typename... Values>
void print_error(fmt::format_string<Values...> format, Values&&... values) {
  print_error_text(fmt::format(format, std::forward<Values>(values)...));
}

// The following print the texts for people, not JSON and data files.
struct GlobalOptions;

// The size that tables on stdout must fit; tables need at least 40 columns.
[[nodiscard]] Screen text_screen();

// Prints to stdout, adds the options that suggested commands need, uses the symbols of the locale,
// and on a terminal wraps lines at its width.
void print_text(const GlobalOptions& global, const std::string& text);

// Prints to stderr, without wrapping. Does not throw: the target of stderr may be full.
void print_message(const GlobalOptions& global, const std::string& text);

}  // namespace warpwright
