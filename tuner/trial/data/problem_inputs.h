// The inputs that one problem is validated and timed with: those of the sweep's seed and those of
// another one. A mistake may hide behind one draw, and launches that always got the same inputs
// could return what an earlier one computed. Both are kept between trials. Whether a problem fits
// into the device's memory is checked before anything is allocated.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "trial/data/problem_data.h"

namespace warpwright {

class ProblemInputs {
 public:
  // Problems with more input and output than this have inputs of one seed only on a device without
  // a clock. On other devices the reference computes fewer units for the other inputs than for the
  // first, because every kernel is fully validated on the first.
  static constexpr std::size_t kLargestForOther = std::size_t{64} << 20;
  static constexpr std::uint64_t kFewerUnits = 8;
  static constexpr std::uint64_t kOtherSeed = 1'000'003;  // added to the sweep's

  // Like ProblemData's constructor; all arguments but `request` must outlive this.
  ProblemInputs(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                const Reference& reference, const ReferenceStore& store, ProblemRequest request);

  [[nodiscard]] ProblemData& first() { return *first_; }
  // Made on first use. Null when memory does not hold a second set, and when nothing in the inputs
  // is random: the content of files does not depend on the seed.
  [[nodiscard]] ProblemData* other();
  // The options as of the last call of other().
  [[nodiscard]] const TrialOptions& other_options() const { return other_options_; }
  [[nodiscard]] std::size_t device_bytes() const;

 private:
  const KernelSpec& kernel_;
  Device& device_;
  const TrialOptions& options_;
  TrialOptions other_options_;
  const Reference& reference_;
  const ReferenceStore& store_;
  std::unique_ptr<ProblemData> first_;
  std::unique_ptr<ProblemData> other_;
  bool other_known_ = false;

  // Whether there is room for a second set.
  [[nodiscard]] bool fits_twice() const;
};

// Throws Error (user) with the size of every argument when the problem does not fit.
void require_memory(const KernelSpec& kernel, const Device& device,
                    const Configuration& configuration, const ProblemRequest& request);

}  // namespace warpwright
