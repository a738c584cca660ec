// One configuration whose launches were found right on every input set of a problem, ready to be
// timed: each timed launch draws one of the sets at random, so that no later launch can reuse the
// results of an earlier one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trial/data/problem_inputs.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {

class ValidatedLaunches {
 public:
  // `inputs` must outlive this. Validates nothing yet.
  ValidatedLaunches(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                    const Configuration& configuration, ProblemInputs& inputs,
                    std::shared_ptr<const DeviceModule> module);

  // Runs TrialValidation::verify() on the first input set, then once on the other, if there is one.
  // `enough` may end the verification before that.
  [[nodiscard]] ValidationReport verify(
      int runs, const std::function<bool(const std::vector<double>&)>& enough = {});
  // Checks all sets after launches that were not checked one by one.
  [[nodiscard]] ValidationReport verify_after(const std::string& what) const;
  [[nodiscard]] ValidationReport verify_after_timing() const { return verify_after("timing"); }

  // The launches on the first input set.
  [[nodiscard]] TrialValidation& first() { return *first_; }
  [[nodiscard]] const TrialValidation& first() const { return *first_; }
  [[nodiscard]] const std::vector<DeviceLaunch>& launches() const { return first_->launches(); }
  [[nodiscard]] double units() const { return first_->units(); }
  [[nodiscard]] ProblemInputs& inputs() const { return inputs_; }

  // The request for cold samples, which draw their input set.
  [[nodiscard]] TimingRequest cold_request() const;
  // The launches on every input set that was validated, in turn.
  [[nodiscard]] std::vector<TimedSequence> timed_sequences() const;

 private:
  const KernelSpec& kernel_;
  Device& device_;
  const Configuration configuration_;
  ProblemInputs& inputs_;
  std::shared_ptr<const DeviceModule> module_;
  std::unique_ptr<TrialValidation> first_;
  std::unique_ptr<TrialValidation> other_;  // once it was found right
};

}  // namespace warpwright
