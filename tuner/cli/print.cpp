#include "cli/print.h"

#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "core/terminal_text.h"

namespace warpwright {

void print_text(std::string_view text) {
  const auto colours = stdout_takes_colour() ? TerminalColours::kKept : TerminalColours::kEscaped;
  fmt::print("{}", terminal_text(text, colours));
}

void print_error_text(std::string_view text) { std::fputs(terminal_text(text).c_str(), stderr); }

void print_json(const nlohmann::json& json, int indent) {
  print_json_text(json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void print_json_text(std::string_view json) { fmt::print("{}", terminal_json(json)); }

}  // namespace warpwright
