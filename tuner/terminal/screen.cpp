#include "terminal/screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::size_t kUnknownTerminal = 80;

// Returns 0 if COLUMNS is not a number.
std::size_t columns_variable() {
  const char* text = std::getenv("COLUMNS");
  if (text == nullptr) return 0;
  const char* end = text + std::strlen(text);
  std::size_t columns = 0;
  const auto read = std::from_chars(text, end, columns);
  return read.ec == std::errc() && read.ptr == end ? columns : 0;
}

struct Symbol {
  std::string_view utf8, ascii;
};
constexpr std::array kSpellings = {
    Symbol{"µ", "u"},  Symbol{"μ", "u"},  Symbol{"─", "-"},  Symbol{"…", "..."}, Symbol{"–", "-"},
    Symbol{"±", "+-"}, Symbol{"≥", ">="}, Symbol{"≤", "<="}, Symbol{"²", "2"},   Symbol{"█", "#"},
    Symbol{"░", "."},  Symbol{"×", "x"},  Symbol{"│", "|"},  Symbol{"┌", "+"},   Symbol{"┐", "+"},
    Symbol{"└", "+"},  Symbol{"┘", "+"},  Symbol{"├", "+"},  Symbol{"┤", "+"}};

}  // namespace

Screen screen_of(std::FILE* stream) {
  Screen screen{.columns = 0, .utf8 = locale_is_utf8()};
  const int descriptor = ::fileno(stream);  // -1 for a stream in memory
  if (descriptor < 0 || ::isatty(descriptor) != 1) return screen;
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    screen.columns = size.ws_col;
  } else {
    const std::size_t variable = columns_variable();
    screen.columns = variable > 0 ? variable : kUnknownTerminal;
  }
  return screen;
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = lower(value);
    std::erase(locale, '-');
    return locale.find("utf8") != std::string::npos;
  }
  return true;
}

std::string to_ascii(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto symbol =
        std::find_if(kSpellings.begin(), kSpellings.end(),
                     [&](const Symbol& known) { return text.starts_with(known.utf8); });
    const bool known = symbol != kSpellings.end();
    out += known ? symbol->ascii : text.substr(0, 1);
    text.remove_prefix(known ? symbol->utf8.size() : 1);
  }
  return out;
}

std::string for_screen(std::string text, const Screen& screen) {
  return screen.utf8 ? std::move(text) : to_ascii(text);
}

}  // namespace warpwright
