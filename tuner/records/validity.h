// The conditions under which samples were taken: clocks, throttling, other processes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

// The state of the device around each block of samples. Nothing was observed when `blocks` is 0.
struct Validity {
  int blocks = 0;   // kept and dropped ones
  int tagged = 0;   // the clock moved or the device was slowed down
  int retaken = 0;  // tagged blocks that were measured again
  int sm_clock_min_mhz = 0;
  int sm_clock_max_mhz = 0;
  std::vector<std::string> throttle;  // reasons as NVML names them, each once
  double power_w = 0;
  double temperature_c = 0;
  int other_processes = 0;  // on the same device
  // The median SM clock reported by samples of long kernels: under a power cap it is below the
  // clock that the driver reports before and after them.
  std::optional<int> clock_during_mhz;
};
void to_json(nlohmann::json& json, const Validity& validity);
void from_json(const nlohmann::json& json, Validity& validity);

}  // namespace warpwright
