#include "output/json/json_values.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

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

nlohmann::json goal_json(const Leaderboard& board) {
  if (!board.goal) return nullptr;
  const GoalSpec& goal = board.goal->spec;
  nlohmann::json objectives = nlohmann::json::array(), metrics = nlohmann::json::array(),
                 requirements = nlohmann::json::array();
  for (const GoalObjective& objective : goal.objectives)
    objectives.push_back({{"name", objective.name}, {"maximize", objective.maximize}});
  for (const GoalMetric& metric : goal.metrics) metrics.push_back(metric.name);
  for (const Expr& requirement : goal.requirements) requirements.push_back(requirement.text());
  return {{"objectives", std::move(objectives)},
          {"metrics", std::move(metrics)},
          {"requirements", std::move(requirements)}};
}

nlohmann::json metric_json(const MetricValue& value) {
  return {{"value", or_null(value.value)},
          {"low", or_null(value.low)},
          {"high", or_null(value.high)},
          {"why", value.why.empty() ? nlohmann::json(nullptr) : nlohmann::json(value.why)}};
}

nlohmann::json entry_goal_json(const Leaderboard& board, const LeaderboardEntry& entry) {
  nlohmann::json objectives = nlohmann::json::array(), metrics = nlohmann::json::object();
  for (const MetricValue& value : entry.objectives) objectives.push_back(metric_json(value));
  for (std::size_t i = 0; i < entry.metrics.size(); ++i)
    metrics[board.goal->spec.metrics[i].name] = metric_json(entry.metrics[i]);
  return {{"objectives", std::move(objectives)},
          {"metrics", std::move(metrics)},
          {"on_front", entry.on_front}};
}

}  // namespace warpwright
