#include "harness/selftest/section.h"

#include <fmt/format.h>

namespace warpwright {

std::string of(std::size_t part, std::size_t whole) { return fmt::format("{} of {}", part, whole); }

double percent(std::size_t part, std::size_t whole) {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string one_line(const std::string& text) {
  constexpr std::size_t kLongest = 300;
  std::string line;
  for (std::size_t at = 0; at < text.size() && line.size() < kLongest; ++at) {
    if (text[at] != '\n') {
      line += text[at];
      continue;
    }
    while (at + 1 < text.size() && (text[at + 1] == '\n' || text[at + 1] == ' ')) ++at;
    if (at + 1 < text.size()) line += line.ends_with(':') ? " " : "; ";
  }
  return line.size() < kLongest ? line : line + "...";
}

}  // namespace warpwright
