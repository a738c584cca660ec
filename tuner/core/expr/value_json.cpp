#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/expr/value.h"

namespace warpwright {

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
