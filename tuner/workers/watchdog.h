// Defines how long operations may take before they count as hung. The device ends a launch that
// runs too long and reports it, which is a result. Killing a silent worker is the last resort, for
// a worker that is stuck in the driver, where its own limits do not apply.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "device/device.h"

namespace warpwright {

// Returns the time limit of each launch. On a device with a clock: 2 s or 20 times the board's best
// known time, whichever is longer; 10 s while no time is known. An emulated launch is bounded by
// its instruction count, which is the same on every machine; its time limit covers work that is not
// counted.
[[nodiscard]] std::chrono::milliseconds launch_time_limit(const DeviceInfo& device,
                                                          std::optional<double> best_us);

// Returns how long a worker may be silent after entering a phase (measure_worker.h; "" before the
// first): the limit of a launch and of the checks around it, but `patience` while it makes inputs
// or runs the reference, which nothing else bounds.
[[nodiscard]] std::chrono::milliseconds silence_limit(std::string_view phase,
                                                      std::chrono::milliseconds launch_limit,
                                                      std::chrono::milliseconds patience);

// Returns whether the phase is the contract's work, not the kernel's: a failure there is not the
// fault of any configuration.
[[nodiscard]] bool is_contract_phase(std::string_view phase);
// "while checking results"; "" before the first phase.
[[nodiscard]] std::string_view describe_phase(std::string_view phase);

}  // namespace warpwright
