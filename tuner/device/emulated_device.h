// The emulator as a Device: it has no clock, checks every access, and never loses its context.
// Modelled time and counters come with every launch.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace warpwright {

[[nodiscard]] std::vector<DeviceInfo> list_emulated_devices();
// Null when no model has this id ("sm_90a", "h100"). `threads` is the number of host threads; 0 is
// one per core.
[[nodiscard]] std::unique_ptr<Device> open_emulated_device(const std::string& id, int threads);

}  // namespace warpwright
