// A model's decode steps as text for people and as JSON. Every figure is marked as modelled, with
// its source; times of tuned kernels are marked as measured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/step_time.h"
#include "terminal/screen.h"

namespace warpwright {

// Compares a decode step's time by tuned kernels with its time by ceilings: every operation with
// the origin of its time, the sums, and the share of the step that was timed.

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

struct ModelReport {
  DecoderSpec spec;
  Rates rates;
  std::vector<StepEstimate> steps;  // batches x contexts x layouts, in the requested order
};

// Describes the model and the device, the operations of the first step, and every step in one line;
// if kernels were tuned, also compares their times with those by ceilings. Ends in a newline.
[[nodiscard]] std::string model_text(const ModelReport& report, const Screen& screen = {});

// {"model","summary","source","parameters","weight_bytes","dtypes":{...},
//  "rates":{"device","fingerprint","origin":"measured"|"given","ceilings":{NAME:{"value","unit"}},
//    "floor_us","floor_origin","memory_bytes"},
//  "steps":[{"modelled":true,"batch","context","tensor","pipeline","sequence","expert","gpus",
//    "step_us","ceiling_step_us","measured_us","interpolated_us","modelled_us","tuned_share",
//    "ceiling_tokens_per_second","tokens_per_second","tokens_per_second_per_gpu","full_pipeline_tokens_per_second",
//    "bubble","bound","us_by_bound":{...},"bytes","flops","flops_per_byte","weight_bytes_read",
//    "cache_bytes_read","network_bytes","weights_kept_bytes","cache_kept_bytes","fits",
//    "full_pipeline_fits",
//    "operations":[{"name","count","us","step_us","ceiling_us","ceiling_step_us","bound",
//      "source":"modelled"|"measured"|"interpolated"|"covered", and the rest of
//      source_json(), "weight_bytes","activation_read","activation_write","cache_read",
//      "cache_write","network_bytes","bytes","flops",
//      "flops_per_byte","arithmetic","memory_us","compute_us","parameters"}]}]}
// Unknown values are null.
[[nodiscard]] nlohmann::json model_json(const ModelReport& report);

// "1.647 GB", "37.7 MB", "512 B": decimal units, four digits.
[[nodiscard]] std::string format_bytes(double bytes);

}  // namespace warpwright
