// Tensor maps of a contract, evaluated for one configuration on one problem: what the device is
// asked to encode, and why it could not be, said with the place in the contract and the constraint
// that would have excluded the configuration.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/expr/expr.h"
#include "device/device.h"
#include "records/failure_detail.h"
#include "spec/kernel_spec.h"

namespace warpwright {

struct TensorMapPlan {
  const ArgumentSpec* tensor = nullptr;  // the array that is viewed
  std::int64_t offset = 0;               // elements from the start of the array
  // With the offset in bytes for an address: add where the array begins. Arrays begin at multiples
  // of 256 bytes, so the rules hold for both or for neither.
  TensorMapRequest request;
};

// Throws Error (user) when an expression cannot be evaluated: a fault of the contract.
[[nodiscard]] TensorMapPlan plan_tensor_map(const KernelSpec& kernel, const ArgumentSpec& argument,
                                            const Environment& environment);

// Why this map cannot be used; nullopt when it can. Besides the rules of devices the view must lie
// inside its array, and the device must have tensor maps.
[[nodiscard]] std::optional<FailureReason> impossible_tensor_map(const KernelSpec& kernel,
                                                                 const ArgumentSpec& argument,
                                                                 const Environment& environment,
                                                                 const DeviceInfo& device);

// The values of the map, for launch_identity().
[[nodiscard]] std::string describe_tensor_map(const TensorMapPlan& plan);

}  // namespace warpwright
