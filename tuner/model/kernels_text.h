// Compares a decode step's time by tuned kernels with its time by ceilings: every operation with
// the origin of its time, the sums, and the share of the step that was timed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/screen.h"
#include "model/step_time.h"

namespace warpwright {

// Returns true if any operation of any step has a kernel's time.
[[nodiscard]] bool has_kernel_times(const std::vector<StepEstimate>& steps);

// The operations of the first step, followed by a line for every step. Ends in a newline.
[[nodiscard]] std::string kernels_text(const std::vector<StepEstimate>& steps,
                                       const Screen& screen = {});

// "measured, trial 12 (cold-graph-3)"; "interpolated in kv_len, 4096 (trial 3) to 16384 (trial 9)";
// "in cache append"; "modelled", with the reason if there is no kernel. A kernel's time below the
// floor is given in addition: ", 1.25 µs raised to the floor".
[[nodiscard]] std::string source_text(const TimedOperation& timed);

// The entries of model_json() for an operation's kernel: {"source", "kernel": {"name", "problem",
// "idle"}, "covered_by", "without_kernel", "tuned_us", "trial", "protocol", "ci_low_us",
// "ci_high_us", "tuned_with", "interpolated": {"along", "below": {"size", "us", "trial"}, "above":
// {...}}}.
[[nodiscard]] nlohmann::json source_json(const TimedOperation& timed);

}  // namespace warpwright
