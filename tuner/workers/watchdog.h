// How long things may take before they count as hung. The device ends a launch that runs too long
// (and says so: that is a result); a worker that falls silent is the last resort, for one that is
// stuck in the driver where no limit of its own reaches.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "device/device.h"

namespace warpwright {

// For each launch. On a device with a clock: 2 s or 20 times the board's best known time, whichever
// is longer; 10 s while none is known. An emulated launch is bounded by its instructions, which
// every machine counts alike; its time limit covers what the count does not see.
[[nodiscard]] std::chrono::milliseconds launch_time_limit(const DeviceInfo& device,
                                                          std::optional<double> best_us);

// How long a worker may be silent after entering a phase (measure_worker.h; "" before the first): a
// launch's limit and the checks around it, but `patience` while it makes inputs or runs the
// reference, which nothing bounds.
[[nodiscard]] std::chrono::milliseconds silence_limit(std::string_view phase,
                                                      std::chrono::milliseconds launch_limit,
                                                      std::chrono::milliseconds patience);

// The phase is the contract's work, not the kernel's: what goes wrong there is no configuration's
// fault.
[[nodiscard]] bool is_contract_phase(std::string_view phase);
// "while checking results"; "" before the first phase.
[[nodiscard]] std::string_view describe_phase(std::string_view phase);

}  // namespace warpwright
