// What a trial keeps of an entry that it launched: the compiler's figures and what the launch adds.
// Bytes unless named otherwise; absent where there is none, or one too large for any compiler to
// report.
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
// Only the members that are known.
void to_json(nlohmann::json& json, const EntryResources& resources);
void from_json(const nlohmann::json& json, EntryResources& resources);

using TrialResources = std::vector<EntryResources>;

}  // namespace warpwright
