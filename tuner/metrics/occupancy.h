// How many of an SM's threads can be resident with one entry's blocks: the theoretical occupancy,
// by the rules of the CUDA occupancy calculator for compute capability 7.0 and up.
#pragma once

#include <optional>

#include "records/device_info.h"
#include "records/entry_resources.h"

namespace warpwright {

// 0 to 1, 0 where not even one block fits; nullopt when a figure that it needs is not known.
[[nodiscard]] std::optional<double> occupancy(const EntryResources& entry,
                                              const DeviceInfo& device);

}  // namespace warpwright
