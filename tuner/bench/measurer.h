// Where a benchmark's times come from: a measuring worker process that keeps one configuration
// loaded and returns cold samples in batches. This process never opens a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "workers/paths.h"

namespace warpwright {

// Samples in microseconds, each without the floor.
struct BenchBatch {
  std::string failure;  // why there are none; then the case is over
  std::vector<double> times_us;
  double floor_us = 0;
  std::string protocol;
  bool modelled = false;  // one time that every sample would repeat, not a measurement
};

class BenchMeasurer {
 public:
  virtual ~BenchMeasurer() = default;
  // Makes the case the one that take() samples: compiled, validated on the contract's cases and on
  // the problem, kept. Returns why it cannot be timed, or "". Asked again for the case it holds, or
  // for one that failed, it answers at once.
  virtual std::string prepare(const BenchCase& wanted) = 0;
  // At least one sample of the case unless it fails.
  virtual BenchBatch take(int samples) = 0;
  // Why the case is not right after its samples, or "".
  virtual std::string recheck() = 0;
};

// Of `device`. Starts its processes when they are first needed; a worker that hangs is killed, and
// one that dies is replaced for the next case. Throws Error (environment) from prepare() when no
// process can be started, and Error (user) when a contract is at fault.
[[nodiscard]] std::unique_ptr<BenchMeasurer> make_worker_measurer(const Paths& paths,
                                                                  const DeviceInfo& device);

// The NVRTC version that cases are compiled with: asked of a compile worker.
[[nodiscard]] std::string ask_nvrtc_version(const Paths& paths);

}  // namespace warpwright
