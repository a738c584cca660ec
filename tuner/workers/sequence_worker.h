// The sequence worker: one process that opens a device, runs several kernels on it in sequence
// (trial/sequence/sequence.h) and ends. Frames in: {"sequence": SequenceRequest} once. Frames out:
// {"phase": "inputs"|"reference"|"validate"|"measure", "step": name} any number of times, so that
// silence can be distinguished from work; then {"result": SequenceResult} or {"error": {"fault":
// "user"|"environment"|"internal", "message": "..."}}.
#pragma once

#include <chrono>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/process/subprocess.h"
#include "trial/sequence/sequence.h"
#include "workers/measure_worker.h"

namespace warpwright {

// A step as it is sent over the pipe; the worker reads the kernel.
struct RequestedStep {
  std::string name;
  MeasurerSetup setup;  // the contract and the options of its validation
  Configuration configuration;
  Problem problem;
  CompileResult compiled;
  std::map<std::string, std::string> fills;
  std::vector<SequenceInput> inputs;
};
void to_json(nlohmann::json& json, const RequestedStep& step);
void from_json(const nlohmann::json& json, RequestedStep& step);

struct SequenceRequest {
  std::string device;
  int emulator_threads = 1;
  std::vector<RequestedStep> steps;
};
void to_json(nlohmann::json& json, const SequenceRequest& request);
void from_json(const nlohmann::json& json, SequenceRequest& request);

struct SequenceWorker {
  std::vector<std::string> command;  // program and arguments that run sequence_worker_main()
  WorkerLimits limits;
  // How long it may be silent while it starts, makes inputs or runs a reference.
  std::chrono::milliseconds patience{600'000};
  std::function<void(const std::string& step, const std::string& phase)> on_phase;
};

// Starts the process and waits for its result. A process that dies or falls silent also gives a
// result: kCrashed or kTimeout, with the step it was running. Throws the Error that the worker
// reports, and Error (user) when a reference hangs.
[[nodiscard]] SequenceResult ask_sequence_worker(const SequenceWorker& worker,
                                                 const SequenceRequest& request);

// The body of the process. Returns the exit code.
int sequence_worker_main();

}  // namespace warpwright
