// The device resources of a trial's entry points, over all launches of a configuration.
#pragma once

#include <optional>

#include "records/entry_resources.h"

namespace warpwright {

// Each is nullopt if the compiler gave no figure.
struct ResourceSummary {
  std::optional<int> registers;     // per thread, the largest
  std::optional<int> shared_bytes;  // per block, static and dynamic, the largest
  std::optional<int> spill_bytes;   // per thread, stores and loads, summed
};

[[nodiscard]] ResourceSummary summarise_resources(const TrialResources& resources);

}  // namespace warpwright
