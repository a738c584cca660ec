// A device with a clock that is never opened: for engines whose workers are scripted or simulated.
#pragma once

#include "records/device_info.h"

namespace warpwright::testing {

inline DeviceInfo fake_gpu() {
  DeviceInfo device;
  device.id = "fake:0";
  device.name = "fake";
  device.arch = "sm_90a";
  device.has_clock = true;
  device.max_threads_per_block = 1024;
  device.registers_per_block = 65536;
  return device;
}

}  // namespace warpwright::testing
