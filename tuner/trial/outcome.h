// What became of one configuration on one problem on one device. Plain data: it crosses the pipe
// from the worker and is stored whole.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "core/status.h"

namespace warpwright {

struct FinalsOutcome;
struct GateOutcome;
struct VetOutcome;

// Error of one output over what was validated of the problem, for inputs of both seeds.
struct OutputError {
  std::string output;
  std::uint64_t checked = 0;  // elements
  std::uint64_t wrong = 0;
  double max_abs = 0;
  double max_rel = 0;      // |out - ref| / |ref| where ref != 0
  double worst_ratio = 0;  // error / allowed error; <= 1 passes
};

// The median with an interval; all in microseconds. A protocol that knows its floor gives what is
// left of the raw median and interval after it, and the raw median beside them.
struct TimeEstimate {
  double median_us = 0;
  double ci_low_us = 0;  // 95 % order-statistic interval of the median
  double ci_high_us = 0;
  double floor_us = 0;       // an empty kernel under the same protocol
  bool modelled = false;     // from the emulator's counters: not a measurement
  std::string protocol;      // "cold-events-1" or "model-1"
  double raw_median_us = 0;  // before the floor was subtracted; 0 when it was not
};

struct Outcome {
  // What was seen beside the samples, in blocks of them. Nothing was watched when `blocks` is 0.
  struct Validity {
    int blocks = 0;   // kept and dropped ones
    int tagged = 0;   // the clock moved or the device was slowed down
    int retaken = 0;  // tagged blocks that were measured again
    int sm_clock_min_mhz = 0;
    int sm_clock_max_mhz = 0;
    std::vector<std::string> throttle;  // reasons as NVML names them, each once
    double power_w = 0;
    double temperature_c = 0;
    int other_processes = 0;  // on the same device
  };

  Status status = Status::kOk;
  std::string reason;  // full, for people; empty when ok
  std::optional<TimeEstimate> time;
  std::optional<double> at_least_us;  // of a pruned trial: it takes this long or longer
  std::vector<double> samples_us;     // raw, in the order taken; the floor is never subtracted
  Validity validity;
  // Fraction by which the anchor configuration moved around this trial; NaN when not checked.
  double anchor_drift = std::numeric_limits<double>::quiet_NaN();
  // The anchor moved so far that trials since its last look must be measured again.
  bool anchor_moved = false;
  // The configuration, as text, whose measurement this is: same machine code, launch and arguments.
  // Empty when it is its own.
  std::string same_as;
  std::vector<OutputError> errors;
  std::vector<KernelResources> resources;
  std::map<std::string, std::uint64_t> counters;
  std::string cubin_hash;  // SHA-256; of the PTX when there is no cubin
  double compile_seconds = 0;
  double validate_seconds = 0;  // inputs, launches and comparison
  double measure_seconds = 0;
  int sm_clock_mhz = 0;
  bool worker_lost = false;  // the worker must be replaced after this trial
  // Of a final ranking, which answers a request of its own, the rounds and the winner.
  std::shared_ptr<const FinalsOutcome> finals;
  // Of a candidate that was found right and was to be compared with its baseline.
  std::shared_ptr<const GateOutcome> gate;
  // Of a configuration whose cases were to be vetted.
  std::shared_ptr<const VetOutcome> vet;
};
void to_json(nlohmann::json& json, const Outcome& outcome);
void from_json(const nlohmann::json& json, Outcome& outcome);
// {"validity": {...}, "anchor_drift": 0.003} as text, the way it is stored with a trial: either is
// null when it was not watched, and the whole is "" when neither was.
[[nodiscard]] std::string measurement_json(const Outcome& outcome);

}  // namespace warpwright
