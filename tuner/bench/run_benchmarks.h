// Runs cases as benchmarks of Google Benchmark, with its filters, repetitions, aggregates,
// reporters and JSON, and with times that a BenchMeasurer takes. Each is registered with manual
// time, in microseconds, and carries these counters:
//   bytes_per_second, flop_per_second   of the contract's work, where it gives any
//   floor_us    what an empty kernel reads under the same protocol, subtracted from every time;
//               absent where there is none to subtract
//   median_us   of the run's samples; the time column is their mean
// The label states whether times are measured or modelled, the protocol, and where the
// configuration comes from.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "bench/google_flags.h"
#include "core/error.h"
#include "metrics/peaks.h"
#include "workers/paths.h"

namespace warpwright {

// The source of a benchmark's times: a measuring worker process that keeps one configuration loaded
// and returns cold samples in batches. This process never opens a device.

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

struct BenchResult {
  std::size_t matched = 0;     // by the filter
  std::size_t failed = 0;      // of those, with an error
  std::optional<Error> error;  // the first fault not caused by a configuration
};

// The header of every output, by key: device, driver, nvrtc, protocol, ...
using BenchContext = std::map<std::string, std::string>;

// Prints to stdout (and into --benchmark_out). A case whose median is beyond `peaks` fails. Throws
// Error (user) when nothing matches the filter, and when Google Benchmark refuses an argument.
[[nodiscard]] BenchResult run_benchmarks(const std::vector<BenchCase>& cases,
                                         const GoogleFlags& flags, const BenchContext& context,
                                         BenchMeasurer& measurer, const Peaks& peaks = {});

// Removes control characters, which Google Benchmark would write into its JSON unescaped.
[[nodiscard]] std::string printable(const std::string& text);

}  // namespace warpwright
