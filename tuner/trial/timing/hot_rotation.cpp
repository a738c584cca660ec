#include "trial/timing/hot_rotation.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace warpwright {
namespace {

// More sets of buffers than these add nothing; only tiny problems use that many.
constexpr std::size_t kMostSets = 64;

// Enough sets of buffers that what is in flight exceeds twice L2, as far as memory allows.
std::size_t wanted_sets(Device& device, const ProblemData& data) {
  const std::size_t bytes = std::max<std::size_t>(data.device_bytes(), 1);
  const auto l2 = static_cast<std::size_t>(std::max<std::int64_t>(device.info().l2_bytes, 0));
  const std::size_t wanted = 2 * l2 / bytes + 1;
  const std::size_t affordable = 1 + device.free_bytes() / 2 / bytes;
  return std::min({wanted, affordable, kMostSets});
}

// The launches on another set of buffers. Pointers are found by value: an argument of eight bytes
// that equals the address of an array is that array. Tensor maps are encoded for the other array.
LaunchSequence moved(Device& device, const std::vector<DeviceLaunch>& launches,
                     const BufferSet& set) {
  LaunchSequence sequence = launches;
  for (DeviceLaunch& launch : sequence) {
    for (std::vector<std::byte>& argument : launch.arguments) {
      std::uint64_t value = 0;
      if (argument.size() != sizeof value) continue;
      std::memcpy(&value, argument.data(), sizeof value);
      const auto found = set.moved.find(value);
      if (found != set.moved.end())
        std::memcpy(argument.data(), &found->second, sizeof found->second);
    }
    for (TensorMapArgument& map : launch.tensor_maps) {
      const auto found = set.moved.find(map.array);
      if (found == set.moved.end()) continue;
      map.request.address += found->second - map.array;
      map.array = found->second;
      const EncodedTensorMap encoded = device.encode(map.request);
      WARPWRIGHT_CHECK(encoded.status == Status::kOk,
                       "a tensor map that was encoded for one array can be for its copy");
      launch.arguments[map.argument].assign(encoded.bytes.begin(), encoded.bytes.end());
    }
  }
  return sequence;
}

}  // namespace

HotRotation make_hot_rotation(Device& device, const TrialValidation& check, ProblemData& data) {
  HotRotation rotation;
  const std::vector<DeviceLaunch>& launches = check.launches();
  rotation.request.mode = TimingMode::kHot;
  rotation.request.rotation = {launches};
  const std::size_t wanted = wanted_sets(device, data);
  for (std::size_t i = 1; i < wanted; ++i) {
    rotation.sets.push_back(data.copy_buffers());
    rotation.request.rotation.push_back(moved(device, launches, rotation.sets.back()));
  }
  return rotation;
}

}  // namespace warpwright
