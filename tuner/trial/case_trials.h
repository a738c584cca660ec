// Runs the contract's cases for configurations of one kernel on one open device: small problems on
// which a mistake shows in milliseconds, before the problem of the sweep costs seconds. Their
// inputs and reference results are kept between configurations, and the outcomes of a
// configuration's cases between the problems that share them.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "trial/data/problem_inputs.h"
#include "trial/launch/outcome.h"
#include "trial/reference/reference.h"
#include "trial/trial_runner.h"
#include "trial/validation/vet_schedules.h"

namespace warpwright {

class CaseTrials {
 public:
  // The options are the trial's, adapted to small problems. The other arguments must outlive this.
  CaseTrials(const KernelSpec& kernel, Device& device, TrialOptions options,
             const Reference& reference, const ReferenceStore& store);

  void set_launch_time_limit(std::chrono::milliseconds limit) {
    options_.launch_time_limit = limit;
  }

  // Runs the cases in order, up to the first that fails. Returns false for a failure, and the
  // outcome states which case failed and why. In both cases the outcome lists the findings of the
  // checkers, unless they were the reason for the failure.
  [[nodiscard]] bool run(const Configuration& configuration,
                         const std::vector<TrialRunner::CompiledCase>& cases, Outcome& outcome);
  // Runs one case under the emulator's checkers (trial/validation/vet_schedules.h).
  [[nodiscard]] VettedCase vet(const Configuration& configuration,
                               const TrialRunner::CompiledCase& test, const VetRequest& request);

 private:
  // `known` collects what the checkers found in any of the cases, each mistake once.
  [[nodiscard]] bool run_one(const Configuration& configuration,
                             const TrialRunner::CompiledCase& test, std::vector<Finding>& known,
                             Outcome& outcome);
  // Stores in the outcome the findings that do not end the trial. Returns the text that they add to
  // the reason of a failure.
  std::string keep_hazards(const TrialRunner::CompiledCase& test, const std::vector<Finding>& found,
                           std::vector<Finding>& known, Outcome& outcome) const;
  [[nodiscard]] ProblemInputs& inputs(const Configuration& configuration,
                                      const TrialRunner::CompiledCase& test);

  const KernelSpec& kernel_;
  Device& device_;
  TrialOptions options_;
  const Reference& reference_;
  const ReferenceStore& store_;
  std::map<std::string, ProblemInputs> inputs_;  // by ProblemRequest::key()
  std::map<std::string, Outcome> outcomes_;      // by configuration and content
};

}  // namespace warpwright
