// What a run was after beside a short time, as it is kept with the run: texts of expressions, as
// they were written. tuner/spec/goal.h reads them, tuner/metrics evaluates them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace warpwright {

struct GoalRecord {
  struct Metric {
    std::string name, expression;
    friend bool operator==(const Metric&, const Metric&) = default;
  };
  struct Objective {
    std::string expression;
    bool maximize = false;
    friend bool operator==(const Objective&, const Objective&) = default;
  };
  // What the goal is of: problems of the run's kernel on its devices.
  struct Board {
    std::string fingerprint, problem_text;
    friend bool operator==(const Board&, const Board&) = default;
  };
  std::string kernel;
  std::vector<Metric> metrics;        // in the order written
  std::vector<Objective> objectives;  // empty: time
  std::vector<std::string> requirements;
  std::vector<Board> boards;
};
// {"kernel","metrics":[{"name","expression"}],"objectives":[{"expression","maximize"}],
//  "requirements":["..."],"boards":[{"fingerprint","problem"}]}
void to_json(nlohmann::json& json, const GoalRecord& goal);
void from_json(const nlohmann::json& json, GoalRecord& goal);

}  // namespace warpwright
