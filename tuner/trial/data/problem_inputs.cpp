#include "trial/data/problem_inputs.h"

#include <optional>

#include "core/process/memory_limit.h"

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
  // The limits come from the requesting trial, not from the first one that used these inputs.
  other_options_ = options_;
  other_options_.seed += kOtherSeed;
  if (other_known_) return other_.get();
  other_known_ = true;
  if (!fits_twice()) return nullptr;
  if (first_->device_bytes() > kLargestForOther) other_options_.validated_elements /= kFewerUnits;
  other_ = std::make_unique<ProblemData>(kernel_, device_, other_options_, reference_, store_,
                                         first_->request());
  if (other_->has_inputs_of(*first_)) other_.reset();
  return other_.get();
}

bool ProblemInputs::fits_twice() const {
  const std::size_t bytes = first_->device_bytes();
  if (bytes <= kLargestForOther) return true;
  if (!device_.info().has_clock) return false;
  // Scratch and copies for other timing modes are allocated later, and the host keeps the inputs,
  // too.
  const std::optional<std::size_t> host = available_memory_bytes();
  return bytes <= device_.free_bytes() / 2 && (!host || bytes <= *host / 4);
}

std::size_t ProblemInputs::device_bytes() const {
  return first_->device_bytes() + (other_ ? other_->device_bytes() : 0);
}

}  // namespace warpwright
