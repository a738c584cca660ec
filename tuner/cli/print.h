// The way of everything that a verb says to stdout and stderr. Names, reasons and messages of
// others lose there what a terminal would obey (core/terminal_text.h); exported files on stdout go
// past it, byte for byte.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace warpwright {

// Our own styles stay where stdout takes colour. Throws std::system_error when it cannot be
// written.
void print_text(std::string_view text);
// Never throws: where stderr goes may be full, and the work goes on.
void print_error_text(std::string_view text);
// With two blanks for each level; `indent` -1 is one line. Text that is no UTF-8 becomes U+FFFD.
void print_json(const nlohmann::json& json, int indent = 2);
// JSON that is text already, or that another function laid out.
void print_json_text(std::string_view json);

template <typename... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

template <typename... Values>
void print_error(fmt::format_string<Values...> format, Values&&... values) {
  print_error_text(fmt::format(format, std::forward<Values>(values)...));
}

}  // namespace warpwright
