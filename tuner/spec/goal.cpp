#include "spec/goal.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "core/expr/expr_lets.h"
#include "core/expr/expr_node.h"
#include "core/words.h"
#include "spec/kernel_spec.h"
#include "spec/names.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_metric_word(std::string_view name) {
  const auto words = metric_words();
  return std::any_of(words.begin(), words.end(),
                     [&](const MetricWord& word) { return word.word == name; });
}

bool is_built_in(std::string_view name) {
  return find_built_in_metric(name) != nullptr || is_metric_word(name);
}

// Why the sweep's own metric cannot have its name; nullopt if it can.
std::optional<std::string> name_taken(const std::string& name, const GoalNames& names) {
  if (is_built_in(name)) return "is a metric that every trial has; choose another name";
  if (has(names.parameters, name))
    return fmt::format("is a parameter of kernel '{}'; choose another name", names.kernel);
  if (has(names.sizes, name))
    return fmt::format("is a problem size of kernel '{}'; choose another name", names.kernel);
  if (const auto why = reserved_name(name))
    return fmt::format("cannot be a name: {}; choose another", *why);
  return std::nullopt;
}

ExprScope scope_of(const GoalDraft& draft, const GoalNames& names) {
  ExprScope scope("metric");
  const auto allow = [&](const std::string& name, const char* kind) {
    if (!is_built_in(name)) return scope.allow(name);
    scope.forbid(name, fmt::format("is both a metric and a {0} of kernel '{1}'; rename the {0}",
                                   kind, names.kernel));
  };
  const auto taken = [&](std::string_view name) {
    return has(names.parameters, std::string(name)) || has(names.sizes, std::string(name));
  };
  for (const MetricWord& word : metric_words())
    if (!taken(word.word)) scope.allow(std::string(word.word));
  for (const BuiltInMetric& metric : built_in_metrics())
    if (!taken(metric.name)) scope.allow(std::string(metric.name));
  for (const GoalDraft::Metric& metric : draft.metrics) scope.allow(metric.name);
  for (const std::string& name : names.parameters) allow(name, "parameter");
  for (const std::string& name : names.sizes) allow(name, "problem size");
  scope.allow_device();
  return scope;
}

// The sweep's own metrics in an order in which each needs only those before it.
class MetricOrder {
 public:
  explicit MetricOrder(const std::vector<GoalDraft::Metric>& metrics)
      : metrics_(metrics), done_(metrics.size(), false) {
    for (std::size_t i = 0; i < metrics.size(); ++i) indexes_[metrics[i].name] = i;
    for (std::size_t i = 0; i < metrics.size(); ++i) visit(i);
  }
  [[nodiscard]] const std::vector<std::size_t>& order() const { return order_; }

 private:
  void visit(std::size_t at) {
    if (done_[at]) return;
    const auto open = std::find(path_.begin(), path_.end(), at);
    if (open != path_.end()) {
      std::string circle;
      for (auto it = open; it != path_.end(); ++it) circle += metrics_[*it].name + " -> ";
      throw user_error(metrics_[*open].where,
                       fmt::format("metric '{}' needs itself: {}{}; write one of them without the "
                                   "other",
                                   metrics_[*open].name, circle, metrics_[*open].name));
    }
    path_.push_back(at);
    for (const std::string& name : metrics_[at].expr.names()) {
      if (const auto found = indexes_.find(name); found != indexes_.end()) visit(found->second);
    }
    path_.pop_back();
    done_[at] = true;
    order_.push_back(at);
  }

  const std::vector<GoalDraft::Metric>& metrics_;
  std::vector<bool> done_;
  std::map<std::string, std::size_t> indexes_;
  std::vector<std::size_t> path_, order_;
};

// Returns true if the value is text. Throws Error (user) if text is used in a calculation.
class TextCheck {
 public:
  TextCheck(const Expr& expr, const std::set<std::string>& texts) : expr_(expr), texts_(texts) {}

  [[nodiscard]] bool is_text(const ExprNode& node) const {
    switch (node.kind) {
      case ExprKind::kLiteral:
        return node.literal.is_string();
      case ExprKind::kName:
        return texts_.contains(node.name);
      case ExprKind::kConditional:
        refuse(node.children[0]);
        return is_text(node.children[1]) || is_text(node.children[2]);
      case ExprKind::kBinary:
        if (node.op != ExprOp::kEqual && node.op != ExprOp::kNotEqual)
          for (const ExprNode& child : node.children) refuse(child);
        return false;
      case ExprKind::kUnary:
        refuse(node.children[0]);
        return false;
      case ExprKind::kCall:
        if (node.op != ExprOp::kSizeof)
          for (const ExprNode& child : node.children) refuse(child);
        return false;
    }
    return false;
  }
  void refuse(const ExprNode& node) const {
    if (!is_text(node)) return;
    throw user_error(
        expr_.where(),
        fmt::format("{} in \"{}\" is text, expected a number; compare it, as in `{} == "
                    "'value'`",
                    expr_text(node), expr_.text(), expr_text(node)));
  }

 private:
  const Expr& expr_;
  const std::set<std::string>& texts_;
};

void require_number(const Expr& expr, const std::set<std::string>& texts) {
  TextCheck(expr, texts).refuse(expr.root());
}

// The expression must use a metric of the trial or a parameter: one that does not is the same for
// all configurations and decides nothing.
void require_metric(const Expr& written_out, const GoalNames& names, const char* what) {
  const bool any = std::any_of(
      written_out.names().begin(), written_out.names().end(), [&](const std::string& name) {
        return find_built_in_metric(name) != nullptr || has(names.parameters, name);
      });
  if (any) return;
  throw user_error(written_out.where(),
                   fmt::format("\"{}\" is the same for every configuration, expected {} with a "
                               "metric or a parameter, such as {}",
                               written_out.text(), what,
                               std::string_view(what) == "an objective" ? "`time_us * registers`"
                                                                        : "`registers <= 128`"));
}

