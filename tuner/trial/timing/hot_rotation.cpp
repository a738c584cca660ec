#include "trial/timing/hot_rotation.h"

#include <algorithm>

#include "trial/timing/moved_launches.h"

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

}  // namespace

HotRotation make_hot_rotation(Device& device, const TrialValidation& check, ProblemData& data) {
  HotRotation rotation;
  const std::vector<DeviceLaunch>& launches = check.launches();
  rotation.request.mode = TimingMode::kHot;
  rotation.request.rotation = {launches};
  const std::size_t wanted = wanted_sets(device, data);
  for (std::size_t i = 1; i < wanted; ++i) {
    rotation.sets.push_back(data.copy_buffers());
    rotation.request.rotation.push_back(
        moved_launches(device, launches, rotation.sets.back().moved));
  }
  return rotation;
}

}  // namespace warpwright
