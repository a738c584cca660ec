#include "trial/timing/moved_launches.h"

#include <cstring>

#include "core/error.h"

namespace warpwright {

LaunchSequence moved_launches(Device& device, const LaunchSequence& launches,
                              const std::map<std::uint64_t, std::uint64_t>& moved) {
  LaunchSequence sequence = launches;
  for (DeviceLaunch& launch : sequence) {
    for (std::vector<std::byte>& argument : launch.arguments) {
      std::uint64_t value = 0;
      if (argument.size() != sizeof value) continue;
      std::memcpy(&value, argument.data(), sizeof value);
      const auto found = moved.find(value);
      if (found != moved.end()) std::memcpy(argument.data(), &found->second, sizeof found->second);
    }
    for (TensorMapArgument& map : launch.tensor_maps) {
      const auto found = moved.find(map.array);
      if (found == moved.end()) continue;
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

TimedSequence moved_sequence(Device& device, const TimedSequence& sequence, const BufferSet& set) {
  TimedSequence moved = sequence;
  moved.launches = moved_launches(device, sequence.launches, set.moved);
  for (PoisonedRegion& region : moved.poison) {
    if (const auto copy = set.copies.find(region.buffer); copy != set.copies.end())
      region.buffer = copy->second;
  }
  for (ExpectedOutput& output : moved.outputs) {
    if (const auto copy = set.copies.find(output.buffer); copy != set.copies.end())
      output.buffer = copy->second;
  }
  // The check examines the content of the original buffers only.
  moved.examine = {};
  return moved;
}

}  // namespace warpwright
