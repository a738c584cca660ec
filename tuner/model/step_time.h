// From operations to the time of a decode step. An operation takes the longest of its bytes at the
// memory ceilings, its FLOP at the arithmetic ceiling and the floor; operations follow one another
// and nothing overlaps. Where a database holds the measured time of that operation, or times on
// both sides to interpolate between, that counts instead; the time by ceilings is kept beside it.
// These are models made of measured (or given) rates, and every output says so.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/decode_step.h"
#include "model/rates.h"
#include "model/tuned_times.h"

namespace warpwright {

enum class StepBound { kMemory, kCompute, kLatency, kNetwork };
// Where an operation's time is from: a tuned kernel at that very size; between two of its sizes;
// the ceilings (or the network); or nowhere, because another operation's kernel does it as well.
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
  std::optional<TunedTime> measured;            // what `us` is then; may be interpolated
  double ceiling_us = 0;                        // what `us` is without kernels
  std::string covered_by;  // the operation whose kernel does this one, too: `us` is 0
  [[nodiscard]] double step_us() const { return count * us; }
  [[nodiscard]] TimeSource source() const;
};

struct StepEstimate {
  Workload work;
  Parallel parallel;
  std::vector<TimedOperation> operations;
  double step_us = 0;                       // of one token of every sequence, through all stages
  double ceiling_step_us = 0;               // the same without kernels
  double measured_us = 0;                   // the parts of step_us that kernels were timed for,
  double interpolated_us = 0;               // and that lie between two of their times
  std::map<StepBound, double> us_by_bound;  // sums to step_us
  StepBound bound = StepBound::kMemory;     // of the largest part
  double bytes = 0, flops = 0;              // of a step, on one GPU of each stage
  double weight_bytes_read = 0, cache_bytes_read = 0, network_bytes = 0;
  double tokens_per_second = 0;  // one batch in flight
  double ceiling_tokens_per_second = 0;
  // Stages work on a batch each: the rate then, if their caches fit. One stage: as above.
  std::optional<double> full_tokens_per_second;
  double bubble = 0;  // share of the GPUs' time that is idle with one batch in flight
  // Of the fullest GPU; nothing but these is counted.
  double weights_kept_bytes = 0, cache_kept_bytes = 0;
  std::optional<bool> fits;       // absent where the device's memory is not known
  std::optional<bool> full_fits;  // as many batches in flight as there are stages

  // The share of step_us that is from tuned times, interpolated ones among them.
  [[nodiscard]] double tuned_share() const { return (measured_us + interpolated_us) / step_us; }
};

// Throws Error (user) when a ceiling is missing that the model needs.
[[nodiscard]] StepEstimate estimate_step(const DecoderSpec& spec, const Workload& work,
                                         const Parallel& parallel, const Rates& rates,
                                         TunedTimes& tuned);

}  // namespace warpwright
