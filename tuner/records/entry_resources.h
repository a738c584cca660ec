// The stored resources of an entry that a trial launched: the compiler's figures and those of the
// launch. Bytes unless named otherwise. A figure is absent if it is missing, or too large for any
// compiler to report.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "records/kernel_resources.h"

namespace warpwright {

struct EntryResources {
  std::string entry;
  std::optional<int> registers;       // per thread
  std::optional<int> static_shared;   // per block
  std::optional<int> dynamic_shared;  // per block, by the contract; only for trials that ran
  std::optional<int> constant;
  std::optional<int> stack;          // per thread
  std::optional<int> spill_stores;   // per thread
  std::optional<int> spill_loads;    // per thread
  std::optional<int> block_threads;  // by the contract; only for trials that ran

  EntryResources() = default;
  explicit EntryResources(const KernelResources& compiled);
};
// Contains only the known members.
void to_json(nlohmann::json& json, const EntryResources& resources);
void from_json(const nlohmann::json& json, EntryResources& resources);

using TrialResources = std::vector<EntryResources>;

}  // namespace warpwright
