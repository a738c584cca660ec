// A device's identity and limits. Workers that open devices fill it in; the orchestrator, the
// database and exported headers only use this.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/expr/value.h"

namespace warpwright {

struct DeviceInfo {
  std::string id;              // "cuda:0", "emu:sm_90a": the value of --device
  std::string name;            // "NVIDIA H200", "emulated NVIDIA H200"
  std::string arch;            // the target of the compiler: "sm_90a"
  bool has_clock = false;      // times are measured; otherwise they are modelled
  bool counts_energy = false;  // Device::energy_mj() has values
  std::string uuid;            // "GPU-…"; for the emulator, constant per arch and version
  std::string driver;          // "580.159.04"; "emulator <version>" for the emulator
  int sm_count = 0;
  std::int64_t global_bytes = 0;
  std::int64_t l2_bytes = 0;
  int max_threads_per_block = 0;
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int registers_per_sm = 0;
  int registers_per_block = 0;
  int max_shared_per_block = 0;  // with opt-in
  int shared_per_sm = 0;
  int warp_size = 32;
  int compute_capability = 0;  // 90
  int max_sm_clock_mhz = 0;
  int memory_clock_mhz = 0;
  int memory_bus_bits = 0;
  bool ecc = false;  // memory corrects errors, which slows down some memories
  // For a device without a clock: the best its time model can reach, in GB/s or GFLOP/s under the
  // names of core/shared_names.h.
  std::map<std::string, double> model_ceilings;

  // Names for expressions: max_shared, max_shared_per_block, max_threads, warp_size, sm_count,
  // registers_per_sm, registers_per_block, l2_bytes, compute_capability, global_bytes; each to be
  // used as `device.<name>`.
  [[nodiscard]] std::map<std::string, Value> limits() const;
  // SHA-256 of the properties that make results comparable: uuid, name, arch, limits, driver.
  [[nodiscard]] std::string fingerprint() const;
  // SHA-256 of all properties that GPUs of one kind have in common: name, arch, driver, limits
  // (including memory and multiprocessors, which differ between parts of a GPU), clocks, memory bus
  // and ECC. Such GPUs run the same code, at almost the same speed.
  [[nodiscard]] std::string kind() const;
};
void to_json(nlohmann::json& json, const DeviceInfo& info);
void from_json(const nlohmann::json& json, DeviceInfo& info);

}  // namespace warpwright
