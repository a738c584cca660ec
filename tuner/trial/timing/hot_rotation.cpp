#include "trial/timing/hot_rotation.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace warpwright {
namespace {

// More sets of buffers have no further effect; only tiny problems reach this number.
constexpr std::size_t kMaxSets = 64;

// The number of sets of buffers that together exceed twice the size of L2, as far as memory allows.
std::size_t wanted_sets(Device& device, const ProblemData& data) {
  const std::size_t bytes = std::max<std::size_t>(data.device_bytes(), 1);
  const auto l2 = static_cast<std::size_t>(std::max<std::int64_t>(device.info().l2_bytes, 0));
  const std::size_t wanted = 2 * l2 / bytes + 1;
  const std::size_t affordable = 1 + device.free_bytes() / 2 / bytes;
  return std::min({wanted, affordable, kMaxSets});
}

}  // namespace

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

HotRotation make_hot_rotation(Device& device, const ValidatedLaunches& check) {
  HotRotation rotation;
  rotation.request.mode = TimingMode::kHot;
  std::vector<TimedSequence>& sequences = rotation.request.rotation;
  sequences = check.timed_sequences();
  // A chain writes module variables once, so it cannot switch between different contents.
  const bool given =
      std::any_of(check.launches().begin(), check.launches().end(),
                  [](const DeviceLaunch& launch) { return !launch.variables.empty(); });
  if (given) sequences.resize(1);
  // Chains restore nothing: every launch must leave scratch with a fill ready for the next.
  for (TimedSequence& sequence : sequences) sequence.restore.clear();
  const std::size_t sets = sequences.size();
  const std::size_t wanted = std::max(wanted_sets(device, check.inputs().first()), sets);
  for (std::size_t i = sets; i < wanted; ++i) {
    ProblemData& data = i % sets == 0 ? check.inputs().first() : *check.inputs().other();
    rotation.sets.push_back(data.copy_buffers());
    sequences.push_back(moved_sequence(device, sequences[i % sets], rotation.sets.back()));
  }
  return rotation;
}

}  // namespace warpwright
