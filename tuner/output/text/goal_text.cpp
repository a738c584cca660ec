#include "output/text/goal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/terminal_text.h"
#include "core/words.h"
#include "output/text/ranking_text.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

// True for the time, an objective that already has its own column.
bool is_time_column(const GoalObjective& objective) {
  return objective.expr.to_string() == "time_us";
}

bool is_objective(const GoalSpec& goal, const std::string& metric) {
  return std::any_of(goal.objectives.begin(), goal.objectives.end(),
                     [&](const GoalObjective& objective) { return objective.name == metric; });
}

std::string cell(const MetricValue& value) {
  if (!value.value) return "n/a";
  std::string text = fmt::format("{:.4g}", *value.value);
  if (value.low && value.high && *value.value > 0)
    text += " " + half_width(*value.value, value.low, value.high);
  return text;
}

// Visits each column of the goal with the entry's value: f(title, value).
template <typename Each>
void for_each_column(const GoalSpec& goal, const LeaderboardEntry* entry, Each each) {
  static const MetricValue none;
  for (std::size_t i = 0; i < goal.objectives.size(); ++i) {
    if (!is_time_column(goal.objectives[i]))
      each(goal.objectives[i].name, entry == nullptr ? none : entry->objectives.at(i), true);
  }
  for (std::size_t i = 0; i < goal.metrics.size(); ++i) {
    if (!is_objective(goal, goal.metrics[i].name))
      each(goal.metrics[i].name, entry == nullptr ? none : entry->metrics.at(i), false);
  }
}

std::string tie_meaning(const Leaderboard& board) {
  const GoalSpec& goal = board.goal->spec;
  const auto tied = std::count_if(board.entries.begin(), board.entries.end(),
                                  [](const auto& entry) { return entry.tied_with_best; });
  if (goal.has_front()) {
    return tied == 0 ? ""
                     : fmt::format(
                           "* on the front, {} of {}: no other is as good in every "
                           "objective and better in one; the fastest of it comes first\n",
                           tied, board.entries.size());
  }
  if (tied < 2) return "";
  return fmt::format("= ties with the best: equal {}, or intervals that overlap\n",
                     terminal_line(goal.objectives.front().name));
}

}  // namespace

std::string goal_line(const Leaderboard& board) {
  if (!board.goal) return "";
  const GoalSpec& goal = board.goal->spec;
  std::string text;
  if (goal.has_front()) {
    std::string names;
    for (const GoalObjective& objective : goal.objectives)
      names += (names.empty() ? "" : ", ") + objective.title();
    text = "ranked by the front of " + names;
  } else if (!goal.by_time()) {
    const GoalObjective& objective = goal.objectives.front();
    text = fmt::format("ranked by {}, the {} first", objective.name,
                       objective.maximize ? "most" : "least");
  }
  std::string required;
  for (const Expr& requirement : goal.requirements)
    required += (required.empty() ? "required: " : ", ") + requirement.text();
  if (!required.empty()) text += (text.empty() ? "" : "; ") + required;
  return text.empty() ? "" : terminal_line(text) + "\n";
}

std::vector<Table::Column> goal_columns(const Leaderboard& board) {
  std::vector<Table::Column> columns;
  if (!board.goal) return columns;
  for_each_column(board.goal->spec, nullptr,
                  [&](const std::string& name, const MetricValue&, bool objective) {
                    columns.push_back(number_column(terminal_line(name), objective ? 0 : 2));
                  });
  return columns;
}

std::vector<std::string> goal_cells(const Leaderboard& board, const LeaderboardEntry& entry) {
  std::vector<std::string> cells;
  if (!board.goal) return cells;
  for_each_column(
      board.goal->spec, &entry,
      [&](const std::string&, const MetricValue& value, bool) { cells.push_back(cell(value)); });
  return cells;
}

std::string goal_notes(const Leaderboard& board) {
  if (!board.goal) return "";
  std::string text = board.goal->spec.by_time() ? "" : tie_meaning(board);
  struct Unknown {
    std::size_t count = 0;
    std::string example;
  };
  std::map<std::string, Unknown> unknown;
  for (const LeaderboardEntry& entry : board.entries) {
    for_each_column(board.goal->spec, &entry,
                    [&](const std::string& name, const MetricValue& value, bool) {
                      if (value.value) return;
                      Unknown& of = unknown[name];
                      if (of.count++ == 0) of.example = value.why;
                    });
  }
  for (const auto& [name, of] : unknown) {
    text +=
        terminal_line(fmt::format("n/a: {} of {}{}: {}", name, plural(of.count, "configuration"),
                                  of.count == 1 ? "" : ", the first", of.example)) +
        "\n";
  }
  return text;
}

}  // namespace warpwright
