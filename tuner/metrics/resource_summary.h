// What a trial's entry points need from the device, over all launches of a configuration.
#pragma once

#include <optional>

#include "records/entry_resources.h"

namespace warpwright {

// nullopt where the compiler gave no figure.
struct ResourceSummary {
  std::optional<int> registers;     // per thread, the largest
  std::optional<int> shared_bytes;  // per block, static and dynamic, the largest
  std::optional<int> spill_bytes;   // per thread, stores and loads, summed
};

[[nodiscard]] ResourceSummary summarise_resources(const TrialResources& resources);

}  // namespace warpwright
