#include "output/json/goal_json.h"

#include <nlohmann/json.hpp>

#include "output/json/json_values.h"

namespace warpwright {

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
