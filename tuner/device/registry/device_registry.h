// The devices of this machine, of every kind, and opening one of them by its id.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace warpwright {

// Every device of this machine: CUDA GPUs first, then one emulated device per model. Creates no
// CUDA context.
[[nodiscard]] std::vector<DeviceInfo> list_devices();
// Why there is no CUDA device here ("libcuda.so.1 not found", "driver reports no device"); empty
// when there is one.
[[nodiscard]] std::string why_no_cuda();
// Opens "cuda:N" or "emu:<model>". `threads` is used by the emulator (0: one per core). Throws
// Error (user) on an unknown id, with the ids that exist; Error (environment) when the device
// cannot be opened.
[[nodiscard]] std::unique_ptr<Device> open_device(const std::string& id, int threads = 0);

}  // namespace warpwright
