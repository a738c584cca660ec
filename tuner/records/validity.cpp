#include "records/validity.h"

#include "records/codec.h"

namespace warpwright {

void to_json(nlohmann::json& json, const Validity& validity) {
  json = {{"blocks", validity.blocks},
          {"tagged", validity.tagged},
          {"retaken", validity.retaken},
          {"sm_clock_min_mhz", validity.sm_clock_min_mhz},
          {"sm_clock_max_mhz", validity.sm_clock_max_mhz},
          {"throttle", validity.throttle},
          {"power_w", validity.power_w},
          {"temperature_c", validity.temperature_c},
          {"other_processes", validity.other_processes}};
  if (validity.clock_during_mhz) json["clock_during_mhz"] = *validity.clock_during_mhz;
}

void from_json(const nlohmann::json& json, Validity& validity) {
  read_member(json, "blocks", validity.blocks);
  read_member(json, "tagged", validity.tagged);
  read_member(json, "retaken", validity.retaken);
  read_member(json, "sm_clock_min_mhz", validity.sm_clock_min_mhz);
  read_member(json, "sm_clock_max_mhz", validity.sm_clock_max_mhz);
  read_member(json, "throttle", validity.throttle);
  read_member(json, "power_w", validity.power_w);
  read_member(json, "temperature_c", validity.temperature_c);
  read_member(json, "other_processes", validity.other_processes);
  read_member(json, "clock_during_mhz", validity.clock_during_mhz);
}

}  // namespace warpwright
