#include "spec/yaml_text.h"

#include <fmt/format.h>

#include <cmath>

#include "core/error.h"
#include "core/utf8.h"
#include "spec/yaml_document.h"

namespace warpwright {
namespace {

// Returns true if the tab at `at` is between the start of its line and the line's first word.
bool tab_indents(std::string_view text, std::size_t line_start, std::size_t at) {
  if (text.substr(line_start, at - line_start).find_first_not_of(" \t") != std::string_view::npos) {
    return false;
  }
  const std::size_t word = text.find_first_not_of(" \t", at);
  return word != std::string_view::npos && text[word] != '\n' && text[word] != '\r' &&
         text[word] != '#';
}

}  // namespace

void check_yaml_size(std::size_t bytes, const std::string& file, std::string_view kind) {
  if (bytes <= kMaxYamlBytes) return;
  // Rounded up, so that one byte too many never reads as "1 MB is more than 1 MB".
  const double megabytes = std::ceil(static_cast<double>(bytes) / 1048576.0 * 10.0) / 10.0;
  throw user_error({file, 0, 0}, fmt::format("is {:.10g} MB; {} is at most 1 MB", megabytes, kind));
}

void check_yaml_text(std::string_view text, const std::string& file, std::string_view kind) {
  check_yaml_size(text.size(), file, kind);
  int line = 1;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const SourcePosition where{file, line, static_cast<int>(i - line_start) + 1};
    const std::optional<Utf8Character> character = front_character(text.substr(i));
    if (!character) {
      throw user_error(where,
                       fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8", byte));
    }
    if (byte == '\t' && tab_indents(text, line_start, i)) {
      throw user_error(where, "tabs cannot indent YAML; use spaces");
    }
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F) {
      throw user_error(
          where, fmt::format("control character 0x{:02x} is not allowed in YAML; remove it", byte));
    }
    i += character->bytes;
    if (byte == '\n') {
      ++line;
      line_start = i;
    }
  }
}

}  // namespace warpwright
