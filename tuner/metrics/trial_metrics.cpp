#include "metrics/trial_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/expr/expr_node.h"
#include "metrics/follows_time.h"
#include "metrics/occupancy.h"
#include "metrics/resource_summary.h"
#include "records/times.h"
#include "spec/metric_table.h"

namespace warpwright {
namespace {

// The message without the source line and the caret below it.
std::string first_line(const Error& error) {
  const std::string& text = error.message();
  return text.substr(0, text.find('\n'));
}

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
    if (!result.value) result.why = first_line(error);
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
    return first_line(error);
  }
}

}  // namespace warpwright
