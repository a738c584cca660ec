// The measuring worker: one process that holds one device open and runs trials of one kernel, one
// after another. Frames in: {"open": {...}} once, then {"trial": MeasureRequest} each; after a
// trial that was kept, {"sample": N} and {"recheck": true} about it. Frames out: {"ready": true};
// {"phase": "inputs"|"reference"|"validate"|"measure"} any number of times per trial, so that
// silence can be distinguished from work; {"outcome": {...}} of a trial or recheck, {"samples":
// {...}}, or {"error": {"fault": "user"|"environment"|"internal", "message": "..."}}. A worker that
// runs out of memory ends with kOutOfMemoryExit instead of an answer.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "trial/trial_runner.h"
#include "workers/measure_request.h"

namespace warpwright {

struct MeasurerSetup {
  std::string device;  // id for open_device
  int emulator_threads = 1;
  std::filesystem::path kernel_file;
  bool launch_contract = false;  // the file is one of read_launch_contract()
  bool background = false;       // runs at low priority
  // contract_texts() of the kernel, which the worker reads instead of files. Empty: reads the
  // files.
  SourceTexts texts;
  TrialOptions options;
};
void to_json(nlohmann::json& json, const MeasurerSetup& setup);
void from_json(const nlohmann::json& json, MeasurerSetup& setup);
// Reads the kernel that the setup names. Moves the texts out of the setup.
[[nodiscard]] KernelSpec read_contract(MeasurerSetup& setup);

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
