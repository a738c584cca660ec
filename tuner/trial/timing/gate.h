// The comparison at the heart of a regression gate, on an open device: a candidate that was found
// right against a baseline, both in this process and, if their arguments are the same arrays, on
// the same data. A device with a clock yields blocks of times, a device without one yields
// counters, also per source line. The results are interpreted elsewhere.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"
#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "stats/paired_gate.h"
#include "trial/data/problem_inputs.h"
#include "trial/launch/outcome.h"
#include "trial/launch/trial_options.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

// [baseline, candidate]
void to_json(nlohmann::json& json, const AbbaBlock& block);
void from_json(const nlohmann::json& json, AbbaBlock& block);

// Comparisons of two kernels in blocks ABBA (first, second, second, first), so that slow drift
// cancels within a block. take_abba_blocks() only takes the times; stats/paired_gate.h interprets
// them. Times are microseconds, corrected for the floor. Blocks that the device disturbed are taken
// again.
struct AbbaOptions {
  int blocks = 20;
  double turn_us = 1000;           // a turn takes at least this long and one sample
  double between_samples_us = 40;  // approximate cost per sample beyond the kernel's own time
  // When this has passed, the blocks taken so far are used if there are at least `fewest`; 0 means
  // unlimited.
  std::chrono::milliseconds time_limit{0};
  int fewest = 8;
  std::function<void()> before_block;  // called to show progress; may be empty
};

struct AbbaRun {
  Status status = Status::kOk;  // kNoisy when the device was not steady
  std::string reason;
  bool device_lost = false;
  bool second_failed = false;  // which plan failed; valid unless the status is kOk or kNoisy
  std::vector<AbbaBlock> blocks;
  std::string protocol;
  Validity validity;
};

// `about_us` is the approximate time of one sample of either plan.
[[nodiscard]] AbbaRun take_abba_blocks(Device& device, TimingPlan& first, TimingPlan& second,
                                       double about_us, const AbbaOptions& options = {});

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
void to_json(nlohmann::json& json, const GateCounts& counts);
void from_json(const nlohmann::json& json, GateCounts& counts);

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
