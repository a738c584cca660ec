// One figure about the harness itself: a number and its target. A number that could not be obtained
// is NaN and meets no target.
#pragma once

#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpwright {

struct Target {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();

  [[nodiscard]] static Target none() { return {}; }
  [[nodiscard]] static Target at_most(double limit);
  [[nodiscard]] static Target at_least(double limit);
  [[nodiscard]] static Target between(double low, double high);

  // False for a figure that is shown for information only.
  [[nodiscard]] bool given() const;
  [[nodiscard]] bool met_by(double value) const;
  // "<= 0.15 us", ">= 98 %", "93 to 97 %"; "" when none is given.
  [[nodiscard]] std::string text(const std::string& unit) const;
};

struct Figure {
  std::string section;  // "bias", "coverage", ...
  std::string name;
  std::string size;  // the measured size: "50 us"
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string unit;  // "us", "ms", "s", "%"; empty for counts
  Target target;
  std::string detail;  // one line: the data behind the value, or why there is none

  [[nodiscard]] bool passed() const { return !target.given() || target.met_by(value); }
};
// {"section","name","size","value","unit","target":{"low","high"} or null,"passed","detail"};
// non-finite numbers are null.
void to_json(nlohmann::json& json, const Figure& figure);

// "0.0123", "95.3 %"; "n/a" for non-finite values.
[[nodiscard]] std::string format_value(double value, const std::string& unit);

}  // namespace warpwright
