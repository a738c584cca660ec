// Tensor maps by the driver: cuTensorMapEncodeTiled on a request of device/tensor_map.h. Encoding
// runs on the host alone, so end-to-end timing without prepared launches includes it.
#pragma once

#include "device/cuda/driver.h"
#include "device/device.h"

namespace warpwright::cuda {

// Encodes a request that obeys the rules. The status is kInvalid, with the driver's error, if the
// driver refuses it nevertheless.
[[nodiscard]] EncodedTensorMap encode_tensor_map(const Driver& driver,
                                                 const TensorMapRequest& request);

// Encodes every tensor map of the launch into its arguments, bypassing any cache. Returns false,
// with the reason in `failure`, when the driver refuses one.
[[nodiscard]] bool encode_tensor_maps(const Driver& driver, DeviceLaunch& launch,
                                      LaunchResult& failure);

}  // namespace warpwright::cuda
