// One thing that the harness says about itself: a number, and what it has to be. A number that
// could not be obtained is NaN and meets no target.
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

  // False for a figure that is shown for the reader and has nothing to meet.
  [[nodiscard]] bool given() const;
  [[nodiscard]] bool met_by(double value) const;
  // "<= 0.15 us", ">= 98 %", "93 to 97 %"; "" when none is given.
  [[nodiscard]] std::string text(const std::string& unit) const;
};

struct Figure {
  std::string section;  // "bias", "coverage", ...
  std::string name;
  std::string size;  // what it was taken on: "50 us"
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string unit;  // "us", "ms", "s", "%"; empty for counts
  Target target;
  std::string detail;  // one line: what the value rests on, or why there is none

  [[nodiscard]] bool passed() const { return !target.given() || target.met_by(value); }
};
// {"section","name","size","value","unit","target":{"low","high"} or null,"passed","detail"}; what
// is not finite is null.
void to_json(nlohmann::json& json, const Figure& figure);

// "0.0123", "95.3 %"; "n/a" for what is not finite.
[[nodiscard]] std::string format_value(double value, const std::string& unit);

}  // namespace warpwright
