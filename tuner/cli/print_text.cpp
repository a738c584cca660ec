#include "cli/print_text.h"

#include <algorithm>

#include "cli/print.h"
#include "cli/verb.h"
#include "core/text_width.h"

namespace warpwright {
namespace {

constexpr std::size_t kLeastColumns = 40;

}  // namespace

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
