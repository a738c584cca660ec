#include "metrics/trial_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/expr/expr_node.h"
#include "core/words.h"
#include "records/times.h"
#include "spec/metric_table.h"

namespace warpwright {
namespace {

// Granularities of allocation: registers by warp, warps of a block by four, shared memory by 128
// bytes after the 1 KiB that the driver reserves in every block.
constexpr std::int64_t kRegisterUnit = 256;
constexpr std::int64_t kWarpUnit = 4;
constexpr std::int64_t kSharedUnit = 128;
constexpr std::int64_t kReservedShared = 1024;

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

std::optional<double> occupancy(const EntryResources& entry, const DeviceInfo& device) {
  const bool known = entry.registers && entry.static_shared && entry.block_threads &&
                     *entry.block_threads > 0 && device.warp_size > 0 &&
                     device.max_threads_per_sm > 0 && device.max_blocks_per_sm > 0 &&
                     device.registers_per_sm > 0 && device.shared_per_sm > 0;
  if (!known) return std::nullopt;
  const std::int64_t warps = rounded_up(*entry.block_threads, device.warp_size) / device.warp_size;
  const std::int64_t most_warps = device.max_threads_per_sm / device.warp_size;
  std::int64_t blocks = std::min<std::int64_t>(device.max_blocks_per_sm, most_warps / warps);
  const std::int64_t warp_registers =
      rounded_up(std::int64_t{*entry.registers} * device.warp_size, kRegisterUnit);
  if (warp_registers > 0) {
    const std::int64_t fitting = device.registers_per_sm / warp_registers / kWarpUnit * kWarpUnit;
    blocks = std::min(blocks, fitting / warps);
  }
  const std::int64_t shared = rounded_up(
      std::int64_t{*entry.static_shared} + entry.dynamic_shared.value_or(0) + kReservedShared,
      kSharedUnit);
  blocks = std::min(blocks, device.shared_per_sm / shared);
  return static_cast<double>(blocks * warps) / static_cast<double>(most_warps);
}

namespace {

// No compiler reports values that overflow, but a column may hold any number.
int add_up(int sum, int value) {
  int result = 0;
  return __builtin_add_overflow(sum, value, &result) ? std::numeric_limits<int>::max() : result;
}

// The sum of the known values.
std::optional<int> sum_of(const std::optional<int>& one, const std::optional<int>& other) {
  if (!one && !other) return std::nullopt;
  return add_up(one.value_or(0), other.value_or(0));
}

void take_largest(std::optional<int>& largest, const std::optional<int>& value) {
  if (value) largest = std::max(largest.value_or(0), *value);
}

}  // namespace

ResourceSummary summarise_resources(const TrialResources& resources) {
  ResourceSummary summary;
  for (const EntryResources& entry : resources) {
    take_largest(summary.registers, entry.registers);
    take_largest(summary.shared_bytes, sum_of(entry.static_shared, entry.dynamic_shared));
    if (const std::optional<int> spills = sum_of(entry.spill_stores, entry.spill_loads))
      summary.spill_bytes = add_up(summary.spill_bytes.value_or(0), *spills);
  }
  return summary;
}

namespace {

bool is_rate_or_time(const std::string& name) {
  return name == "time_us" || name == "gbs" || name == "gflops";
}

bool is_measured(const std::string& name) {
  const BuiltInMetric* metric = find_built_in_metric(name);
  return metric != nullptr && metric->needs >= MetricNeeds::kRun;
}

std::size_t measured_names(const ExprNode& node) {
  if (node.kind == ExprKind::kName) return is_measured(node.name) ? 1 : 0;
  std::size_t count = 0;
  for (const ExprNode& child : node.children) count += measured_names(child);
  return count;
}

// The only measured name lies below `node`. In a divisor nothing may be added to it, because the
// sum might pass through zero within the interval.
bool plain(const ExprNode& node, bool in_divisor) {
  if (node.kind == ExprKind::kName) return is_rate_or_time(node.name);
  const auto below = std::find_if(node.children.begin(), node.children.end(),
                                  [](const ExprNode& child) { return measured_names(child) > 0; });
  if (below == node.children.end()) return false;
  if (node.kind == ExprKind::kUnary) return node.op == ExprOp::kNegate && plain(*below, in_divisor);
  if (node.kind != ExprKind::kBinary) return false;
  switch (node.op) {
    case ExprOp::kMultiply:
      return plain(*below, in_divisor);
    case ExprOp::kAdd:
    case ExprOp::kSubtract:
      return !in_divisor && plain(*below, false);
    case ExprOp::kDivide:
      return plain(*below, in_divisor || below != node.children.begin());
    default:
      return false;
  }
}

}  // namespace

bool follows_time(const Expr& expr) {
  return measured_names(expr.root()) == 1 && plain(expr.root(), false);
}

namespace {

// Work per µs divided by a thousand is work per ns: bytes become GB/s.
void set_times(Environment& to, const TrialRecord& trial, double us) {
  to.set("time_us", us);
  if (trial.work_bytes > 0) to.set("gbs", trial.work_bytes / us / 1e3);
  if (trial.work_flops > 0) to.set("gflops", trial.work_flops / us / 1e3);
}

std::string shown(const Value& value) {
  return value.is_real() ? fmt::format("{:.4g}", value.as_real()) : value.to_string();
}

}  // namespace

TrialMetrics::TrialMetrics(const TrialRecord& trial, const DeviceInfo* device,
                           const std::optional<ShownTime>& shown)
    : variant_(trial.variant), status_(status_name(trial.status)) {
  if (const Problem* problem = trial.problem.readable())
    for (const auto& [name, value] : *problem) known_.set(name, value);
  if (const ParameterValues* values = trial.parameters.readable())
    for (const auto& [name, value] : *values) known_.set(name, value);
  if (device != nullptr)
    for (const auto& [name, value] : device->limits()) known_.set("device." + name, value);
  if (trial.work_bytes > 0) known_.set("work_bytes", trial.work_bytes);
  if (trial.work_flops > 0) known_.set("work_flops", trial.work_flops);
  add_resources(trial, device);
  if (ran_right(trial.status)) {
    known_.set("compile_seconds", trial.compile_seconds);
    add_errors(trial);
  }
  add_time(trial, shown);
  add_energy(trial);
}

void TrialMetrics::add_time(const TrialRecord& trial, const std::optional<ShownTime>& shown) {
  if (trial.status != Status::kOk || !trial.median_us || !is_time(*trial.median_us)) return;
  const ShownTime time =
      shown.value_or(ShownTime{*trial.median_us, trial.ci_low_us, trial.ci_high_us});
  set_times(known_, trial, time.median_us);
  if (trial.sm_clock_mhz > 0) known_.set("sm_clock_mhz", trial.sm_clock_mhz);
  // A modelled time has no spread.
  if (trial.modelled || !time.ci_low_us || !time.ci_high_us) return;
  known_.set("time_low_us", *time.ci_low_us);
  known_.set("time_high_us", *time.ci_high_us);
  if (!is_time(*time.ci_low_us) || !is_time(*time.ci_high_us)) return;
  at_low_ = known_;
  set_times(*at_low_, trial, *time.ci_low_us);
  at_high_ = known_;
  set_times(*at_high_, trial, *time.ci_high_us);
}

void TrialMetrics::add_energy(const TrialRecord& trial) {
  const TrialMeasurement* seen = trial.measurement.readable();
  if (seen == nullptr || trial.status != Status::kOk) return;
  if (seen->power_w) known_.set("power_w", *seen->power_w);
  if (!seen->energy_mj_per_launch) return;
  const double units = seen->units.value_or(1);
  const double energy_j = *seen->energy_mj_per_launch / 1e3 / (units > 0 ? units : 1);
  known_.set("energy_j", energy_j);
  if (const Value* time_us = known_.find("time_us"))
    known_.set("edp", energy_j * time_us->as_real() / 1e6);
}

void TrialMetrics::add_resources(const TrialRecord& trial, const DeviceInfo* device) {
  const TrialResources* resources = trial.resources.readable();
  if (resources == nullptr || resources->empty()) return;
  const ResourceSummary summary = summarise_resources(*resources);
  if (summary.registers) known_.set("registers", *summary.registers);
  if (summary.shared_bytes) known_.set("shared_bytes", *summary.shared_bytes);
  if (summary.spill_bytes) known_.set("spill_bytes", *summary.spill_bytes);
  std::optional<int> local, threads;
  std::optional<double> least;
  bool all = device != nullptr;
  for (const EntryResources& entry : *resources) {
    if (entry.stack) local = std::max(local.value_or(0), *entry.stack);
    if (entry.block_threads) threads = std::max(threads.value_or(0), *entry.block_threads);
    const std::optional<double> share =
        device == nullptr ? std::nullopt : occupancy(entry, *device);
    all &= share.has_value();
    if (share) least = std::min(least.value_or(1), *share);
  }
  if (local) known_.set("local_bytes", *local);
  if (threads) known_.set("block_threads", *threads);
  if (all && least) known_.set("occupancy", *least);
}

void TrialMetrics::add_errors(const TrialRecord& trial) {
  const std::vector<OutputError>* errors = trial.errors.readable();
  if (errors == nullptr || errors->empty()) return;
  double abs = 0, rel = 0;
  for (const OutputError& error : *errors) {
    abs = std::max(abs, error.max_abs);
    rel = std::max(rel, error.max_rel);
  }
  known_.set("max_abs_error", abs);
  known_.set("max_rel_error", rel);
}

std::string TrialMetrics::why_unknown(const std::string& name) const {
  const BuiltInMetric* metric = find_built_in_metric(name);
  if (metric == nullptr) {
    return name.starts_with("device.")
               ? fmt::format("{} is not known of the device", name)
               : fmt::format("{} is not a parameter of variant '{}'", name, variant_);
  }
  if (metric->needs == MetricNeeds::kCompiler)
    return fmt::format("{} is not stored with the trial", name);
  if (status_ != status_name(Status::kOk))
    return fmt::format("{} is not known of a trial that is {}", name, status_);
  if (metric->needs == MetricNeeds::kEnergy) return fmt::format("{} was not measured", name);
  return fmt::format("{} is not known", name);
}

std::string TrialMetrics::first_unknown(const Expr& expr) const {
  for (const std::string& name : expr.names())
    if (known_.find(name) == nullptr) return why_unknown(name);
  return "";
}

MetricValue TrialMetrics::value(const Expr& expr) const {
  MetricValue result;
  result.why = first_unknown(expr);
  if (!result.why.empty()) return result;
  const auto number = [&](const Environment& environment) -> std::optional<double> {
    const Value value = expr.evaluate(environment);
    if (!value.is_number()) {
      result.why = fmt::format("{} is text, not a number", expr.text());
    } else if (!std::isfinite(value.as_real())) {
      result.why = fmt::format("{} is {}, not a finite number", expr.text(), value.as_real());
    } else {
      return value.as_real();
    }
    return std::nullopt;
  };
  try {
    result.value = number(known_);
    if (!result.value || !at_low_ || !follows_time(expr)) return result;
    const std::optional<double> one = number(*at_low_), other = number(*at_high_);
    result.why.clear();
    if (!one || !other) return result;
    result.low = std::min(*one, *other);
    result.high = std::max(*one, *other);
  } catch (const Error& error) {
    if (!result.value) result.why = first_line(error.message());
  }
  return result;
}

std::string TrialMetrics::broken(const Expr& requirement) const {
  if (std::string why = first_unknown(requirement); !why.empty()) return why;
  try {
    if (requirement.evaluate_bool(known_)) return "";
    // Shows the operands of a comparison; for any other expression, the values of its names.
    const ExprNode& root = requirement.root();
    std::string got;
    const auto add = [&](const std::string& text) { got += (got.empty() ? "" : ", ") + text; };
    if (root.kind == ExprKind::kBinary && is_comparison(root.op)) {
      for (const ExprNode& side : root.children) {
        if (side.kind != ExprKind::kLiteral)
          add(shown(Expr::parse(expr_text(side)).evaluate(known_)));
      }
      return got;
    }
    for (const std::string& name : requirement.names())
      add(fmt::format("{}={}", name, shown(*known_.find(name))));
    return got;
  } catch (const Error& error) {
    return first_line(error.message());
  }
}

std::string Violation::cause() const { return "violates " + requirement; }

std::string Violation::reason() const { return cause() + ": " + got; }

FailureReason Violation::failure() const {
  return {reason(), {FailureCode::kRequirement, requirement}};
}

std::optional<Violation> find_violation(const GoalSpec& goal, const TrialMetrics& trial,
                                        MetricNeeds known) {
  for (const Expr& requirement : goal.requirements) {
    if (needs_of(requirement) > known) continue;
    if (std::string got = trial.broken(requirement); !got.empty())
      return Violation{requirement.text(), std::move(got)};
  }
  return std::nullopt;
}

Judgement judge(const GoalSpec& goal, const TrialMetrics& trial) {
  Judgement result;
  result.violation = find_violation(goal, trial);
  bool whole = !result.violation;
  for (const GoalObjective& objective : goal.objectives) {
    const MetricValue& value = result.objectives.emplace_back(trial.value(objective.expr));
    whole &= value.value.has_value();
    if (value.value) result.costs.push_back(objective.maximize ? -*value.value : *value.value);
  }
  if (!whole) result.costs.clear();
  return result;
}

GoalRecord goal_record(const GoalDraft& draft, const std::string& kernel) {
  GoalRecord record;
  record.kernel = kernel;
  for (const GoalDraft::Metric& metric : draft.metrics)
    record.metrics.push_back({metric.name, metric.expr.text()});
  for (const GoalDraft::Objective& objective : draft.objectives)
    record.objectives.push_back({objective.expr.text(), objective.maximize});
  for (const Expr& requirement : draft.requirements)
    record.requirements.push_back(requirement.text());
  return record;
}

GoalDraft draft_of(const GoalRecord& record) {
  GoalDraft draft;
  for (const GoalRecord::Metric& metric : record.metrics)
    draft.metrics.push_back({metric.name, Expr::parse(metric.expression), {}});
  for (const GoalRecord::Objective& objective : record.objectives)
    draft.objectives.push_back({Expr::parse(objective.expression), objective.maximize});
  for (const std::string& requirement : record.requirements)
    draft.requirements.push_back(Expr::parse(requirement));
  return draft;
}

}  // namespace warpwright
