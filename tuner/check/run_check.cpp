// Runs check_baseline() through worker processes.
#include <fmt/format.h>

#include "check/check.h"
#include "core/error.h"
#include "core/progress.h"
#include "workers/device_query.h"
#include "workers/worker_world.h"

namespace warpwright {

CheckReport run_check(const CheckOptions& options, const Paths& paths) {
  const Baseline baseline = read_baseline(options.baseline);
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), options.device);
  if (devices.size() != 1) {
    throw user_error(fmt::format(
        "--device {}: expected one device, got {}; check one at a time, such as --device cuda:0",
        options.device, devices.size()));
  }
  options.claim(devices.front());
  Progress progress(stderr_progress("check", options.quiet));
  const WorkerWorld world = make_worker_world(devices.front(), paths, options.workers, progress);
  CheckReport report = check_baseline(world, options, baseline, paths);
  progress.finish();
  return report;
}

}  // namespace warpwright
