// The measuring worker: one process that holds one device open and runs trials of one kernel, one
// after another. Frames in: {"open": {...}} once, then {"trial": {...}} each; after a trial that
// was kept, {"sample": N} and {"recheck": true} about it. Frames out: {"ready": true}; {"phase":
// "inputs"|"reference"|"validate"|"measure"} any number of times per trial, so that silence can be
// told from work; {"outcome": {...}} of a trial or recheck, {"samples": {...}}, or
// {"error": {"fault": "user"|"environment"|"internal", "message": "..."}}. A worker that runs out
// of memory ends with kOutOfMemoryExit instead of an answer.
#pragma once

#include <chrono>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "trial/finals.h"
#include "trial/gate.h"
#include "trial/trial_runner.h"
#include "trial/vet.h"

namespace warpwright {

struct MeasurerSetup {
  std::string device;  // id for open_device
  int emulator_threads = 1;
  std::filesystem::path kernel_file;
  bool launch_contract = false;  // the file is one of read_launch_contract()
  TrialOptions options;
};
void to_json(nlohmann::json& json, const MeasurerSetup& setup);
void from_json(const nlohmann::json& json, MeasurerSetup& setup);

// One trial, one final ranking or one comparison, as it crosses the pipe.
struct MeasureRequest {
  Configuration configuration;
  std::map<std::string, Value> problem;
  CompileResult compiled;
  std::vector<TrialRunner::CompiledCase> cases;
  // When there are any, this asks for their final ranking on the problem, and nothing above but the
  // problem counts.
  std::vector<Finalist> finalists;
  // Set: the configuration is checked as a trial's and then compared instead of timed.
  std::optional<GateRequest> gate;
  // Set: the cases are vetted, and nothing else is done.
  std::optional<VetRequest> vet;
  std::optional<double> best_us;  // of the best configuration so far on this problem
  // A configuration that passes stays ready for samples instead of being timed.
  bool keep = false;
  // For every launch of this trial; 0 is what the setup says.
  std::chrono::milliseconds launch_time_limit{0};
};
void to_json(nlohmann::json& json, const MeasureRequest& request);
void from_json(const nlohmann::json& json, MeasureRequest& request);

// Raw cold samples of a trial that was kept.
struct TakenSamples {
  Status status = Status::kOk;
  std::string reason;
  bool worker_lost = false;
  std::vector<double> raw_us;
  double floor_us = 0;  // of an empty kernel under the same protocol
  std::string protocol;
};
void to_json(nlohmann::json& json, const TakenSamples& samples);
void from_json(const nlohmann::json& json, TakenSamples& samples);

// The body of the worker. Returns the exit code.
int measure_worker_main();

}  // namespace warpwright
