// What a trial's entries need of the device, read back from the JSON that is stored with it.
#pragma once

#include <optional>
#include <string>

namespace warpwright {

// Over all launches of a configuration; nullopt where the compiler gave no figure.
struct ResourceSummary {
  std::optional<int> registers;     // per thread, the largest
  std::optional<int> shared_bytes;  // per block, static and dynamic, the largest
  std::optional<int> spill_bytes;   // per thread, stores and loads, summed
};

// `resources_json` holds one object per entry, in an array or by name: {"registers",
// "static_shared", "dynamic_shared", "spill_stores", "spill_loads"}. "" gives no figures; anything
// else that is not JSON throws Error (user).
[[nodiscard]] ResourceSummary summarise_resources(const std::string& resources_json);

}  // namespace warpwright
