// The comparison at the heart of a regression gate, on an open device: a candidate that was found
// right against a baseline, both in this process and, if their arguments are the same arrays, on
// the same data. A device with a clock yields blocks of times, a device without one yields
// counters, also per source line. The results are interpreted elsewhere.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"
#include "stats/paired_gate.h"
#include "trial/data/problem_inputs.h"
#include "trial/trial_runner.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

// The baseline that the candidate is compared with, and the options of the comparison.
struct GateRequest {
  bool compare = true;                // false: only validate the candidate
  std::filesystem::path kernel_file;  // the baseline's contract; its sources lie next to it
  SourceTexts texts;                  // contract_texts() of it
  std::filesystem::path reference_include;
  Configuration configuration;
  Problem problem;  // completed by the baseline's contract
  CompileResult compiled;
  int blocks = 20;
  // Blocks of the baseline against itself, which measure the noise; 0 if it has been measured
  // already.
  int noise_blocks = 10;
  // The limit on the warp instructions of a launch on the emulator, if the expected number is
  // known; 0 uses the limit of the options.
  std::uint64_t emulated_instruction_limit = 0;
};
void to_json(nlohmann::json& json, const GateRequest& request);
void from_json(const nlohmann::json& json, GateRequest& request);

// The counters of one side on a device without a clock.
struct GateCounts {
  std::map<std::string, std::uint64_t> counters;
  std::vector<LineCounters> lines;
  double modelled_us = 0;
};

struct GateOutcome {
  // Why the two could not be compared, though the candidate is right: the baseline does not run
  // here, or the device was not steady (kNoisy).
  Status status = Status::kOk;
  std::string reason;
  bool candidate_failed = false;  // it was right, and failed while it was timed or counted
  bool worker_lost = false;
  std::string note;  // a caveat about a comparison that took place; may be empty
  // On a device with a clock.
  std::vector<AbbaBlock> noise_blocks, blocks;
  std::string protocol;
  // On a device without one.
  GateCounts baseline, candidate;
};
void to_json(nlohmann::json& json, const GateOutcome& outcome);
void from_json(const nlohmann::json& json, GateOutcome& outcome);

// `candidate` was verified on its inputs.
[[nodiscard]] GateOutcome run_gate_comparison(const KernelSpec& kernel, Device& device,
                                              const TrialOptions& options,
                                              const Configuration& configuration,
                                              ValidatedLaunches& candidate,
                                              const GateRequest& request);

}  // namespace warpwright
