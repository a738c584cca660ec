// The values of one parameter or problem size in a sweep: one value, a list, {range: [first, last,
// step]} or {pow2: [first, last]}.
#pragma once

#include <vector>

#include "core/error.h"
#include "core/expr/value.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// A list with more values than this is a typo, and would fill the memory before anyone noticed.
inline constexpr std::int64_t kMaxListValues = 100000;

struct ValueList {
  std::vector<Value> values;          // distinct, of one type, in the order given
  std::vector<SourcePosition> where;  // of each value; empty for range and pow2
};

// Throws Error (user) on an empty list, mixed types, a repeated value, and a range that is empty or
// too long.
[[nodiscard]] ValueList read_value_list(const YamlReader& reader);

}  // namespace warpwright
