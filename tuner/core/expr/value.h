// A typed value of the expression language and of configurations: bool, integer, real or string.
// Booleans count as 0 and 1 in arithmetic; strings never convert to numbers or back.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

namespace warpwright {

class Value {
 public:
  Value() : data_(std::int64_t{0}) {}
  Value(bool value) : data_(value) {}                      // NOLINT(google-explicit-constructor)
  Value(int value) : data_(std::int64_t{value}) {}         // NOLINT(google-explicit-constructor)
  Value(std::int64_t value) : data_(value) {}              // NOLINT(google-explicit-constructor)
  Value(double value) : data_(value) {}                    // NOLINT(google-explicit-constructor)
  Value(std::string value) : data_(std::move(value)) {}    // NOLINT(google-explicit-constructor)
  Value(const char* value) : data_(std::string(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool is_bool() const { return std::holds_alternative<bool>(data_); }
  [[nodiscard]] bool is_integer() const { return std::holds_alternative<std::int64_t>(data_); }
  [[nodiscard]] bool is_real() const { return std::holds_alternative<double>(data_); }
  [[nodiscard]] bool is_string() const { return std::holds_alternative<std::string>(data_); }
  [[nodiscard]] bool is_number() const { return !is_string(); }

  // Each throws Error (internal) on a wrong type; as_integer takes a bool, as_real any number.
  [[nodiscard]] bool as_bool() const;  // numbers: != 0
  [[nodiscard]] std::int64_t as_integer() const;
  [[nodiscard]] double as_real() const;
  [[nodiscard]] const std::string& as_string() const;

  // "bool", "integer", "real" or "string".
  [[nodiscard]] const char* type_name() const;
  // 3 -> "3", 0.5 -> "0.5" (shortest that reads back), true -> "true", strings without quotes.
  [[nodiscard]] std::string to_string() const;

  // Same type and same value: 1 and 1.0 and true differ. The order is by type, then by value.
  friend bool operator==(const Value&, const Value&) = default;
  friend auto operator<=>(const Value&, const Value&) = default;

 private:
  std::variant<bool, std::int64_t, double, std::string> data_;
};

// JSON keeps the four types apart; from_json throws Error (user) on null, arrays and objects.
void to_json(nlohmann::json& json, const Value& value);
void from_json(const nlohmann::json& json, Value& value);

}  // namespace warpwright
