// A finished task as a row of the database: what was tried, what came of it, and everything that is
// needed to obtain it again.
#pragma once

#include <string>
#include <vector>

#include "metrics/work.h"
#include "records/records.h"
#include "sweep/sweep_plan.h"
#include "trial/outcome.h"

namespace warpwright {

// What is known of a trial before it runs.
struct TrialIdentity {
  std::string key;                   // trial_key
  std::string variant_hash;          // of the variant it uses
  std::vector<std::string> options;  // of the compile job
  std::string started_utc;
};

// Evaluates what the contract counts for a configuration on a problem: the work of one unit, and
// how many units a launch does. Throws Error (user) when an expression cannot be evaluated.
[[nodiscard]] Work contract_work(const KernelSpec& kernel, const Configuration& configuration,
                                 const Problem& problem, const DeviceInfo& device);

// Everything but the rows it refers to (run, device, kernel), which the caller sets.
[[nodiscard]] TrialRecord make_trial_record(const KernelSpec& kernel, const SweepBoard& board,
                                            const Configuration& configuration,
                                            const TrialIdentity& identity, const Outcome& outcome);

}  // namespace warpwright
