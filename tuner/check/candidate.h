// The configuration of a baseline's entry under the contract as it is now.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/check_report.h"
#include "device/device.h"
#include "records/configuration.h"
#include "records/problem.h"
#include "spec/kernel_spec.h"

namespace warpwright {

struct Candidate {
  // Why there is none: kMissing or kIllegal.
  std::optional<Finding> refusal;
  Problem problem;                 // completed
  Configuration configuration;     // with defaults of parameters that are new
  std::vector<std::string> notes;  // what had to be filled in
};

// Never throws because of the contract; the reason is in the refusal.
[[nodiscard]] Candidate find_candidate(const KernelSpec& kernel, const Configuration& baseline,
                                       const Problem& problem, const DeviceInfo& device);

}  // namespace warpwright
