// Converts a finished task to a row of the database: what was tried, the outcome, and everything
// that is needed to obtain it again. The key of a trial covers everything that can change its
// result; by it a sweep resumes instead of repeating trials.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compile/compile_cache.h"
#include "device/device.h"
#include "metrics/peaks.h"
#include "records/configuration.h"
#include "records/records.h"
#include "spec/kernel_spec.h"
#include "sweep/sweep_plan.h"
#include "trial/launch/outcome.h"

namespace warpwright {

// Identifies the protocol by which trials are validated and timed. Raise it when the protocol
// changes: older trials are then measured anew.
inline constexpr const char* kTrialProtocol = "trial-4";

// SHA-256 of what makes up one variant, taken from the kernel's texts: the contract, the reference
// and the variant's source with everything it includes, and the files that inputs are read from.
[[nodiscard]] std::string variant_hash(const KernelSpec& kernel, const VariantSpec& variant,
                                       const std::vector<std::filesystem::path>& include_folders);

// `compile_key` covers source, includes, options, arch and NVRTC version; `variant` is the
// variant_hash.
[[nodiscard]] std::string trial_key(const std::string& variant, const std::string& compile_key,
                                    const Problem& problem, const Configuration& configuration,
                                    const DeviceInfo& device, std::uint64_t seed);

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
