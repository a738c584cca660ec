// Profiles many configurations of one kernel on an emulated device, and compiles a few ahead of the
// runs.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/profile.h"
#include "records/problem.h"
#include "workers/blocking_compiler.h"
#include "workers/paths.h"

namespace warpwright {

class ProfileRuns {
 public:
  // `device` must be emulated. Starts compiler processes, which live as long as this object.
  ProfileRuns(Paths paths, DeviceInfo device);

  // Calls `take` for each configuration in order. Throws Error as Profiler does.
  void each(const KernelSpec& kernel, const Problem& problem,
            const std::vector<Configuration>& configurations, std::uint64_t seed,
            const ProfileOptions& options,
            const std::function<void(const Configuration&, const Profile&)>& take);

  [[nodiscard]] const DeviceInfo& device() const { return device_; }
  [[nodiscard]] const Paths& paths() const { return paths_; }

 private:
  Paths paths_;
  DeviceInfo device_;
  BlockingCompiler compiler_;
};

}  // namespace warpwright
