// What a sweep is after beside a short time: metrics of its own, the objective that configurations
// are ranked by, and what a configuration must keep to. Read from `metrics`, `objective` and
// `require` of a sweep, or restored from a run's row. Expressions use the built-in metrics of
// spec/metric_table.h, the goal's own metrics, parameters, problem sizes and the device's limits;
// how they are evaluated for a trial: tuner/metrics.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "spec/metric_table.h"

namespace warpwright {

class YamlMap;      // spec/yaml_reader.h
struct KernelSpec;  // spec/kernel_spec.h

// As written, names not looked up yet.
struct GoalDraft {
  struct Metric {
    std::string name;
    Expr expr;
    SourcePosition where;  // of the name
  };
  struct Objective {
    Expr expr;
    bool maximize = false;
  };
  std::vector<Metric> metrics;        // in the order written
  std::vector<Objective> objectives;  // empty: time
  std::vector<Expr> requirements;

  [[nodiscard]] bool empty() const {
    return metrics.empty() && objectives.empty() && requirements.empty();
  }
};

// The three keys of a sweep, those that are there. Throws Error (user).
[[nodiscard]] GoalDraft read_goal(const YamlMap& sweep);
// "energy", "maximize: gflops", as on the command line. `where` names the option. Throws Error
// (user).
[[nodiscard]] GoalDraft::Objective parse_objective(std::string_view text,
                                                   const SourcePosition& where);

// The names that the expressions of a goal may use beside metrics and limits of the device.
struct GoalNames {
  std::string kernel;
  std::vector<std::string> parameters, sizes;
  std::set<std::string> texts;  // those whose values are text
};
[[nodiscard]] GoalNames goal_names(const KernelSpec& kernel);

// Expressions in which metrics of the sweep's own are written out: their names are built-in
// metrics, parameters, sizes and limits.
struct GoalMetric {
  std::string name;
  Expr expr;
};
struct GoalObjective {
  std::string name;  // as written: "energy", "time_us * registers"
  Expr expr;
  bool maximize = false;

  // "energy", "maximize gflops"
  [[nodiscard]] std::string title() const;
};

struct GoalSpec {
  std::vector<GoalMetric> metrics;
  std::vector<GoalObjective> objectives;  // at least one
  std::vector<Expr> requirements;

  GoalSpec();
  // What a sweep without any of the three keys is after.
  [[nodiscard]] bool plain() const { return metrics.empty() && requirements.empty() && by_time(); }
  // The time alone decides, as far as the requirements leave a choice.
  [[nodiscard]] bool by_time() const;
  // Several objectives: no single best, but a front.
  [[nodiscard]] bool has_front() const { return objectives.size() > 1; }
  // Measurements that can no longer win may be ended early: what wins is decided by time, and what
  // may win is known before anything is timed.
  [[nodiscard]] bool may_prune() const;
  // Of the first objective or requirement that needs the device to count energy; nullptr for none.
  [[nodiscard]] const Expr* decided_by_energy() const;
  // Energy is worth measuring: a metric, an objective or a requirement needs it.
  [[nodiscard]] bool uses_energy() const;
};

// Looks up every name and writes metrics out. Throws Error (user) at the place: an unknown name, a
// metric that needs itself, a name that is taken, text where a number is needed.
[[nodiscard]] GoalSpec resolve_goal(const GoalDraft& draft, const GoalNames& names);

// The same for a goal that a database keeps, whose contract may have changed: names that a trial
// lacks are found when it is evaluated. Throws Error (user) on a metric that needs itself.
[[nodiscard]] GoalSpec restore_goal(const GoalDraft& draft);

// The most that a metric named in the expression needs; kCompiler for one that names none.
[[nodiscard]] MetricNeeds needs_of(const Expr& expr);

}  // namespace warpwright
