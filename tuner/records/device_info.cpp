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

WARPWRIGHT_MEMBERS(DeviceInfo, io, info) {
  io("id", info.id);
  io("name", info.name);
  io("arch", info.arch);
  io("has_clock", info.has_clock);
  io.unless_empty("counts_energy", info.counts_energy);
  io("uuid", info.uuid);
  io("driver", info.driver);
  io("sm_count", info.sm_count);
  io("global_bytes", info.global_bytes);
  io("l2_bytes", info.l2_bytes);
  io("max_threads_per_block", info.max_threads_per_block);
  io("max_threads_per_sm", info.max_threads_per_sm);
  io("max_blocks_per_sm", info.max_blocks_per_sm);
  io("registers_per_sm", info.registers_per_sm);
  io("registers_per_block", info.registers_per_block);
  io("max_shared_per_block", info.max_shared_per_block);
  io("shared_per_sm", info.shared_per_sm);
  io("warp_size", info.warp_size);
  io("compute_capability", info.compute_capability);
  io("max_sm_clock_mhz", info.max_sm_clock_mhz);
  io("memory_clock_mhz", info.memory_clock_mhz);
  io("memory_bus_bits", info.memory_bus_bits);
  io.unless_empty("ecc", info.ecc);
}

void to_json(nlohmann::json& json, const DeviceInfo& info) {
  MemberWriter writer(json);
  visit_members(std::type_identity<DeviceInfo>{}, writer, info);
  if (!info.model_ceilings.empty()) json["model_ceilings"] = info.model_ceilings;
}

// Members that a column does not contain are 0 or empty.
void from_json(const nlohmann::json& json, DeviceInfo& info) {
  info = DeviceInfo{};
  info.warp_size = 0;
  StoredMemberReader reader(json, "DeviceInfo");
  visit_members(std::type_identity<DeviceInfo>{}, reader, info);
  const auto rates = json.find("model_ceilings");
  if (rates == json.end() || !rates->is_object()) return;
  for (const auto& [name, rate] : rates->items())
    if (rate.is_number()) info.model_ceilings[name] = rate.get<double>();
}

}  // namespace warpwright
