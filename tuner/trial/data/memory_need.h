// Checks whether a problem fits into the device's memory before anything is allocated.
#pragma once

#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "trial/data/problem_data.h"

namespace warpwright {

// Throws Error (user) with the size of every argument when the problem does not fit.
void require_memory(const KernelSpec& kernel, const Device& device,
                    const Configuration& configuration, const ProblemRequest& request);

}  // namespace warpwright
