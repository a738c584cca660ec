// The arguments of the launches of a TrialValidation: the bytes of scalars, addresses and tensor
// maps.
#include <fmt/format.h>

#include <cstring>

#include "core/error.h"
#include "trial/tensor_map_plan.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {

std::uint64_t TrialValidation::array_address(const ArgumentSpec& argument) {
  if (argument.role == ArgumentRole::kScratch) return scratch_->address(argument, environment_);
  const std::optional<std::uint64_t> address = data_.address(argument.name);
  WARPWRIGHT_CHECK(address.has_value(), "every tensor argument has a buffer");
  return *address;
}

std::vector<std::byte> TrialValidation::tensor_map_bytes(const ArgumentSpec& argument,
                                                         DeviceLaunch& launch) {
  TensorMapPlan plan = plan_tensor_map(kernel_, argument, environment_);
  TensorMapArgument map;
  map.argument = launch.arguments.size();
  map.array = array_address(*plan.tensor);
  map.request = std::move(plan.request);
  map.request.address += map.array;
  // The rules were checked before the device was touched, but a driver may apply further ones.
  const EncodedTensorMap encoded = device_.encode(map.request);
  if (encoded.status != Status::kOk && encode_failure_.empty())
    encode_failure_ = fmt::format("tensor map '{}': {}", argument.name, encoded.reason);
  // The request is kept with the bytes, because moving the launch to other buffers encodes it
  // again.
  launch.tensor_maps.push_back(std::move(map));
  return {encoded.bytes.begin(), encoded.bytes.end()};
}

std::vector<std::byte> TrialValidation::argument_bytes(const ArgumentSpec& argument,
                                                       DeviceLaunch& launch) {
  if (argument.role == ArgumentRole::kValue) return value_bytes(argument, environment_);
  if (argument.role == ArgumentRole::kTensorMap) return tensor_map_bytes(argument, launch);
  const std::uint64_t address = array_address(argument);
  std::vector<std::byte> bytes(sizeof address);
  std::memcpy(bytes.data(), &address, bytes.size());
  return bytes;
}

}  // namespace warpwright
