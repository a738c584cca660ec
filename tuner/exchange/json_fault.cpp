#include "exchange/json_fault.h"

#include <algorithm>
#include <string_view>

namespace warpwright {
namespace {

SourceLocation position_in(const std::string& text, std::size_t byte, const std::string& name) {
  // The parser counts from 1 and has read the offending byte; at the end of the text it is one past
  // it.
  const std::size_t end = std::min(byte == 0 ? 0 : byte - 1, text.size());
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
  const std::size_t start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
  const std::size_t column = start == std::string::npos ? end : end - start - 1;
  return {name, static_cast<int>(line) + 1, static_cast<int>(column) + 1};
}

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while ..."
// without the parts that our own message words better.
std::string parser_words(std::string what) {
  for (const char* before : {"] ", ": "}) {
    if (const std::size_t at = what.find(before); at != std::string::npos)
      what.erase(0, at + std::string_view(before).size());
  }
  return what;
}

}  // namespace

Error not_json(const nlohmann::json::exception& error, const std::string& text,
               const std::string& name) {
  const std::string words = "not JSON: " + parser_words(error.what());
  if (const auto* parse_error = dynamic_cast<const nlohmann::json::parse_error*>(&error))
    return user_error(position_in(text, parse_error->byte, name), words);
  return user_error(name + ": " + words);
}

}  // namespace warpwright
