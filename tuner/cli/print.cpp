#include "cli/print.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "core/terminal_text.h"
#include "terminal/screen.h"
#include "terminal/text_width.h"

namespace warpwright {
namespace {

constexpr std::size_t kLeastColumns = 40;

}  // namespace

void print_text(std::string_view text) {
  const auto colours = stdout_takes_colour() ? TerminalColours::kKept : TerminalColours::kEscaped;
  fmt::print("{}", terminal_text(text, colours));
}

void print_error_text(std::string_view text) { std::fputs(terminal_text(text).c_str(), stderr); }

void print_json(const nlohmann::json& json, int indent) {
  print_json_text(json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void print_json_text(std::string_view json) { fmt::print("{}", terminal_json(json)); }

Screen text_screen() {
  Screen screen = screen_of(stdout);
  if (screen.columns > 0) screen.columns = std::max(screen.columns, kLeastColumns);
  return screen;
}

void print_text(const GlobalOptions& global, const std::string& text) {
  const Screen screen = text_screen();
  print_text(fold_lines(for_screen(global.given.complete(text), screen), screen.columns));
}

void print_message(const GlobalOptions& global, const std::string& text) {
  print_error_text(for_screen(global.given.complete(text), screen_of(stderr)));
}

}  // namespace warpwright
