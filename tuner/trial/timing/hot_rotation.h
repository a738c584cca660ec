// Launches run back to back on several copies of a problem's buffers, so that a launch does not
// find its own data in L2. The copies take turns over the input sets.
#pragma once

#include <vector>

#include "device/device.h"
#include "trial/data/problem_data.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

struct HotRotation {
  TimingRequest request;        // of TimingMode::kHot
  std::vector<BufferSet> sets;  // the copies; must outlive plans of the request
  // The number of copies. Together they exceed twice the size of L2, as far as memory allows.
  [[nodiscard]] std::size_t size() const { return request.rotation.size(); }
};
// Requires a kernel without in-out arguments, because nothing restores those in a chain.
[[nodiscard]] HotRotation make_hot_rotation(Device& device, const ValidatedLaunches& check);

}  // namespace warpwright
