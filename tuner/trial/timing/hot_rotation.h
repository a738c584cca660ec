// Launches back to back on several copies of a problem's buffers, so that what one finds in L2 is
// not what it left there itself. The copies take turns over the input sets.
#pragma once

#include <vector>

#include "device/device.h"
#include "trial/data/problem_data.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

struct HotRotation {
  TimingRequest request;        // of TimingMode::kHot
  std::vector<BufferSet> sets;  // the copies; must outlive plans of the request
  // More than what is in flight fits into twice L2, as far as memory allows.
  [[nodiscard]] std::size_t size() const { return request.rotation.size(); }
};
// For kernels without in-out arguments: in a chain nothing restores those.
[[nodiscard]] HotRotation make_hot_rotation(Device& device, const ValidatedLaunches& check);

}  // namespace warpwright
