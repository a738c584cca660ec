// The processors that this process may run on: taskset, a container or a batch system may have left
// it a part of the machine, of which std::thread::hardware_concurrency() knows nothing.
#pragma once

#include <vector>

namespace warpwright {

// Their numbers, ascending; of the calling thread. Empty where the system does not say.
[[nodiscard]] std::vector<int> usable_processors();
// How many, at least 1; all of the machine where the system does not say.
[[nodiscard]] int usable_cores();

}  // namespace warpwright