GoalSpec written_out(const GoalDraft& draft, const GoalNames* names) {
  GoalSpec goal;
  ExprLets lets;
  for (const MetricWord& word : metric_words())
    lets.add(std::string(word.word), Expr::parse(word.metric));
  const MetricOrder sorted(draft.metrics);
  std::map<std::string, Expr> exprs;
  for (const std::size_t i : sorted.order()) {
    const GoalDraft::Metric& metric = draft.metrics[i];
    const Expr expr = lets.write_out(metric.expr);
    if (names != nullptr) require_number(expr, names->texts);
    lets.add(metric.name, expr);
    exprs.emplace(metric.name, expr);
  }
  for (const GoalDraft::Metric& metric : draft.metrics)
    goal.metrics.push_back({metric.name, exprs.at(metric.name)});
  if (!draft.objectives.empty()) goal.objectives.clear();
  for (const GoalDraft::Objective& objective : draft.objectives) {
    const Expr expr = lets.write_out(objective.expr);
    if (names != nullptr) {
      require_number(expr, names->texts);
      require_metric(expr, *names, "an objective");
    }
    goal.objectives.push_back({objective.expr.text(), expr, objective.maximize});
  }
  for (const Expr& requirement : draft.requirements) {
    goal.requirements.push_back(lets.write_out(requirement));
    if (names == nullptr) continue;
    require_number(goal.requirements.back(), names->texts);
    require_metric(goal.requirements.back(), *names, "a requirement");
  }
  return goal;
}

}  // namespace

std::string GoalObjective::title() const { return maximize ? "maximize " + name : name; }

GoalSpec::GoalSpec() : objectives{{"time", Expr::parse("time_us"), false}} {}

bool GoalSpec::by_time() const {
  return objectives.size() == 1 && !objectives.front().maximize &&
         objectives.front().expr.to_string() == "time_us";
}

bool GoalSpec::may_prune() const {
  return by_time() && std::all_of(requirements.begin(), requirements.end(), [](const Expr& expr) {
           return needs_of(expr) == MetricNeeds::kCompiler;
         });
}

const Expr* GoalSpec::decided_by_energy() const {
  for (const GoalObjective& objective : objectives)
    if (needs_of(objective.expr) == MetricNeeds::kEnergy) return &objective.expr;
  for (const Expr& requirement : requirements)
    if (needs_of(requirement) == MetricNeeds::kEnergy) return &requirement;
  return nullptr;
}

bool GoalSpec::uses_energy() const {
  return decided_by_energy() != nullptr ||
         std::any_of(metrics.begin(), metrics.end(), [](const GoalMetric& metric) {
           return needs_of(metric.expr) == MetricNeeds::kEnergy;
         });
}

MetricNeeds needs_of(const Expr& expr) {
  MetricNeeds most = MetricNeeds::kCompiler;
  for (const std::string& name : expr.names()) {
    if (const BuiltInMetric* metric = find_built_in_metric(name))
      most = std::max(most, metric->needs);
  }
  return most;
}

GoalNames goal_names(const KernelSpec& kernel) {
  GoalNames names;
  names.kernel = kernel.name;
  for (const ParameterSpec& parameter : kernel.parameters) {
    names.parameters.push_back(parameter.name);
    if (parameter.default_value.is_string()) names.texts.insert(parameter.name);
  }
  for (const ProblemSizeSpec& size : kernel.problem) {
    names.sizes.push_back(size.name);
    const bool text = (size.default_value && size.default_value->is_string()) ||
                      (!size.values.empty() && size.values.front().is_string());
    if (text) names.texts.insert(size.name);
  }
  return names;
}

GoalSpec resolve_goal(const GoalDraft& draft, const GoalNames& names) {
  for (const GoalDraft::Metric& metric : draft.metrics) {
    if (const auto why = name_taken(metric.name, names))
      throw user_error(metric.where, fmt::format("metrics: '{}' {}", metric.name, *why));
  }
  const ExprScope scope = scope_of(draft, names);
  for (const GoalDraft::Metric& metric : draft.metrics) scope.check(metric.expr);
  for (const GoalDraft::Objective& objective : draft.objectives) scope.check(objective.expr);
  for (const Expr& requirement : draft.requirements) scope.check(requirement);
  return written_out(draft, &names);
}

GoalSpec restore_goal(const GoalDraft& draft) { return written_out(draft, nullptr); }

namespace {

// Reads `metrics`, `objective` and `require` of a sweep, as written.

constexpr std::size_t kMaxMetrics = 100;
// More objectives are too many to weigh against each other; most of the space would be on the
// front.
constexpr std::size_t kMaxObjectives = 4;
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
  if (objectives.size() > kMaxObjectives) {
    throw section.error(
        fmt::format("got {} objectives, expected at most {}; combine some in an "
                    "expression, or make requirements of them",
                    objectives.size(), kMaxObjectives));
  }
  return objectives;
}

}  // namespace

GoalDraft read_goal(const YamlMap& sweep) {
  GoalDraft goal;
  if (const auto section = sweep.find("metrics")) {
    for (const auto& [key, value] : section->entries(kMaxMetrics))
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

GoalDraft::Objective parse_objective(std::string_view text, const SourceLocation& where) {
  std::string_view rest = trim(text);
  const bool maximize =
      rest.starts_with(kMaximize) && trim(rest.substr(kMaximize.size())).starts_with(':');
  if (maximize) rest = trim(rest.substr(rest.find(':') + 1));
  return {Expr::parse(rest, where), maximize};
}

}  // namespace warpwright
