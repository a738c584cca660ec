// The source of a benchmark's times: a measuring worker process that keeps one configuration loaded
// and returns cold samples in batches. This process never opens a device.
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
  bool modelled = false;  // a single time that applies to every sample, not a measurement
};

class BenchMeasurer {
 public:
  virtual ~BenchMeasurer() = default;
  // Selects the case that take() samples: compiles it, validates it on the contract's cases and on
  // the problem, and keeps it. Returns the reason why it cannot be timed, or "". A repeated call
  // for the kept case, or for one that failed, returns at once.
  virtual std::string prepare(const BenchCase& wanted) = 0;
  // Takes at least one sample of the case unless it fails.
  virtual BenchBatch take(int samples) = 0;
  // Returns why the results of the case are wrong after its samples, or "".
  virtual std::string recheck() = 0;
};

// Makes a measurer for `device`. It starts its processes when they are first needed; a worker that
// hangs is killed, and one that dies is replaced for the next case. Throws Error (environment) from
// prepare() when no process can be started, and Error (user) when a contract is at fault.
[[nodiscard]] std::unique_ptr<BenchMeasurer> make_worker_measurer(const Paths& paths,
                                                                  const DeviceInfo& device);

// The NVRTC version that cases are compiled with, queried from a compile worker.
[[nodiscard]] std::string ask_nvrtc_version(const Paths& paths);

}  // namespace warpwright
