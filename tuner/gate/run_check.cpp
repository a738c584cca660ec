// check_baseline() through worker processes.
#include <fmt/format.h>

#include "core/error.h"
#include "core/progress.h"
#include "gate/check.h"
#include "gate/worker_world.h"
#include "run/device_query.h"

namespace warpwright {

GateReport run_check(const CheckOptions& options, const Paths& paths) {
  const Baseline baseline = read_baseline(options.baseline);
  const std::vector<DeviceInfo> devices = select_devices(query_devices(), options.device);
  if (devices.size() != 1) {
    throw user_error(fmt::format(
        "--device {}: expected one device, got {}; check one at a time, such as --device cuda:0",
        options.device, devices.size()));
  }
  ProgressOptions progress_options;
  progress_options.title = "check";
  progress_options.terminal = stderr_is_rich_terminal();
  progress_options.quiet = options.quiet;
  Progress progress(progress_options);
  const WorkerWorldOptions workers{options.seed, options.compile_workers, options.emulator_workers};
  const GateWorld world = make_worker_world(devices.front(), paths, workers, progress);
  GateReport report = check_baseline(world, options, baseline, paths);
  progress.finish();
  return report;
}

}  // namespace warpwright
