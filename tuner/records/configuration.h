// Problems and configurations: a configuration is a variant with the value of every parameter that
// the variant uses.
#pragma once

#include <map>
#include <string>

#include "core/expr/value.h"

namespace warpwright {

// The sizes and choices of one problem by name: {"K": 10, "dtype": "f32", "rows": 8192}.
using Problem = std::map<std::string, Value>;

using ParameterValues = std::map<std::string, Value>;

struct Configuration {
  std::string variant;     // empty in a bare space (a sweep without a kernel)
  ParameterValues values;  // only the parameters of the variant

  // "block_row THREADS=512 LOCAL_K=8": the canonical text, equal exactly for equal configurations.
  // Ordered by name.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Configuration&, const Configuration&) = default;
  friend auto operator<=>(const Configuration&, const Configuration&) = default;
};

// Like Configuration::to_string(), for values of other tuners: strings that are empty, or that
// contain spaces, '=' or quotes, are quoted as in JSON.
[[nodiscard]] std::string configuration_text(const std::string& variant,
                                             const ParameterValues& values);

}  // namespace warpwright
