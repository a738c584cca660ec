// Launches on other buffers than those that they were prepared for: one by one, or back to back on
// several copies of a problem's buffers, so that a launch does not find its own data in L2.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/device.h"
#include "trial/data/problem_data.h"
#include "trial/validation/validated_launches.h"

namespace warpwright {

// Launches are redirected by the values of their arguments: one of eight bytes that equals the
// address of an array is that array. Tensor maps are encoded for the other array. The sources of
// module variables stay unchanged.

// `moved` maps the address of an array to the address of its replacement, a multiple of 16 bytes.
[[nodiscard]] LaunchSequence moved_launches(Device& device, const LaunchSequence& launches,
                                            const std::map<std::uint64_t, std::uint64_t>& moved);

// Returns the sequence on the buffers of a set instead of those that the set was copied from.
[[nodiscard]] TimedSequence moved_sequence(Device& device, const TimedSequence& sequence,
                                           const BufferSet& set);

// Launches run back to back on several copies of a problem's buffers. The copies take turns over
// the input sets.
struct HotRotation {
  TimingRequest request;        // of TimingMode::kHot
  std::vector<BufferSet> sets;  // the copies; must outlive plans of the request
  // The number of copies. Together they exceed twice the size of L2, as far as memory allows.
  [[nodiscard]] std::size_t size() const { return request.rotation.size(); }
};
// Requires a kernel without in-out arguments, because nothing restores those in a chain.
[[nodiscard]] HotRotation make_hot_rotation(Device& device, const ValidatedLaunches& check);

}  // namespace warpwright
