// Sweeps that are longer, and on more GPUs, than a recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sweep/sweep_plan.h"

namespace warpwright::testing {

// A problem's size that no kernel has, and its repetitions do; the compiler gets it, so that code
// is not shared.
constexpr const char* kRepetition = "simulated_copy";

// Repeats the boards of the plan this many times, each time as another problem with its own code;
// the strategy of a repetition is the plan's.
void repeat_boards(SweepPlan& plan, std::size_t boards, std::uint64_t seed);
// GPUs like `first`, with ids and identities of their own.
[[nodiscard]] std::vector<DeviceInfo> like_devices(const DeviceInfo& first, std::size_t count);

}  // namespace warpwright::testing
