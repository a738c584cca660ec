#include "output/json/json_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "core/utf8.h"

namespace warpwright {

using Json = nlohmann::json;

Json short_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const std::string digits = fmt::format("{:.6g}", value);
  const double rounded = std::strtod(digits.c_str(), nullptr);
  // Whole numbers print without a decimal point: 48, not 48.0.
  if (rounded == std::trunc(rounded) && std::abs(rounded) < 1e15)
    return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json short_number(const std::optional<double>& value) {
  return value ? short_number(*value) : Json(nullptr);
}

Json short_numbers(Json value) {
  if (value.is_number_float()) return short_number(value.get<double>());
  if (value.is_structured())
    for (Json& part : value) part = short_numbers(std::move(part));
  return value;
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  return std::string(whole_characters(text, bytes)) + "…";
}

std::vector<std::size_t> spread(std::size_t count, std::size_t limit) {
  std::vector<std::size_t> kept;
  if (limit == 0) return kept;
  if (count <= limit) {
    for (std::size_t i = 0; i < count; ++i) kept.push_back(i);
    return kept;
  }
  for (std::size_t i = 0; i < limit; ++i)
    kept.push_back(limit == 1 ? 0 : i * (count - 1) / (limit - 1));
  return kept;
}

std::vector<std::size_t> best_and_spread(std::size_t count, std::size_t limit) {
  if (count <= limit) return spread(count, limit);
  const std::size_t best = limit / 2;
  std::vector<std::size_t> kept = spread(best, best);
  for (const std::size_t i : spread(count - best, limit - best)) kept.push_back(best + i);
  return kept;
}

}  // namespace warpwright
