// Reads `metrics`, `objective` and `require` of a sweep, as written.
#include <fmt/format.h>

#include <algorithm>

#include "spec/goal.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

constexpr std::size_t kMostMetrics = 100;
// More objectives are too many to weigh against each other; most of the space would be on the
// front.
constexpr std::size_t kMostObjectives = 4;
constexpr std::string_view kMaximize = "maximize";

GoalDraft::Objective read_objective(const YamlReader& reader) {
  if (reader.is_scalar()) return {reader.expression(), false};
  if (!reader.is_map()) {
    throw reader.wrong_type("time, energy, edp, an expression or {maximize: EXPRESSION}");
  }
  return {reader.map({"maximize"}).require(kMaximize, "maximize: gflops").expression(), true};
}

std::vector<GoalDraft::Objective> read_objectives(const YamlReader& section) {
  if (!section.is_list()) return {read_objective(section)};
  std::vector<GoalDraft::Objective> objectives;
  for (const YamlReader& item : section.items()) {
    objectives.push_back(read_objective(item));
    const std::string& text = objectives.back().expr.text();
    const auto same =
        std::find_if(objectives.begin(), objectives.end() - 1,
                     [&](const GoalDraft::Objective& other) { return other.expr.text() == text; });
    if (same != objectives.end() - 1)
      throw item.error(fmt::format("'{}' is listed twice; remove one", text));
  }
  if (objectives.empty())
    throw section.error(
        "got an empty list, expected at least one objective; write `objective: time`");
  if (objectives.size() > kMostObjectives) {
    throw section.error(
        fmt::format("got {} objectives, expected at most {}; combine some in an "
                    "expression, or make requirements of them",
                    objectives.size(), kMostObjectives));
  }
  return objectives;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

GoalDraft read_goal(const YamlMap& sweep) {
  GoalDraft goal;
  if (const auto section = sweep.find("metrics")) {
    for (const auto& [key, value] : section->entries(kMostMetrics))
      goal.metrics.push_back({key.identifier(), value.expression(), key.where()});
    if (goal.metrics.empty())
      throw section->error("got an empty map, expected at least one metric; remove it");
  }
  if (const auto section = sweep.find("objective")) goal.objectives = read_objectives(*section);
  if (const auto section = sweep.find("require")) {
    for (const YamlReader& item : section->items_or_one())
      goal.requirements.push_back(item.expression());
    if (goal.requirements.empty())
      throw section->error("got an empty list, expected at least one requirement; remove it");
  }
  return goal;
}

GoalDraft::Objective parse_objective(std::string_view text, const SourcePosition& where) {
  std::string_view rest = trimmed(text);
  const bool maximize =
      rest.starts_with(kMaximize) && trimmed(rest.substr(kMaximize.size())).starts_with(':');
  if (maximize) rest = trimmed(rest.substr(rest.find(':') + 1));
  return {Expr::parse(rest, where), maximize};
}

}  // namespace warpwright
