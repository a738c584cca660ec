// Computes the time of a decode step from its operations. An operation takes the longest of its
// bytes at the memory ceilings, its FLOP at the arithmetic ceiling, and the floor; operations run
// one after another without overlap. If a database holds the measured time of that operation, or
// times on both sides to interpolate between, that time is used instead; the time by ceilings is
// kept as well. These are models based on measured (or given) rates, and every output is marked
// accordingly.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/decode_step.h"
#include "model/rates.h"

namespace warpwright {

enum class StepBound { kMemory, kCompute, kLatency, kNetwork };
// The origin of an operation's time: a tuned kernel at exactly that size; interpolation between two
// of its sizes; the ceilings (or the network); or none, because another operation's kernel covers
// it.
enum class TimeSource { kMeasured, kInterpolated, kModelled, kCovered };
// "measured", "interpolated", "modelled", "covered".
[[nodiscard]] const char* source_name(TimeSource source);

// "memory", "compute", "latency", "network".
[[nodiscard]] const char* bound_name(StepBound bound);

struct TimedOperation {
  Operation operation;
  double count = 0;  // per step, over all stages
  double us = 0;     // of one execution
  StepBound bound = StepBound::kMemory;
  std::optional<double> memory_us, compute_us;  // at the ceilings
  std::optional<TunedTime> measured;            // the source of `us` if set; may be interpolated
  double ceiling_us = 0;                        // `us` without tuned kernels
  std::string covered_by;  // operation whose kernel includes this one: `us` is 0
  [[nodiscard]] double step_us() const { return count * us; }
  [[nodiscard]] TimeSource source() const;
};

struct StepEstimate {
  Workload work;
  Parallel parallel;
  std::vector<TimedOperation> operations;
  double step_us = 0;                       // one token of every sequence, through all stages
  double ceiling_step_us = 0;               // the same without kernels
  double measured_us = 0;                   // part of step_us with measured kernels
  double interpolated_us = 0;               // part of step_us interpolated between two sizes
  std::map<StepBound, double> us_by_bound;  // sums to step_us
  StepBound bound = StepBound::kMemory;     // of the largest part
  double bytes = 0, flops = 0;              // of a step, on one GPU of each stage
  double weight_bytes_read = 0, cache_bytes_read = 0, network_bytes = 0;
  double tokens_per_second = 0;  // one batch in flight
  double ceiling_tokens_per_second = 0;
  // With each stage working on a batch of its own, the rate if their caches fit. One stage: as
  // above.
  std::optional<double> full_tokens_per_second;
  double bubble = 0;  // share of the GPUs' time that is idle with one batch in flight
  // Describes the fullest GPU; only weights and caches are counted.
  double weights_kept_bytes = 0, cache_kept_bytes = 0;
  std::optional<bool> fits;       // absent if the device's memory is unknown
  std::optional<bool> full_fits;  // with one batch in flight per stage

  // The share of step_us from tuned times, including interpolated ones.
  [[nodiscard]] double tuned_share() const { return (measured_us + interpolated_us) / step_us; }
};

// Throws Error (user) if a ceiling that the model needs is missing.
[[nodiscard]] StepEstimate estimate_step(const DecoderSpec& spec, const Workload& work,
                                         const Parallel& parallel, const Rates& rates,
                                         TunedTimes& tuned);

}  // namespace warpwright
