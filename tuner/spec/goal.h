// The goal of a sweep if it is more than a short time: metrics of its own, the objective by which
// configurations are ranked, and the requirements that they must meet. Read from `metrics`,
// `objective` and `require` of a sweep, or restored from a run's row. Expressions use the built-in
// metrics of spec/metric_table.h, the goal's own metrics, parameters, problem sizes and the
// device's limits; tuner/metrics evaluates them for a trial.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/source_location.h"
#include "spec/metric_table.h"

namespace warpwright {

class YamlMap;      // spec/yaml_reader.h
struct KernelSpec;  // spec/kernel_spec.h

// The goal as written, with names not resolved yet.
struct GoalDraft {
  struct Metric {
    std::string name;
    Expr expr;
    SourceLocation where;  // of the name
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

// Reads the three keys of a sweep, as far as they are present. Throws Error (user).
[[nodiscard]] GoalDraft read_goal(const YamlMap& sweep);
// Parses "energy" or "maximize: gflops", as on the command line. `where` names the option. Throws
// Error (user).
[[nodiscard]] GoalDraft::Objective parse_objective(std::string_view text,
                                                   const SourceLocation& where);

// The names that the expressions of a goal may use in addition to metrics and limits of the device.
struct GoalNames {
  std::string kernel;
  std::vector<std::string> parameters, sizes;
  std::set<std::string> texts;  // those whose values are text
};
[[nodiscard]] GoalNames goal_names(const KernelSpec& kernel);

// Expressions in which the sweep's own metrics are expanded: the remaining names are built-in
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
  // Returns true for the goal of a sweep without any of the three keys.
  [[nodiscard]] bool plain() const { return metrics.empty() && requirements.empty() && by_time(); }
  // Returns true if only the time decides among the configurations that meet the requirements.
  [[nodiscard]] bool by_time() const;
  // Returns true for several objectives: there is no single best, but a front.
  [[nodiscard]] bool has_front() const { return objectives.size() > 1; }
  // Returns true if measurements that can no longer win may end early: time decides the winner, and
  // eligibility is known before anything is timed.
  [[nodiscard]] bool may_prune() const;
  // The first objective or requirement that needs the device to measure energy; nullptr if there is
  // none.
  [[nodiscard]] const Expr* decided_by_energy() const;
  // Returns true if energy must be measured: a metric, an objective or a requirement needs it.
  [[nodiscard]] bool uses_energy() const;
};

// Resolves every name and expands metrics. Throws Error (user) at the place of an unknown name, a
// metric that needs itself, a name that is taken, or text where a number is needed.
[[nodiscard]] GoalSpec resolve_goal(const GoalDraft& draft, const GoalNames& names);

// The same for a goal from a database, whose contract may have changed since: names that a trial
// lacks are detected when the goal is evaluated. Throws Error (user) on a metric that needs itself.
[[nodiscard]] GoalSpec restore_goal(const GoalDraft& draft);

// The highest need of the metrics named in the expression; kCompiler if it names none.
[[nodiscard]] MetricNeeds needs_of(const Expr& expr);

}  // namespace warpwright
