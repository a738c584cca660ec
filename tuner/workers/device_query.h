// Lists devices for the orchestrator through a short-lived worker process, so that the orchestrator
// itself never loads a driver.
#pragma once

#include <string>
#include <vector>

#include "device/device.h"

namespace warpwright {

struct DeviceList {
  std::vector<DeviceInfo> devices;  // CUDA first
  std::string why_no_cuda;          // empty when there is a CUDA device
};

// Throws Error (environment) when the worker cannot be started or dies.
[[nodiscard]] DeviceList query_devices();

// Returns the devices that --device names, each once: "auto" (the first CUDA GPU, else emu:sm_90a),
// "cuda:all", "cuda:1", "emu:sm_80", or several separated by commas, where a number alone is
// another GPU: "cuda:0,2". Throws Error (user) with the ids that exist.
[[nodiscard]] std::vector<DeviceInfo> select_devices(const DeviceList& list,
                                                     const std::string& wanted);

// The body of the `devices` worker.
int devices_worker_main();

}  // namespace warpwright
