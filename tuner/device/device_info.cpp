#include <nlohmann/json.hpp>

#include "core/hash.h"
#include "device/device.h"

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
  if (!info.model_ceilings.empty()) json["model_ceilings"] = info.model_ceilings;
}

void from_json(const nlohmann::json& json, DeviceInfo& info) {
  json.at("id").get_to(info.id);
  json.at("name").get_to(info.name);
  json.at("arch").get_to(info.arch);
  json.at("has_clock").get_to(info.has_clock);
  json.at("uuid").get_to(info.uuid);
  json.at("driver").get_to(info.driver);
  json.at("sm_count").get_to(info.sm_count);
  json.at("global_bytes").get_to(info.global_bytes);
  json.at("l2_bytes").get_to(info.l2_bytes);
  json.at("max_threads_per_block").get_to(info.max_threads_per_block);
  json.at("max_threads_per_sm").get_to(info.max_threads_per_sm);
  json.at("max_blocks_per_sm").get_to(info.max_blocks_per_sm);
  json.at("registers_per_sm").get_to(info.registers_per_sm);
  json.at("registers_per_block").get_to(info.registers_per_block);
  json.at("max_shared_per_block").get_to(info.max_shared_per_block);
  json.at("shared_per_sm").get_to(info.shared_per_sm);
  json.at("warp_size").get_to(info.warp_size);
  json.at("compute_capability").get_to(info.compute_capability);
  json.at("max_sm_clock_mhz").get_to(info.max_sm_clock_mhz);
  json.at("memory_clock_mhz").get_to(info.memory_clock_mhz);
  json.at("memory_bus_bits").get_to(info.memory_bus_bits);
  if (const auto rates = json.find("model_ceilings"); rates != json.end())
    rates->get_to(info.model_ceilings);
}

}  // namespace warpwright
