#include "trial/timing/hot_rotation.h"

#include <algorithm>

#include "trial/timing/moved_launches.h"

namespace warpwright {
namespace {

// More sets of buffers have no further effect; only tiny problems reach this number.
constexpr std::size_t kMostSets = 64;

// The number of sets of buffers that together exceed twice the size of L2, as far as memory allows.
std::size_t wanted_sets(Device& device, const ProblemData& data) {
  const std::size_t bytes = std::max<std::size_t>(data.device_bytes(), 1);
  const auto l2 = static_cast<std::size_t>(std::max<std::int64_t>(device.info().l2_bytes, 0));
  const std::size_t wanted = 2 * l2 / bytes + 1;
  const std::size_t affordable = 1 + device.free_bytes() / 2 / bytes;
  return std::min({wanted, affordable, kMostSets});
}

}  // namespace

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
