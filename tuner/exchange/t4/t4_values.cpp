#include "exchange/t4/t4_values.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace warpwright {

Value read_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto got = std::from_chars(text.data(), end, integer);
      got.ec == std::errc() && got.ptr == end) {
    return integer;
  }
  double real = 0;
  if (const auto got = std::from_chars(text.data(), end, real);
      got.ec == std::errc() && got.ptr == end && std::isfinite(real)) {
    return real;
  }
  return text;
}

void read_integers(std::vector<T4Result>& results) {
  std::set<std::string> others;
  const auto as_integer = [](const Value& value) -> std::optional<std::int64_t> {
    if (value.is_integer()) return value.as_integer();
    if (!value.is_string()) return std::nullopt;
    const Value read = read_value(value.as_string());
    if (!read.is_integer() || read.to_string() != value.as_string()) return std::nullopt;
    return read.as_integer();
  };
  for (const T4Result& result : results) {
    for (const auto& [name, value] : result.configuration)
      if (!as_integer(value)) others.insert(name);
  }
  for (T4Result& result : results) {
    for (auto& [name, value] : result.configuration)
      if (!others.contains(name)) value = *as_integer(value);
  }
}

}  // namespace warpwright
