// The processors that this process may run on: taskset, a container or a batch system may restrict
// it to a part of the machine, which std::thread::hardware_concurrency() does not take into
// account.
#pragma once

#include <vector>

namespace warpwright {

// The numbers of the calling thread's processors, ascending. Empty if the system does not report
// them.
[[nodiscard]] std::vector<int> usable_processors();
// Their number, at least 1; all processors of the machine if the system does not report it.
[[nodiscard]] int usable_cores();

}  // namespace warpwright
