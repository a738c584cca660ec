// The SM resources that a compiled entry needs, as reported by ptxas, and the stored resources of
// an entry that a trial launched.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

// ptxas figures of one entry. Bytes unless named otherwise.
struct KernelResources {
  std::string entry;
  int registers = 0;      // per thread
  int static_shared = 0;  // per block
  int constant = 0;
  int stack = 0;         // per thread
  int spill_stores = 0;  // per thread
  int spill_loads = 0;   // per thread
};

void to_json(nlohmann::json& json, const KernelResources& resources);
void from_json(const nlohmann::json& json, KernelResources& resources);

// The stored resources of an entry that a trial launched: the compiler's figures and those of the
// launch. Bytes unless named otherwise. A figure is absent if it is missing, or too large for any
// compiler to report.
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
