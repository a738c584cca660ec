// Several kernels on one device in sequence: outputs of earlier steps are inputs of later ones.
//
// Every step is validated first, as a trial is, on the inputs that it will actually have: the
// outputs of earlier steps, and fills for all inputs that are not connected. Its reference
// therefore judges it on those. Then all launches run as one sequence, whose outputs must equal
// those of the steps run one by one.
//
// On a device with a clock each step is timed alone and then all of them as one CUDA graph: cold
// and, if repeated runs change nothing, hot. The time of an empty kernel in a chain is measured,
// too. Without a clock times are modelled, and the whole is the sum of its launches.
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
#include "records/status.h"
#include "records/times.h"
#include "spec/kernel_spec.h"
#include "trial/launch/trial_options.h"

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
  // The time that each launch of an empty kernel adds to a chain of them (slope-graph-2): the
  // launch overhead in the whole, for all launches but the first, that is not part of any kernel's
  // own time. nullopt when it was not measured.
  std::optional<double> gap_us;
};
void to_json(nlohmann::json& json, const SequenceResult& result);
void from_json(const nlohmann::json& json, SequenceResult& result);

// Throws Error as TrialRunner::run() does; failures of the kernels are in the result. `steps` must
// not be empty.
[[nodiscard]] SequenceResult run_sequence(Device& device, const std::vector<SequenceStep>& steps);

}  // namespace warpwright
