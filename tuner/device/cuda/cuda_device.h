// NVIDIA GPUs through the driver API.
#pragma once

#include <memory>
#include <vector>

#include "device/cuda/driver.h"
#include "device/device.h"

namespace warpwright::cuda {

// Every GPU the driver shows; creates no context.
[[nodiscard]] std::vector<DeviceInfo> list_cuda_devices(
    const std::shared_ptr<const Driver>& driver);
// Creates the context. Throws Error (environment).
[[nodiscard]] std::unique_ptr<Device> open_cuda_device(std::shared_ptr<const Driver> driver,
                                                       int ordinal);

}  // namespace warpwright::cuda
