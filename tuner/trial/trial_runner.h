// Runs trials of one kernel on one open device: inputs, poison, guard zones, contract cases,
// validation against the FP64 reference, then time. Inputs and reference results of a problem are
// kept between trials of the same problem.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "compile/compile_job.h"
#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "trial/launch/jobs.h"
#include "trial/launch/outcome.h"
#include "trial/launch/trial_options.h"

namespace warpwright {

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
  // (trial/validation/vet_schedules.h), as Outcome::vet(); with VetRequest::without only up to the
  // first that shows something. Needs a device without a clock.
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
