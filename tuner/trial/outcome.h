// What became of one configuration on one problem on one device. Plain data: it crosses the pipe
// from the worker and is stored whole.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/status.h"

namespace warpwright {

// Error of one output over what was validated of the problem, for inputs of both seeds.
struct OutputError {
  std::string output;
  std::uint64_t checked = 0;  // elements
  std::uint64_t wrong = 0;
  double max_abs = 0;
  double max_rel = 0;      // |out - ref| / |ref| where ref != 0
  double worst_ratio = 0;  // error / allowed error; <= 1 passes
};

// The median with an interval; all in microseconds.
struct TimeEstimate {
  double median_us = 0;
  double ci_low_us = 0;  // 95 % order-statistic interval of the median
  double ci_high_us = 0;
  double floor_us = 0;    // an empty kernel under the same protocol; not subtracted
  bool modelled = false;  // from the emulator's counters: not a measurement
  std::string protocol;   // "cold-events-1" or "model-1"
};

struct Outcome {
  Status status = Status::kOk;
  std::string reason;  // full, for people; empty when ok
  std::optional<TimeEstimate> time;
  std::vector<double> samples_us;  // raw, in the order taken
  std::vector<OutputError> errors;
  std::vector<KernelResources> resources;
  std::map<std::string, std::uint64_t> counters;
  std::string cubin_hash;  // SHA-256; of the PTX when there is no cubin
  double compile_seconds = 0;
  double validate_seconds = 0;  // inputs, launches and comparison
  double measure_seconds = 0;
  int sm_clock_mhz = 0;
  bool worker_lost = false;  // the worker must be replaced after this trial
};
void to_json(nlohmann::json& json, const Outcome& outcome);
void from_json(const nlohmann::json& json, Outcome& outcome);

}  // namespace warpwright
