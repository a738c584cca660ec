#include "provenance/source_place.h"

#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/words.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

std::optional<std::string> below(const fs::path& file, const fs::path& root) {
  const fs::path relative = file.lexically_normal().lexically_relative(root.lexically_normal());
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative.generic_string();
}

QuotedLocation place_in(const fs::path& file, int line, const std::string& text) {
  QuotedLocation place{{shown_path(file), line}};
  const std::vector<std::string_view> lines = split_lines(text);
  if (line > 0 && static_cast<std::size_t>(line) <= lines.size())
    place.text = trim(lines[static_cast<std::size_t>(line) - 1]);
  return place;
}

}  // namespace

std::string shown_path(const fs::path& file) {
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  return below(file, here).value_or(file.lexically_normal().string());
}

PlacedText placed_text(const Error& error, const SourceBundle* read) {
  const SourceLocation& where = error.where();
  const std::string* text = read == nullptr || !where.known() ? nullptr : read->known(where.file);
  if (text == nullptr) return {error.message(), std::nullopt};
  return {error.text(), place_in(where.file, where.line, *text)};
}

std::optional<QuotedLocation> take_place(std::string& message, const SourceBundle* read) {
  const std::size_t colon = message.find(':');
  if (read == nullptr || colon == std::string::npos || colon == 0) return std::nullopt;
  const fs::path file = message.substr(0, colon);
  const std::string* text = read->known(file);
  if (text == nullptr) return std::nullopt;
  // ":12: " or ":12:5: ".
  std::size_t rest = colon + 1;
  int numbers[2] = {0, 0};
  for (int& number : numbers) {
    const char* first = message.data() + rest;
    const char* last = message.data() + message.size();
    const auto [end, error] = std::from_chars(first, last, number);
    if (error != std::errc() || end == last || *end != ':') break;
    rest = static_cast<std::size_t>(end - message.data()) + 1;
  }
  const QuotedLocation place = place_in(file, numbers[0], *text);
  message = std::string(trim(std::string_view(message).substr(rest)));
  return place;
}

}  // namespace warpwright
