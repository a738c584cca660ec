// What a driver would refuse about a launch, and what follows from its shape.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "emu/emulator.h"

namespace warpwright::emu {

// How many threads or blocks a shape holds.
[[nodiscard]] std::uint64_t count(const std::array<std::uint32_t, 3>& shape);

// The shape that the kernel was compiled for, else that of the launch.
[[nodiscard]] std::array<std::uint32_t, 3> cluster_shape(const Launch& launch,
                                                         const Module::Entry& entry);

// A kInvalidLaunch with the number requested and the limit; nothing when the launch may run.
// `entry` is null when the module has none of that name.
[[nodiscard]] std::optional<LaunchFault> check_launch(const DeviceModel& device,
                                                      const Launch& launch,
                                                      const Module::Entry* entry);

// What setmaxnreg counts from: the cubin's figure, else the most that __launch_bounds__ would
// leave.
[[nodiscard]] int registers_per_thread(const Launch& launch, std::uint32_t threads);

}  // namespace warpwright::emu
