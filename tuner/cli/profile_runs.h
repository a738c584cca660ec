// Runs of configurations on an emulated device, for the verbs `profile` and `describe`: the
// compilers and inputs that they need, and the problem and device that they run on by default.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/profile.h"
#include "records/configuration.h"
#include "records/device_info.h"
#include "spec/kernel_spec.h"
#include "workers/paths.h"
#include "workers/worker_world.h"

namespace warpwright {

// Profiles many configurations of one kernel on an emulated device, and compiles a few ahead of the
// runs.
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

// The problem in the text of --problem, else the first that configs/KERNEL.yaml has for emulated
// devices; nullopt if there is neither. Throws Error (user) for a text that does not fit the
// kernel.
[[nodiscard]] std::optional<Problem> find_profiled_problem(const KernelSpec& kernel,
                                                           const std::string& text,
                                                           const Paths& paths);
// The same; throws Error (user) that asks for --problem if there is neither.
[[nodiscard]] Problem profiled_problem(const KernelSpec& kernel, const std::string& text,
                                       const Paths& paths);

// The single emulated device that --device names. `what` begins the message for others: "profile
// counts". Throws Error (user).
[[nodiscard]] DeviceInfo emulated_device(const std::string& wanted, const std::string& what);

}  // namespace warpwright
