// Several kernels on one device in sequence: outputs of earlier steps are inputs of later ones.
//
// Every step is validated first, as a trial is, on the inputs that it will really have: what
// earlier steps wrote, and fills for all that is not connected. So its reference judges it on
// those. Then all launches run as one sequence, whose outputs must be what the steps wrote one by
// one.
//
// On a device with a clock each step is timed alone and then all of them as one CUDA graph, cold
// and, where nothing changes when it runs again and again, hot; and what an empty kernel takes in a
// chain. Without a clock times are modelled, and the whole is the sum of its launches.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "records/status.h"
#include "records/time_estimate.h"
#include "spec/kernel_spec.h"
#include "trial/trial_runner.h"

namespace warpwright {

// An argument of a step that is (part of) an output of an earlier one: of the same type, and
// contiguous. Both were checked.
struct SequenceInput {
  std::string argument;
  std::size_t step = 0;  // index of the earlier one
  std::string output;
  std::int64_t first = 0;  // element of the output; at a multiple of 16 bytes
};
void to_json(nlohmann::json& json, const SequenceInput& input);
void from_json(const nlohmann::json& json, SequenceInput& input);

struct SequenceStep {
  std::string name;
  const KernelSpec* kernel = nullptr;
  TrialOptions options;
  Configuration configuration;
  Problem problem;  // completed
  CompileResult compiled;
  std::map<std::string, std::string> fills;  // argument -> fill that replaces the contract's
  std::vector<SequenceInput> inputs;
};

struct SequenceResult {
  Status status = Status::kOk;  // of the first step that failed, or of the whole
  std::string reason;           // with the step's name
  bool device_lost = false;
  std::vector<TimeEstimate> steps;  // each alone, cold or modelled
  std::optional<TimeEstimate> whole;
  std::optional<TimeEstimate> hot;
  std::string without_hot;  // why it is not there
  std::uint64_t launches = 0;
  // What each launch of an empty kernel adds to a chain of them (slope-graph-1): the part of the
  // whole that no kernel's own time holds, but for the first launch. Nullopt where not measured.
  std::optional<double> gap_us;
};
void to_json(nlohmann::json& json, const SequenceResult& result);
void from_json(const nlohmann::json& json, SequenceResult& result);

// Throws Error as TrialRunner::run() does; what kernels do wrong is in the result. `steps` have at
// least one.
[[nodiscard]] SequenceResult run_sequence(Device& device, const std::vector<SequenceStep>& steps);

}  // namespace warpwright
