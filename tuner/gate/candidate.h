// The configuration of a baseline's entry under the contract as it is now.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/gate_report.h"
#include "device/device.h"
#include "spec/configuration.h"
#include "spec/kernel_spec.h"

namespace warpwright {

struct Candidate {
  // Why there is none: kMissing or kIllegal.
  std::optional<Finding> refusal;
  std::map<std::string, Value> problem;  // completed
  Configuration configuration;           // with defaults of parameters that are new
  std::vector<std::string> notes;        // what had to be filled in
};

// Never throws for what the contract says; it is in the refusal.
[[nodiscard]] Candidate find_candidate(const KernelSpec& kernel, const Configuration& baseline,
                                       const std::map<std::string, Value>& problem,
                                       const DeviceInfo& device);

}  // namespace warpwright
