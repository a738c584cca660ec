// The identity of a trial. Its key covers everything that can change its result; by it a sweep
// resumes instead of repeating trials.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/configuration.h"
#include "records/device_info.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// Identifies the protocol by which trials are validated and timed. Raise it when the protocol
// changes: older trials are then measured anew.
inline constexpr const char* kTrialProtocol = "trial-4";

// SHA-256 of what makes up one variant, taken from the kernel's texts: the contract without its
// presets, which name configurations and change none, and without its accounting, which describes
// variants to people; the reference, the variant's source with everything it includes, and the
// files that inputs are read from.
[[nodiscard]] std::string variant_hash(const KernelSpec& kernel, const VariantSpec& variant,
                                       const std::vector<std::filesystem::path>& include_folders);

// `compile_key` covers source, includes, options, arch and NVRTC version; `variant` is the
// variant_hash.
[[nodiscard]] std::string trial_key(const std::string& variant, const std::string& compile_key,
                                    const Problem& problem, const Configuration& configuration,
                                    const DeviceInfo& device, std::uint64_t seed);

}  // namespace warpwright
