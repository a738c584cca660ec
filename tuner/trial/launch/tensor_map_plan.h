// Tensor maps of a contract, evaluated for one configuration on one problem: the request that the
// device encodes, or the reason why it cannot be encoded, with the place in the contract and the
// constraint that would have excluded the configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/expr/expr.h"
#include "device/device.h"
#include "records/status.h"
#include "spec/kernel_spec.h"

namespace warpwright {

struct TensorMapPlan {
  const ArgumentSpec* tensor = nullptr;  // the array that is viewed
  std::int64_t offset = 0;               // elements from the start of the array
  // Its address is the offset in bytes: add the start of the array. Arrays begin at multiples of
  // 256 bytes, so the alignment rules hold for both or for neither.
  TensorMapRequest request;
};

// Throws Error (user) when an expression cannot be evaluated: a fault of the contract.
[[nodiscard]] TensorMapPlan plan_tensor_map(const KernelSpec& kernel, const ArgumentSpec& argument,
                                            const Environment& environment);

// Why this map cannot be used; nullopt when it can. In addition to satisfying the rules of devices,
// the view must lie inside its array, and the device must support tensor maps.
[[nodiscard]] std::optional<FailureReason> impossible_tensor_map(const KernelSpec& kernel,
                                                                 const ArgumentSpec& argument,
                                                                 const Environment& environment,
                                                                 const DeviceInfo& device);

// The values of the map, for launch_identity().
[[nodiscard]] std::string describe_tensor_map(const TensorMapPlan& plan);

}  // namespace warpwright
