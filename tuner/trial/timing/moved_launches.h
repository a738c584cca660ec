// Redirects launches to other buffers than those that they were prepared for. Pointers are found by
// value: an argument of eight bytes that equals the address of an array is that array. Tensor maps
// are encoded for the other array. The sources of module variables stay unchanged.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "device/device.h"
#include "trial/data/problem_data.h"

namespace warpwright {

// `moved` maps the address of an array to the address of its replacement, a multiple of 16 bytes.
[[nodiscard]] LaunchSequence moved_launches(Device& device, const LaunchSequence& launches,
                                            const std::map<std::uint64_t, std::uint64_t>& moved);

// Returns the sequence on the buffers of a set instead of those that the set was copied from.
[[nodiscard]] TimedSequence moved_sequence(Device& device, const TimedSequence& sequence,
                                           const BufferSet& set);

}  // namespace warpwright
