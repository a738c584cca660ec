// Converts an unquoted YAML scalar to a Value. Deliberately narrower than YAML 1.1: spellings on
// which readers disagree are rejected.
//   true, false                          bool (yes, no, on, off and other spellings are refused)
//   12, -3, +4, 0x10                     integer (010, 0o17 and 1_000 are refused)
//   1.5, .5, 5., 1e3                     real (.inf and .nan are refused)
//   everything that does not look like a number: string
#pragma once

#include <string>
#include <string_view>

#include "core/expr/value.h"

namespace warpwright {

struct ScalarReading {
  Value value;
  std::string
      refusal;  // if not empty, why the text is rejected: "'010' is ambiguous, ...; write 10"
};

[[nodiscard]] ScalarReading read_plain_scalar(std::string_view text);

// "the integer 5", "the string 'x'", "the boolean true", "the real 1.5".
[[nodiscard]] std::string describe_value(const Value& value);

}  // namespace warpwright
