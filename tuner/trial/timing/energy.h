// Measures the energy of one launch, using the device's energy counter while launches follow each
// other without a gap. The counter moves in steps of about 100 ms and takes milliseconds to read,
// so a second thread reads it and only whole steps count.
#pragma once

#include <chrono>
#include <optional>

#include "device/device.h"

namespace warpwright {

// The duration for which a counter is watched: four of its steps.
inline constexpr std::chrono::milliseconds kEnergyTime{450};

struct LaunchEnergy {
  double mj = 0;       // of one launch sequence
  double power_w = 0;  // mean, while the launches ran
};
// nullopt when the device has no counter, or it moved less than three times within
// `duration`, or the kernel failed. `plan` is a hot one. Device::energy_mj() is called from a
// second thread meanwhile.
[[nodiscard]] std::optional<LaunchEnergy> energy_of_launch(Device& device, TimingPlan& plan,
                                                           std::chrono::milliseconds duration);

}  // namespace warpwright
