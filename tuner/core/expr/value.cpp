#include "core/expr/value.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {

bool Value::as_bool() const {
  WARPWRIGHT_CHECK(is_number(), "a string has no truth value");
  if (is_real()) return std::get<double>(data_) != 0;
  return as_integer() != 0;
}

std::int64_t Value::as_integer() const {
  if (is_bool()) return std::get<bool>(data_) ? 1 : 0;
  WARPWRIGHT_CHECK(is_integer(), "the value is not an integer");
  return std::get<std::int64_t>(data_);
}

double Value::as_real() const {
  if (is_real()) return std::get<double>(data_);
  return static_cast<double>(as_integer());
}

const std::string& Value::as_string() const {
  WARPWRIGHT_CHECK(is_string(), "the value is not a string");
  return std::get<std::string>(data_);
}

const char* Value::type_name() const {
  if (is_bool()) return "bool";
  if (is_integer()) return "integer";
  return is_real() ? "real" : "string";
}

std::string Value::to_string() const {
  if (is_bool()) return as_bool() ? "true" : "false";
  if (is_integer()) return fmt::format("{}", as_integer());
  if (is_string()) return as_string();
  std::string text = fmt::format("{}", as_real());
  // 2.0 must not be read back as the integer 2.
  if (std::isfinite(as_real()) && text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

void to_json(nlohmann::json& json, const Value& value) {
  if (value.is_bool()) {
    json = value.as_bool();
  } else if (value.is_integer()) {
    json = value.as_integer();
  } else if (value.is_real()) {
    json = value.as_real();
  } else {
    json = value.as_string();
  }
}

void from_json(const nlohmann::json& json, Value& value) {
  if (json.is_boolean()) {
    value = json.get<bool>();
  } else if (json.is_number_unsigned() &&
             json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    throw user_error(fmt::format("the number {} does not fit 64 bits", json.get<std::uint64_t>()));
  } else if (json.is_number_integer()) {
    value = json.get<std::int64_t>();
  } else if (json.is_number_float()) {
    value = json.get<double>();
  } else if (json.is_string()) {
    value = json.get<std::string>();
  } else {
    throw user_error(
        fmt::format("expected a bool, an integer, a real or a string, got {}", json.type_name()));
  }
}

}  // namespace warpwright
