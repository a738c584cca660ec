#include "harness/selftest/figure.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
}

nlohmann::json or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

Target Target::at_most(double limit) {
  Target target;
  target.high = limit;
  return target;
}

Target Target::at_least(double limit) {
  Target target;
  target.low = limit;
  return target;
}

Target Target::between(double low, double high) { return {low, high}; }

bool Target::given() const { return std::isfinite(low) || std::isfinite(high); }

bool Target::met_by(double value) const {
  return std::isfinite(value) && low <= value && value <= high;
}

std::string Target::text(const std::string& unit) const {
  if (std::isfinite(low) && std::isfinite(high))
    return fmt::format("{:.4g} to {}", low, with_unit(high, unit));
  if (std::isfinite(high)) return "<= " + with_unit(high, unit);
  if (std::isfinite(low)) return ">= " + with_unit(low, unit);
  return "";
}

std::string format_value(double value, const std::string& unit) {
  return std::isfinite(value) ? with_unit(value, unit) : "n/a";
}

void to_json(nlohmann::json& json, const Figure& figure) {
  json = {{"section", figure.section},      {"name", figure.name},    {"size", figure.size},
          {"value", or_null(figure.value)}, {"unit", figure.unit},    {"target", nullptr},
          {"passed", figure.passed()},      {"detail", figure.detail}};
  if (figure.target.given()) {
    json["target"] = {{"low", or_null(figure.target.low)}, {"high", or_null(figure.target.high)}};
  }
}

}  // namespace warpwright
