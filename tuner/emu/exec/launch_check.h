// Checks of a launch that a driver would make, and values derived from its shape.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "emu/emulator.h"

namespace warpwright::emu {

// The number of threads or blocks of a shape.
[[nodiscard]] std::uint64_t count(const std::array<std::uint32_t, 3>& shape);

// The cluster shape that the kernel was compiled for, else the shape of the launch.
[[nodiscard]] std::array<std::uint32_t, 3> cluster_shape(const Launch& launch,
                                                         const Module::Entry& entry);

// Returns a kInvalidLaunch with the requested number and the limit; nullopt when the launch may
// run. `entry` is null when the module has no entry of that name.
[[nodiscard]] std::optional<LaunchFault> check_launch(const DeviceModel& device,
                                                      const Launch& launch,
                                                      const Module::Entry* entry);

// The registers that setmaxnreg starts from: the number in the cubin, else the maximum that
// __launch_bounds__ would leave.
[[nodiscard]] int registers_per_thread(const Launch& launch, std::uint32_t threads);

}  // namespace warpwright::emu
