#include "model/step_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

TimedOperation time_of(const Operation& operation, const Rates& rates, TunedTimes& tuned) {
  TimedOperation timed;
  timed.operation = operation;
  if (operation.exchange) {
    timed.us = timed.ceiling_us = operation.exchange->us;
    timed.bound = StepBound::kNetwork;
    return timed;
  }
  const Work work{operation.bytes(), operation.write_bytes(), operation.flops,
                  operation.arithmetic};
  if (const std::string missing = missing_ceiling(work, rates.roofs); !missing.empty()) {
    throw user_error(fmt::format(
        "no ceiling '{}' of {}, which '{}' needs; {}", missing, rates.device_name, operation.name,
        rates.given ? fmt::format("add it to --ceilings: {}=...", missing)
                    : "measure it with `warpwright calibrate`, or give --ceilings"));
  }
  const std::optional<Limit> limit = find_limit(work, rates.roofs);
  WARPWRIGHT_CHECK(limit.has_value(), "every operation moves bytes");
  timed.memory_us = limit->memory_us;
  timed.compute_us = limit->compute_us;
  timed.us = timed.ceiling_us = std::max(limit->us, rates.floor_us);
  timed.bound = limit->us < rates.floor_us        ? StepBound::kLatency
                : limit->bound == Bound::kCompute ? StepBound::kCompute
                                                  : StepBound::kMemory;
  if (operation.kernel) timed.measured = tuned.find(*operation.kernel);
  if (!timed.measured && operation.former_kernel)
    timed.measured = tuned.find(*operation.former_kernel);
  if (timed.measured) timed.us = std::max(timed.measured->us, rates.floor_us);
  return timed;
}

// The measured time of a kernel that does two operations covers both.
void cover(std::vector<TimedOperation>& operations) {
  for (const TimedOperation& kernel : operations) {
    if (!kernel.measured || kernel.operation.covers.empty()) continue;
    for (TimedOperation& other : operations) {
      if (other.operation.name != kernel.operation.covers) continue;
      other.us = 0;
      other.measured.reset();
      other.covered_by = kernel.operation.name;
    }
  }
}

struct Stage {
  std::int64_t layers = 0;
  bool first = false, last = false;
};

// If the layers do not divide evenly, the first stages get more: the last one also has the output
// head.
std::vector<Stage> stages_of(const DecoderSpec& spec, const Parallel& parallel) {
  std::vector<Stage> stages;
  const std::int64_t count = parallel.pipeline;
  for (std::int64_t i = 0; i < count; ++i) {
    stages.push_back(
        {spec.layers / count + (i < spec.layers % count ? 1 : 0), i == 0, i + 1 == count});
  }
  return stages;
}

void add_stage(const Stage& stage, double layer_cache, double weight_bytes, StepEstimate& estimate,
               double& slowest_us) {
  double us = 0;
  double kept = 0;
  for (TimedOperation& timed : estimate.operations) {
    const double count = executions(timed.operation, stage.layers, stage.first, stage.last);
    const Operation& one = timed.operation;
    timed.count += count;
    us += count * timed.us;
    estimate.ceiling_step_us += count * timed.ceiling_us;
    if (timed.source() == TimeSource::kMeasured) estimate.measured_us += count * timed.us;
    if (timed.source() == TimeSource::kInterpolated) estimate.interpolated_us += count * timed.us;
    // The first layer lacks a norm, which the first norm replaces, so parameters follow executions.
    kept += count * one.parameters * weight_bytes;
    estimate.us_by_bound[timed.bound] += count * timed.us;
    estimate.bytes += count * one.bytes();
    estimate.flops += count * one.flops;
    estimate.weight_bytes_read += count * one.weight_bytes;
    estimate.cache_bytes_read += count * one.cache_read;
    if (one.exchange) estimate.network_bytes += count * one.exchange->bytes;
  }
  estimate.step_us += us;
  slowest_us = std::max(slowest_us, us);
  const double cache = static_cast<double>(stage.layers) * layer_cache;
  if (kept + cache > estimate.weights_kept_bytes + estimate.cache_kept_bytes) {
    estimate.weights_kept_bytes = kept;
    estimate.cache_kept_bytes = cache;
  }
}

void judge(const Rates& rates, double slowest_us, StepEstimate& estimate) {
  const int stages = estimate.parallel.pipeline;
  const auto batch = static_cast<double>(estimate.work.batch);
  estimate.bound =
      std::max_element(estimate.us_by_bound.begin(), estimate.us_by_bound.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; })
          ->first;
  estimate.tokens_per_second = batch / estimate.step_us * 1e6;
  estimate.ceiling_tokens_per_second = batch / estimate.ceiling_step_us * 1e6;
  estimate.bubble = 1 - 1.0 / stages;
  if (rates.memory_bytes) {
    const double weights = estimate.weights_kept_bytes;
    estimate.fits = weights + estimate.cache_kept_bytes <= *rates.memory_bytes;
    estimate.full_fits = weights + stages * estimate.cache_kept_bytes <= *rates.memory_bytes;
  }
  if (stages == 1 || estimate.full_fits.value_or(true))
    estimate.full_tokens_per_second = batch / slowest_us * 1e6;
}

}  // namespace

const char* bound_name(StepBound bound) {
  switch (bound) {
    case StepBound::kMemory:
      return "memory";
    case StepBound::kCompute:
      return "compute";
    case StepBound::kLatency:
      return "latency";
    case StepBound::kNetwork:
      return "network";
  }
  return "";
}

const char* source_name(TimeSource source) {
  switch (source) {
    case TimeSource::kMeasured:
      return "measured";
    case TimeSource::kInterpolated:
      return "interpolated";
    case TimeSource::kModelled:
      return "modelled";
    case TimeSource::kCovered:
      return "covered";
  }
  return "";
}

TimeSource TimedOperation::source() const {
  if (!covered_by.empty()) return TimeSource::kCovered;
  if (!measured) return TimeSource::kModelled;
  return measured->interpolated() ? TimeSource::kInterpolated : TimeSource::kMeasured;
}

StepEstimate estimate_step(const DecoderSpec& spec, const Workload& work, const Parallel& parallel,
                           const Rates& rates, TunedTimes& tuned) {
  check_workload(spec, work, parallel);
  StepEstimate estimate;
  estimate.work = work;
  estimate.parallel = parallel;
  for (const Operation& operation : decode_operations(spec, work, parallel))
    estimate.operations.push_back(time_of(operation, rates, tuned));
  cover(estimate.operations);
  const double layer_cache = layer_cache_bytes(spec, work, parallel);
  double slowest_us = 0;
  for (const Stage& stage : stages_of(spec, parallel))
    add_stage(stage, layer_cache, bytes_of(spec.weights), estimate, slowest_us);
  judge(rates, slowest_us, estimate);
  return estimate;
}

}  // namespace warpwright
