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
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "bench/google_flags.h"
#include "bench/measurer.h"
#include "core/error.h"
#include "metrics/peaks.h"

namespace warpwright {

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
