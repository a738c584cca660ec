#include "trial/data/problem_inputs.h"

namespace warpwright {

ProblemInputs::ProblemInputs(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                             const Reference& reference, const ReferenceStore& store,
                             ProblemRequest request)
    : kernel_(kernel),
      device_(device),
      options_(options),
      other_options_(options),
      reference_(reference),
      store_(store),
      first_(std::make_unique<ProblemData>(kernel, device, options, reference, store,
                                           std::move(request))) {}

ProblemData* ProblemInputs::other() {
  // Limits are those of the trial that asks, not of the first one that had these inputs.
  other_options_ = options_;
  other_options_.seed += kOtherSeed;
  if (other_known_) return other_.get();
  other_known_ = true;
  if (first_->device_bytes() > kLargestForOther) return nullptr;
  other_ = std::make_unique<ProblemData>(kernel_, device_, other_options_, reference_, store_,
                                         first_->request());
  if (other_->has_inputs_of(*first_)) other_.reset();
  return other_.get();
}

std::size_t ProblemInputs::device_bytes() const {
  return first_->device_bytes() + (other_ ? other_->device_bytes() : 0);
}

}  // namespace warpwright
