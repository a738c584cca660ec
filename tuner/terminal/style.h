// The few styles of texts on a terminal.
#pragma once

#include <fmt/format.h>

#include <string>

namespace warpwright {

enum class Style { kPlain, kBold, kDim, kGreen };

[[nodiscard]] inline std::string styled(const std::string& text, Style style, bool colour) {
  if (!colour || style == Style::kPlain) return text;
  const char* code = style == Style::kBold ? "1" : style == Style::kDim ? "2" : "32";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

}  // namespace warpwright
