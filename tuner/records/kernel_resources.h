// The SM resources that a compiled entry needs, as reported by ptxas.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

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

}  // namespace warpwright
