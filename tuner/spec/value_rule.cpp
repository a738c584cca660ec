#include "spec/value_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <set>

#include "core/words.h"

namespace warpwright {
namespace {

constexpr std::size_t kListedValues = 12;

std::string join_values(const std::vector<Value>& values) {
  std::string text;
  for (std::size_t i = 0; i < std::min(values.size(), kListedValues); ++i) {
    text += (i > 0 ? ", " : "") + values[i].to_string();
  }
  if (values.size() > kListedValues) text += ", ...";
  return text;
}

// Prints 1024 for 1024.0 and 0.5 for 0.5.
std::string limit_text(double limit) {
  return std::trunc(limit) == limit && std::abs(limit) < 1e15
             ? fmt::format("{}", static_cast<std::int64_t>(limit))
             : Value(limit).to_string();
}

std::optional<double> read_limit(const YamlMap& map, const char* key) {
  const std::optional<YamlReader> limit = map.find(key);
  if (!limit) return std::nullopt;
  return limit->number();
}

// The type of the given values, or nullopt if there are none.
std::optional<ValueType> given_type(const ValueLimits& limits) {
  if (!limits.values.empty()) return value_type(limits.values.front());
  if (limits.default_value) return value_type(*limits.default_value);
  return std::nullopt;
}

// A limit on text or on a boolean would be silently ignored.
void require_numbers(const YamlMap& map, const ValueLimits& limits) {
  const std::optional<ValueType> type = given_type(limits);
  if (!type || *type == ValueType::kInteger || *type == ValueType::kReal) return;
  for (const char* key : {"min", "max"}) {
    if (map.find(key)) {
      throw map.error_at_key(key,
                             fmt::format("got a limit for {}, expected one for a number; remove it",
                                         *type == ValueType::kBool ? "a boolean" : "text"));
    }
  }
}

}  // namespace

ValueType value_type(const Value& value) {
  if (value.is_bool()) return ValueType::kBool;
  if (value.is_integer()) return ValueType::kInteger;
  return value.is_real() ? ValueType::kReal : ValueType::kString;
}

std::string_view describe_type(ValueType type) {
  switch (type) {
    case ValueType::kBool:
      return "true or false";
    case ValueType::kInteger:
      return "an integer";
    case ValueType::kReal:
      return "a number";
    case ValueType::kString:
      break;
  }
  return "a string";
}

// Checks the type, then the list, then the limits, so that the first failure is the most
// informative.
std::optional<std::string> ValueRule::violation(Value& value) const {
  if (type == ValueType::kReal && value.is_integer()) value = Value(value.as_real());
  if (value_type(value) != type) {
    std::string message =
        fmt::format("got {}, expected {}", describe_value(value),
                    values.empty() ? describe_type(type) : "one of " + join_values(values));
    if (type == ValueType::kInteger && value.is_real() && std::abs(value.as_real()) < 1e15 &&
        std::trunc(value.as_real()) == value.as_real()) {
      message += fmt::format("; write {}", static_cast<std::int64_t>(value.as_real()));
    }
    return message;
  }
  if (!values.empty() && std::find(values.begin(), values.end(), value) == values.end()) {
    std::string message =
        fmt::format("got {}, expected one of {}", value.to_string(), join_values(values));
    if (value.is_string()) {
      std::vector<std::string> words;
      for (const Value& known : values) words.push_back(known.to_string());
      if (const auto near = nearest(value.to_string(), words)) {
        message += fmt::format("; did you mean '{}'?", *near);
      }
    }
    return message;
  }
  if (min && value.is_number() && value.as_real() < *min) {
    return fmt::format("got {}, expected at least {}", value.to_string(), limit_text(*min));
  }
  if (max && value.is_number() && value.as_real() > *max) {
    return fmt::format("got {}, expected at most {}", value.to_string(), limit_text(*max));
  }
  return std::nullopt;
}

ValueRule rule_of(const ProblemSizeSpec& size) {
  ValueRule rule{ValueType::kInteger, size.values, size.min, size.max};
  if (!size.values.empty()) {
    rule.type = value_type(size.values.front());
  } else if (size.default_value) {
    rule.type = value_type(*size.default_value);
  }
  if (rule.type == ValueType::kInteger && rule.values.empty() && !rule.min) rule.min = 1;
  return rule;
}

ValueRule rule_of(const ParameterSpec& parameter) {
  return {value_type(parameter.default_value), parameter.values, parameter.min, parameter.max};
}

ValueLimits read_limits(const YamlMap& map) {
  ValueLimits limits;
  if (const auto given = map.find("default")) limits.default_value = given->value();
  if (const auto given = map.find("values")) limits.values = read_distinct_values(*given);
  limits.min = read_limit(map, "min");
  limits.max = read_limit(map, "max");
  require_numbers(map, limits);
  if (limits.min && limits.max && *limits.min > *limits.max) {
    throw map.error_at_key("min", fmt::format("got {}, expected at most `max`, which is {}",
                                              limit_text(*limits.min), limit_text(*limits.max)));
  }
  // A real default makes a list of integers a list of reals.
  if (limits.default_value && limits.default_value->is_real() && !limits.values.empty() &&
      limits.values.front().is_integer()) {
    for (Value& value : limits.values) value = Value(value.as_real());
  }
  ValueRule rule{given_type(limits).value_or(ValueType::kInteger), {}, limits.min, limits.max};
  // Each key is checked against the others, and the message points to the one to change: first the
  // values, then the default.
  for (std::size_t i = 0; i < limits.values.size(); ++i) {
    if (const auto wrong = rule.violation(limits.values[i])) {
      throw map.find("values")->items()[i].error(*wrong);
    }
  }
  rule.values = limits.values;
  if (limits.default_value) {
    if (const auto wrong = rule.violation(*limits.default_value)) {
      throw map.find("default")->error(*wrong);
    }
  }
  return limits;
}

std::vector<Value> read_distinct_values(const YamlReader& list,
                                        std::vector<SourceLocation>* where) {
  const std::vector<YamlReader> items = list.items();
  if (items.empty()) throw list.error("got an empty list, expected at least one value");
  std::vector<Value> values;
  bool any_real = false;
  for (const YamlReader& item : items) {
    values.push_back(item.value());
    any_real = any_real || values.back().is_real();
  }
  std::set<Value> seen;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (any_real && values[i].is_integer()) values[i] = Value(values[i].as_real());
    if (value_type(values[i]) != value_type(values[0])) {
      throw items[i].error(fmt::format("got {}, expected {} like the values before it",
                                       describe_value(values[i]),
                                       describe_type(value_type(values[0]))));
    }
    if (!seen.insert(values[i]).second) {
      throw items[i].error(
          fmt::format("got {} twice; list each value once", values[i].to_string()));
    }
    if (where != nullptr) where->push_back(items[i].where());
  }
  return values;
}

namespace {

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
