// The inputs that one problem is validated with: those of the sweep's seed and, because a mistake
// may hide behind one draw, those of another seed. Both are kept between trials.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "trial/data/problem_data.h"

namespace warpwright {

class ProblemInputs {
 public:
  // Problems with more input and output than this are validated with one seed only.
  static constexpr std::size_t kLargestForOther = std::size_t{64} << 20;
  static constexpr std::uint64_t kOtherSeed = 1'000'003;  // added to the sweep's

  // As ProblemData's constructor; all but `request` must outlive this.
  ProblemInputs(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                const Reference& reference, const ReferenceStore& store, ProblemRequest request);

  [[nodiscard]] ProblemData& first() { return *first_; }
  // Made when first asked for; null when the problem is too large or nothing in it is random:
  // files hold the same whatever the seed.
  [[nodiscard]] ProblemData* other();
  // As of the last call of other().
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
};

}  // namespace warpwright
