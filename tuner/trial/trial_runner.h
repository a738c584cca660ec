// Runs trials of one kernel on one open device: inputs, poison, guard zones, contract cases,
// validation against the FP64 reference, then time. Inputs and reference results of a problem are
// kept between trials of the same problem.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/compile_job.h"
#include "core/expr/value.h"
#include "device/device.h"
#include "records/configuration.h"
#include "spec/hazard_policy.h"
#include "spec/kernel_spec.h"
#include "trial/jobs.h"
#include "trial/outcome.h"

namespace warpwright {

struct TrialOptions {
  std::uint64_t seed = 1;
  std::filesystem::path
      reference_library;  // in-tree shared object; empty: compiled here and cached
  std::filesystem::path reference_include;  // folder of reference.h
  std::filesystem::path cache_folder;       // for references and their results; empty: none
  std::uint64_t validated_elements =
      1u << 20;  // per output, on large problems: a sample of units plus first and last
  int determinism_runs = 5;
  // Whether the first run of a validation goes through the emulator's checkers.
  bool check_hazards = false;
  bool trust_cas_reads = false;  // of the checkers; see VetRequest
  // Whether a finding fails the trial (kHazard) or is listed in Outcome::hazards.
  HazardPolicy hazards = HazardPolicy::kReject;
  // Refuse problems that the contract leaves untested, as strict contracts do.
  bool strict = false;
  // False: nothing is pruned, and everything is measured as fully as a finalist.
  bool screening = true;
  std::chrono::milliseconds launch_time_limit{10'000};
  std::uint64_t emulated_instruction_limit = 4'000'000'000;
  // Called with the next phase of a trial, so that progress can be watched: "inputs" and
  // "reference" (both may take minutes), "validate" (before every launch that is checked),
  // "measure".
  std::function<void(std::string_view phase)> on_phase;
  void enter(std::string_view phase) const {
    if (on_phase) on_phase(phase);
  }
};

// The launches of a configuration, checked against the device's limits before the device is touched
// (block size, shared memory, grid, registers per block). Returns the reason as an Outcome of
// kInvalid, or nullopt when it may run.
[[nodiscard]] std::optional<Outcome> reject_impossible_launch(const KernelSpec& kernel,
                                                              const Configuration& configuration,
                                                              const Problem& problem,
                                                              const DeviceInfo& device,
                                                              const CompileResult& compiled);

// Limits and results of the sweep so far, passed along with a request for a trial.
struct TrialLimits {
  std::optional<std::chrono::milliseconds> launch_time_limit;  // instead of the options'
  std::optional<double> best_us;  // the best time so far on this problem
  bool energy = false;            // also measure the energy per launch of timed trials
};

struct Finalist;
struct Measurement;
struct GateRequest;
struct RaceOptions;
struct VetRequest;

class TrialRunner {
 public:
  // Loads (or compiles and caches) the reference. Throws Error (user) on a reference that does not
  // compile or lacks ww_reference.
  TrialRunner(const KernelSpec& kernel, Device& device, TrialOptions options);
  ~TrialRunner();

  struct CompiledCase {
    CaseJob test;
    CompileResult compiled;
  };
  // Cases first, then the problem, then time. Throws only for faults of the environment or of the
  // user's contract (problem too large for the device, reference failing); failures of the kernel
  // are in the outcome. `launch_time_limit` replaces the option of that name for this run.
  [[nodiscard]] Outcome run(const Configuration& configuration, const Problem& problem,
                            const CompileResult& compiled, const std::vector<CompiledCase>& cases,
                            const TrialLimits& limits = {});
  // The final ranking of one problem (trial/timing/finals.h), as Outcome::finals().
  [[nodiscard]] Outcome rank(const Problem& problem, const std::vector<Finalist>& finalists,
                             const RaceOptions& race, const TrialLimits& limits = {});
  // Cases first, then the problem, as run() does, with options that do not screen; a candidate that
  // is right is then compared with its baseline (trial/timing/gate.h), as Outcome::gate(), instead
  // of timed.
  [[nodiscard]] Outcome gate(const Configuration& configuration, const Problem& problem,
                             const CompileResult& compiled, const std::vector<CompiledCase>& cases,
                             const GateRequest& request, const TrialLimits& limits = {});

  // The cases under all of the emulator's checkers and many schedules
  // (trial/validation/vet_schedules.h), as Outcome::vet(). Needs a device without a clock.
  [[nodiscard]] Outcome vet(const Configuration& configuration,
                            const std::vector<CompiledCase>& cases, const VetRequest& request,
                            const TrialLimits& limits = {});

  // The modelled time of a configuration: one run without cases, checkers and validation, so its
  // results are not checked. Runs `sample_blocks` blocks of every launch, or all of them when it is
  // 0. Needs a device without a clock.
  [[nodiscard]] Outcome model(const Configuration& configuration, const Problem& problem,
                              const CompileResult& compiled, std::uint64_t sample_blocks,
                              const TrialLimits& limits = {});

  // Like run(), but a configuration that passes is kept, ready for sample(), instead of being
  // timed: its outcome has no time. On a device without a clock this is run(). A configuration that
  // was kept before is dropped.
  [[nodiscard]] Outcome prepare(const Configuration& configuration, const Problem& problem,
                                const CompileResult& compiled,
                                const std::vector<CompiledCase>& cases,
                                const TrialLimits& limits = {});
  // Takes up to `samples` cold samples of the kept configuration, limited to 2 s but at least one.
  // Samples from moments in which the device was not steady are excluded.
  [[nodiscard]] Measurement sample(int samples);
  // Checks the kept configuration after its samples: its outputs must still be right.
  [[nodiscard]] Outcome recheck();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
