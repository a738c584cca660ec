#include "records/device_info.h"

#include "core/hash.h"
#include "records/codec.h"

namespace warpwright {

std::map<std::string, Value> DeviceInfo::limits() const {
  return {
      {"max_shared", max_shared_per_block},
      {"max_shared_per_block", max_shared_per_block},
      {"max_threads", max_threads_per_block},
      {"warp_size", warp_size},
      {"sm_count", sm_count},
      {"registers_per_sm", registers_per_sm},
      {"registers_per_block", registers_per_block},
      {"l2_bytes", l2_bytes},
      {"compute_capability", compute_capability},
      {"global_bytes", global_bytes},
  };
}

std::string DeviceInfo::fingerprint() const {
  Sha256 hash;
  hash.field("device-1").field(uuid).field(name).field(arch).field(driver);
  for (const auto& [limit, value] : limits()) hash.field(limit).field(value.to_string());
  return hash.hex();
}

std::string DeviceInfo::kind() const {
  Sha256 hash;
  hash.field("kind-1").field(name).field(arch).field(driver);
  for (const auto& [limit, value] : limits()) hash.field(limit).field(value.to_string());
  for (const int figure : {has_clock ? 1 : 0, max_sm_clock_mhz, memory_clock_mhz, memory_bus_bits,
                           max_threads_per_sm, max_blocks_per_sm, shared_per_sm, ecc ? 1 : 0})
    hash.field(std::to_string(figure));
  return hash.hex();
}

void to_json(nlohmann::json& json, const DeviceInfo& info) {
  json = {{"id", info.id},
          {"name", info.name},
          {"arch", info.arch},
          {"has_clock", info.has_clock},
          {"uuid", info.uuid},
          {"driver", info.driver},
          {"sm_count", info.sm_count},
          {"global_bytes", info.global_bytes},
          {"l2_bytes", info.l2_bytes},
          {"max_threads_per_block", info.max_threads_per_block},
          {"max_threads_per_sm", info.max_threads_per_sm},
          {"max_blocks_per_sm", info.max_blocks_per_sm},
          {"registers_per_sm", info.registers_per_sm},
          {"registers_per_block", info.registers_per_block},
          {"max_shared_per_block", info.max_shared_per_block},
          {"shared_per_sm", info.shared_per_sm},
          {"warp_size", info.warp_size},
          {"compute_capability", info.compute_capability},
          {"max_sm_clock_mhz", info.max_sm_clock_mhz},
          {"memory_clock_mhz", info.memory_clock_mhz},
          {"memory_bus_bits", info.memory_bus_bits}};
  if (info.counts_energy) json["counts_energy"] = true;
  if (info.ecc) json["ecc"] = true;
  if (!info.model_ceilings.empty()) json["model_ceilings"] = info.model_ceilings;
}

// Members that a column does not contain are 0 or empty.
void from_json(const nlohmann::json& json, DeviceInfo& info) {
  info = DeviceInfo{};
  info.warp_size = 0;
  read_member(json, "id", info.id);
  read_member(json, "name", info.name);
  read_member(json, "arch", info.arch);
  read_member(json, "has_clock", info.has_clock);
  read_member(json, "counts_energy", info.counts_energy);
  read_member(json, "uuid", info.uuid);
  read_member(json, "driver", info.driver);
  read_member(json, "sm_count", info.sm_count);
  read_member(json, "global_bytes", info.global_bytes);
  read_member(json, "l2_bytes", info.l2_bytes);
  read_member(json, "max_threads_per_block", info.max_threads_per_block);
  read_member(json, "max_threads_per_sm", info.max_threads_per_sm);
  read_member(json, "max_blocks_per_sm", info.max_blocks_per_sm);
  read_member(json, "registers_per_sm", info.registers_per_sm);
  read_member(json, "registers_per_block", info.registers_per_block);
  read_member(json, "max_shared_per_block", info.max_shared_per_block);
  read_member(json, "shared_per_sm", info.shared_per_sm);
  read_member(json, "warp_size", info.warp_size);
  read_member(json, "compute_capability", info.compute_capability);
  read_member(json, "max_sm_clock_mhz", info.max_sm_clock_mhz);
  read_member(json, "memory_clock_mhz", info.memory_clock_mhz);
  read_member(json, "memory_bus_bits", info.memory_bus_bits);
  read_member(json, "ecc", info.ecc);
  const auto rates = json.find("model_ceilings");
  if (rates == json.end() || !rates->is_object()) return;
  for (const auto& [name, rate] : rates->items())
    if (rate.is_number()) info.model_ceilings[name] = rate.get<double>();
}

}  // namespace warpwright
