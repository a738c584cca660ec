// Tensor maps by the driver: cuTensorMapEncodeTiled on a request of device/tensor_map.h. Encoding
// runs on the host alone, so it is part of what end-to-end timing without prepared launches shows.
#pragma once

#include "device/cuda/driver.h"
#include "device/device.h"

namespace warpwright::cuda {

// For a request that obeys the rules. kInvalid with the driver's error when it refuses even so.
[[nodiscard]] EncodedTensorMap encode_tensor_map(const Driver& driver,
                                                 const TensorMapRequest& request);

// Encodes every tensor map of the launch into its arguments, past any cache. False, with the reason
// in `failure`, when the driver refuses one.
[[nodiscard]] bool encode_tensor_maps(const Driver& driver, DeviceLaunch& launch,
                                      LaunchResult& failure);

}  // namespace warpwright::cuda
