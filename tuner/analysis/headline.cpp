#include "analysis/headline.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"

namespace warpwright {
namespace {

using nlohmann::json;

std::optional<double> number(const json& from, const char* name) {
  const auto it = from.find(name);
  return it != from.end() && it->is_number() ? std::optional(it->get<double>()) : std::nullopt;
}

// nullptr when it was not measured.
const json* part(const json& from, const char* name) {
  const auto it = from.find(name);
  return it != from.end() && it->is_object() ? &*it : nullptr;
}

std::optional<Headline::Cold> read_cold(const json& all) {
  const json* from = part(all, "cold");
  if (from == nullptr || !number(*from, "median_us")) return std::nullopt;
  Headline::Cold cold;
  cold.median_us = *number(*from, "median_us");
  cold.ci_low_us = number(*from, "ci_low_us");
  cold.ci_high_us = number(*from, "ci_high_us");
  cold.floor_us = number(*from, "floor_us");
  cold.raw_median_us = number(*from, "raw_median_us");
  if (const auto it = from->find("protocol"); it != from->end() && it->is_string())
    cold.protocol = it->get<std::string>();
  return cold;
}

std::optional<Headline::Hot> read_hot(const json& all) {
  const json* from = part(all, "hot");
  if (from == nullptr || !number(*from, "median_us")) return std::nullopt;
  Headline::Hot hot;
  hot.median_us = *number(*from, "median_us");
  hot.ci_low_us = number(*from, "ci_low_us");
  hot.ci_high_us = number(*from, "ci_high_us");
  if (const auto sets = number(*from, "sets")) hot.sets = static_cast<int>(*sets);
  if (const auto it = from->find("l2_resident"); it != from->end() && it->is_boolean())
    hot.l2_resident = it->get<bool>();
  return hot;
}

}  // namespace

Headline read_headline(const std::string& headline_json) {
  Headline headline;
  if (headline_json.empty()) return headline;
  const json all = json::parse(headline_json, nullptr, /*allow_exceptions=*/false);
  if (!all.is_object()) {
    throw user_error(fmt::format(
        "the headline of a final ranking is no JSON object: {:.60}; measure it again with --fresh",
        headline_json));
  }
  headline.cold = read_cold(all);
  headline.hot = read_hot(all);
  if (const json* from = part(all, "slope"); from != nullptr && number(*from, "us"))
    headline.slope = {*number(*from, "us"), number(*from, "empty_us")};
  if (const json* from = part(all, "end_to_end"))
    headline.end_to_end = {number(*from, "cached_us"), number(*from, "uncached_us")};
  headline.energy_mj_per_launch = number(all, "energy_mj_per_launch");
  headline.power_w = number(all, "power_w");
  headline.sm_clock_mhz = number(all, "sm_clock_mhz");
  return headline;
}

}  // namespace warpwright
