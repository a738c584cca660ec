#include "spec/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

namespace warpwright {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool all_digits(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// Parses `digits` in `base` with a sign; nullopt if the number does not fit 64 bits or contains
// other characters.
std::optional<std::int64_t> to_integer(bool negative, std::string_view digits, int base) {
  // from_chars would accept a second sign.
  if (digits.starts_with('-')) return std::nullopt;
  const std::string signed_digits = (negative ? "-" : "") + std::string(digits);
  std::int64_t value = 0;
  const char* end = signed_digits.data() + signed_digits.size();
  const auto result = std::from_chars(signed_digits.data(), end, value, base);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return value;
}

ScalarReading refused(std::string why) { return {Value(), std::move(why)}; }

ScalarReading refuse_word(std::string_view text) {
  return refused(
      fmt::format("'{}' is ambiguous, expected true or false; quote it if it is text", text));
}

// `digits` is not empty. A leading zero means octal in YAML 1.1 and decimal in YAML 1.2, so neither
// reading is accepted.
ScalarReading read_integer(std::string_view text, bool negative, std::string_view digits) {
  if (digits.size() > 1 && digits[0] == '0') {
    std::string_view stripped =
        digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
    const std::optional<std::int64_t> octal = to_integer(negative, digits, 8);
    const char* sign = negative ? "-" : "";
    if (octal && stripped.size() > 1) {
      return refused(fmt::format(
          "'{}' is ambiguous, it is {} to readers that take it as octal; write {}{} or {}", text,
          *octal, sign, stripped, *octal));
    }
    return refused(fmt::format("'{}' has a leading zero; write {}{}", text, sign, stripped));
  }
  const std::optional<std::int64_t> value = to_integer(negative, digits, 10);
  if (!value) return refused(fmt::format("'{}' does not fit a 64-bit integer", text));
  return {Value(*value), ""};
}

// Text that starts like a number must be one: reading `1_000` as text would fail far from here, or
// not at all.
ScalarReading read_number(std::string_view text) {
  const bool negative = text[0] == '-';
  std::string_view body = text;
  if (text[0] == '-' || text[0] == '+') body.remove_prefix(1);
  if (all_digits(body)) return read_integer(text, negative, body);
  const std::string_view prefix = body.substr(0, 2);
  if (prefix == "0x" || prefix == "0X") {
    const std::string_view digits = body.substr(2);
    if (const auto value = to_integer(negative, digits, 16)) return {Value(*value), ""};
    if (!digits.empty() &&
        digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos) {
      return refused(fmt::format("'{}' does not fit a 64-bit integer", text));
    }
  }
  if (prefix == "0o") {
    if (const auto value = to_integer(negative, body.substr(2), 8)) {
      return refused(fmt::format("'{}' is octal, which is not supported; write {}", text, *value));
    }
  }
  double value = 0;
  const char* end = body.data() + body.size();
  const auto result = std::from_chars(body.data(), end, value, std::chars_format::general);
  if (result.ptr == end) {
    if (result.ec == std::errc::result_out_of_range) {
      return refused(fmt::format("'{}' does not fit a 64-bit real", text));
    }
    if (result.ec == std::errc() && (body.size() < 2 || body[0] != '0' || !is_digit(body[1]))) {
      return {Value(negative ? -value : value), ""};
    }
  }
  return refused(fmt::format("'{}' is neither a number nor a name; quote it if it is text", text));
}

bool starts_like_number(std::string_view text) {
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) text.remove_prefix(1);
  if (!text.empty() && text[0] == '.') text.remove_prefix(1);
  return !text.empty() && is_digit(text[0]);
}

}  // namespace

ScalarReading read_plain_scalar(std::string_view text) {
  if (text == "true") return {Value(true), ""};
  if (text == "false") return {Value(false), ""};
  if (text.size() <= 5) {
    const std::string word = lower(text);
    constexpr std::array<std::string_view, 6> kWords = {"yes", "no", "on", "off", "true", "false"};
    if (std::find(kWords.begin(), kWords.end(), word) != kWords.end()) return refuse_word(text);
    if (word == ".inf" || word == "-.inf" || word == "+.inf" || word == ".nan") {
      return refused(fmt::format("'{}' is not finite, expected a finite number", text));
    }
  }
  if (starts_like_number(text)) return read_number(text);
  return {Value(std::string(text)), ""};
}

std::string describe_value(const Value& value) {
  if (value.is_bool()) return fmt::format("the boolean {}", value.to_string());
  if (value.is_string()) return fmt::format("the string '{}'", value.to_string());
  return fmt::format("the {} {}", value.type_name(), value.to_string());
}

}  // namespace warpwright
