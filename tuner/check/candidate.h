// Finds the configuration of a baseline's entry under the current contract.
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
  // The reason if there is no such configuration: kMissing or kIllegal.
  std::optional<Finding> refusal;
  Problem problem;                 // with all sizes filled in
  Configuration configuration;     // with defaults for new parameters
  std::vector<std::string> notes;  // values that had to be filled in
};

// Never throws because of the contract; such errors become the refusal.
[[nodiscard]] Candidate find_candidate(const KernelSpec& kernel, const Configuration& baseline,
                                       const Problem& problem, const DeviceInfo& device);

}  // namespace warpwright
