// The share of an SM's threads that can be resident with one entry's blocks: the theoretical
// occupancy, by the rules of the CUDA occupancy calculator for compute capability 7.0 and up.
#pragma once

#include <optional>

#include "records/device_info.h"
#include "records/entry_resources.h"

namespace warpwright {

// 0 to 1, and 0 if not even one block fits; nullopt when a required figure is unknown.
[[nodiscard]] std::optional<double> occupancy(const EntryResources& entry,
                                              const DeviceInfo& device);

}  // namespace warpwright
