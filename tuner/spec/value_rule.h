// The values that a size or parameter may have: how a scalar is read as a value, its type, the list
// it comes from, its limits. The same rule applies to contracts, sweeps and overrides.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/value.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_reader.h"

namespace warpwright {

enum class ValueType { kBool, kInteger, kReal, kString };

[[nodiscard]] ValueType value_type(const Value& value);
// "an integer", "a string".
[[nodiscard]] std::string_view describe_type(ValueType type);

struct ValueRule {
  ValueType type = ValueType::kInteger;
  std::vector<Value> values;  // if not empty, the only valid values
  std::optional<double> min;
  std::optional<double> max;

  // The fault of `value` ("got 16, expected at least 32"), or nullopt. A real rule turns an
  // integer into a real.
  [[nodiscard]] std::optional<std::string> violation(Value& value) const;
};

// Sizes are integers unless their default or their list has another type; an integer with neither
// `min` nor a list is at least 1.
[[nodiscard]] ValueRule rule_of(const ProblemSizeSpec& size);
// A parameter has the type of its default.
[[nodiscard]] ValueRule rule_of(const ParameterSpec& parameter);

// Reads the keys that sizes and parameters share: default, values, min, max. Checks them against
// each other.
struct ValueLimits {
  std::optional<Value> default_value;
  std::vector<Value> values;
  std::optional<double> min;
  std::optional<double> max;
};
[[nodiscard]] ValueLimits read_limits(const YamlMap& map);

// Reads a list of distinct values of one type; integers among reals become reals. `where` receives
// the position of each.
[[nodiscard]] std::vector<Value> read_distinct_values(const YamlReader& list,
                                                      std::vector<SourceLocation>* where = nullptr);

// Converts an unquoted YAML scalar to a Value. Deliberately narrower than YAML 1.1: spellings on
// which readers disagree are rejected.
//   true, false                          bool (yes, no, on, off and other spellings are refused)
//   12, -3, +4, 0x10                     integer (010, 0o17 and 1_000 are refused)
//   1.5, .5, 5., 1e3                     real (.inf and .nan are refused)
//   everything that does not look like a number: string
struct ScalarReading {
  Value value;
  std::string
      refusal;  // if not empty, why the text is rejected: "'010' is ambiguous, ...; write 10"
};

[[nodiscard]] ScalarReading read_plain_scalar(std::string_view text);

// "the integer 5", "the string 'x'", "the boolean true", "the real 1.5".
[[nodiscard]] std::string describe_value(const Value& value);

}  // namespace warpwright
