// Converts a finished task to a row of the database: what was tried, the outcome, and everything
// that is needed to obtain it again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"
#include "metrics/peaks.h"
#include "records/configuration.h"
#include "records/records.h"
#include "spec/kernel_spec.h"
#include "sweep/sweep_plan.h"
#include "trial/launch/outcome.h"

namespace warpwright {

// The properties of a trial that are known before it runs.
struct TrialIdentity {
  std::string key;                   // trial_key
  std::string variant_hash;          // of the variant it uses
  std::vector<std::string> options;  // of the compile job
  std::string started_utc;
};

// Evaluates the work that the contract declares for a configuration on a problem: the work of one
// unit, and the number of units in a launch. Throws Error (user) when an expression cannot be
// evaluated.
[[nodiscard]] Work contract_work(const KernelSpec& kernel, const Configuration& configuration,
                                 const Problem& problem, const DeviceInfo& device);

// Fills everything except the references to other rows (run, device, kernel), which the caller
// sets.
[[nodiscard]] TrialRecord make_trial_record(const KernelSpec& kernel, const SweepBoard& board,
                                            const Configuration& configuration,
                                            const TrialIdentity& identity, const Outcome& outcome);

}  // namespace warpwright
